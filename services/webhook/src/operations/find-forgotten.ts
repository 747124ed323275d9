import type { Clock } from '@tollgate/core';
import type { Wakeup } from '@tollgate/jobs';
import type { EndpointId } from '../domain/endpoint';
import type { DeliveryStore, DueEndpoints } from '../domain/ports';

/**
 * What waits for so long may have been forgotten. Longer than a write takes to arrive and than the
 * clocks of replicas differ, because no span is searched twice.
 */
const FORGOTTEN_AFTER_MS = 300_000;
const PAGE = 1_000;

/**
 * A delivery is written before the time of its endpoint: a crash between the two leaves one that
 * nobody looks for. The first round of a leader reads all that waits, each later one only
 * what has come to wait too long since; so idle endpoints cost nothing.
 */
export function createFindForgotten({
  deliveries,
  dueEndpoints,
  clock,
  wakeup,
}: {
  readonly deliveries: Pick<DeliveryStore, 'overdue' | 'removeOf'>;
  readonly dueEndpoints: Pick<DueEndpoints, 'bringForward'>;
  readonly clock: Clock;
  readonly wakeup: Wakeup;
}): (signal: AbortSignal) => Promise<void> {
  let doneUntilAtMs: number | undefined;
  return async (signal) => {
    const now = clock.now();
    const untilAtMs = doneUntilAtMs === undefined ? now : now - FORGOTTEN_AFTER_MS;
    let fromAtMs = doneUntilAtMs ?? 0;
    // Many deliveries may be due at `fromAtMs`, where a page begins: their endpoints are named.
    let notOf: readonly EndpointId[] = [];
    for (let isMore = true; isMore && !signal.aborted; ) {
      const page = await deliveries.overdue({ fromAtMs, untilAtMs, notOf }, PAGE);
      const found = [...new Set(page.map(({ endpointId }) => endpointId))];
      if (found.length > 0) {
        const gone = await dueEndpoints.bringForward(found, now);
        for (const endpointId of gone) await deliveries.removeOf(endpointId);
        wakeup.wake();
      }
      isMore = page.length === PAGE;
      const lastMs = page.at(-1)?.dueAtMs ?? fromAtMs;
      notOf = lastMs === fromAtMs ? [...notOf, ...found] : found;
      fromAtMs = lastMs;
    }
    if (!signal.aborted) doneUntilAtMs = now - FORGOTTEN_AFTER_MS;
  };
}
