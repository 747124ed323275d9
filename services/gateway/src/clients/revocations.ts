import type { Clock, Logger } from '@tollgate/core';
import { followStream } from '@tollgate/rpc';
import type { Revocation } from '../auth/principal-cache';
import type { IdentityClient } from './control-plane';

/** The changes in a frame of the revocation stream. */
export interface RevocationListener {
  onChanges(revision: bigint, changes: readonly Revocation[], reset: boolean): void;
  onState(connected: boolean): void;
}

const HEARTBEATS_MISSED_MS = 3000;
const BACKOFF = { initialMs: 100, maxMs: 2000 };

/** Follows identity's changes of principals for as long as the gateway runs. */
export function followRevocations(
  identity: IdentityClient,
  listener: RevocationListener,
  host: { readonly clock: Clock; readonly logger: Logger },
): { stop(): void } {
  let applied = 0n;
  return followStream({
    name: 'revocations',
    open: () => identity.watchRevocations({ afterRevision: applied.toString() }),
    onMessage({ revision, changes, reset }) {
      applied = BigInt(revision);
      listener.onChanges(applied, changes, reset);
    },
    onState: listener.onState,
    silenceTimeoutMs: HEARTBEATS_MISSED_MS,
    backoff: BACKOFF,
    clock: host.clock,
    logger: host.logger,
  });
}
