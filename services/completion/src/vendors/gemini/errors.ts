import { asList, asObject, asText, type JsonObject } from '@tollgate/core';
import type { VendorFailure } from '../../domain/vendor';
import {
  kindOfStatus,
  type RefusalKind,
  refused,
  saidIn,
  type VendorSaid,
} from '../protocol/failures';
import type { ReadBounds, VendorRefusal } from '../protocol/vendor-protocol';

/** The failure that status and body mean. */
export function toFailure(refusal: VendorRefusal, bounds: ReadBounds, now: number): VendorFailure {
  return failureOf(saidIn(refusal, now), bounds);
}

/** The same of what it said in a refusal or in an event. */
export function failureOf(said: VendorSaid, bounds: ReadBounds): VendorFailure {
  const retryMs = retryDelayMs(said.error) ?? said.retryMs;
  return refused(kindOf(said), { ...said, retryMs }, bounds);
}

function kindOf({ error, status = 0 }: VendorSaid): RefusalKind {
  // A credential that is not valid is answered like a request that is not.
  if (detailsOf(error).some(({ reason }) => reason === 'API_KEY_INVALID')) return 'credential';
  // The account of the credential may not be served at all: billing, region.
  if (error?.status === 'FAILED_PRECONDITION') return 'failure';
  return kindOfStatus(status);
}

/** `"37s"` or `"37.8s"` of a RetryInfo. */
function retryDelayMs(error: JsonObject | undefined): number | undefined {
  for (const { retryDelay } of detailsOf(error)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(asText(retryDelay))?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return undefined;
}

function detailsOf(error: JsonObject | undefined): readonly JsonObject[] {
  return asList(error?.details).map((detail) => asObject(detail) ?? {});
}
