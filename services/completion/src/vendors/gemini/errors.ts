import { asList, asObject, asText, isOutOfCredit, type JsonObject } from '@tollgate/core';
import type { VendorFailure } from '../../domain/vendor';
import { kindOfStatus, type RefusalKind, refusalFailureOf, refused } from '../protocol/failures';
import { errorMemberOf } from '../protocol/json';
import type { ReadBounds, VendorRefusal } from '../protocol/vendor-protocol';

/** The failure that status and body mean. */
export function toFailure(
  refusal: VendorRefusal,
  bounds: ReadBounds,
  nowMs: number,
): VendorFailure {
  const error = errorMemberOf(refusal.body);
  const kind = kindOf(refusal.status, error);
  const retryMs = kind === 'rate_limited' ? retryDelayMs(error) : undefined;
  if (retryMs === undefined) return refused(kind, refusal, bounds, nowMs);
  const internalMessage = `the vendor answered ${refusal.status}`;
  return refusalFailureOf(kind, internalMessage, Math.min(retryMs, bounds.retryAfterMsMax));
}

function kindOf(status: number, error: JsonObject | undefined): RefusalKind {
  if (isOutOfCredit(status, error)) return 'credit';
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
