import type { Clock } from '@tollgate/core';
import { forEachConcurrently, NOTHING_FOUND } from '@tollgate/jobs';
import type { AttemptPermits } from '../domain/attempt-permits';
import type { Delivery } from '../domain/delivery';
import type { DeliveryStore, DueEndpoint, DueEndpoints, EndpointStore } from '../domain/ports';
import type { ClaimedAttempt } from './attempt-delivery';
import { holdDeliveries } from './endpoint-queue';
import type { RunIsolated } from './run-isolated';
import type { SkippedEndpoints, StoreFailure } from './skipped-endpoints';

export interface StartDueOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly dueEndpoints: DueEndpoints;
  readonly permits: AttemptPermits;
  readonly clock: Clock;
  readonly skipped: SkippedEndpoints;
  readonly runIsolated: RunIsolated;
  /** How long an attempt may hold its delivery; longer than any attempt takes. */
  readonly claimMs: number;
}

/** Due endpoints that are read at once, and of those the ones that are worked with side by side. */
const PAGE = 100;
const ENDPOINTS_AT_ONCE = 16;
/** With so many endpoints a round begins no further page, and waits for the next. */
const ENDPOINTS_MAX = 1_000;
/** So many the store can have failed with in one round. */
export const FAILED_ENDPOINTS_MAX = ENDPOINTS_MAX + PAGE;
/** How long an endpoint that cannot be worked with is left alone, unless another delivery is due. */
const QUARANTINE_MS = 60_000;

/** The term of the leader that starts attempts. */
export interface DispatchTerm {
  readonly fence: bigint;
  /** Once it aborts nothing more is claimed. */
  readonly signal: AbortSignal;
  /** Between two rounds when this one answers NOTHING_FOUND, milliseconds. */
  readonly restingMs: number;
  start(attempt: ClaimedAttempt, release: () => void): void;
}

/**
 * Gives the free permits to endpoints in the order of their time. One that may have no more is
 * passed over with all that waits for it, and one that cannot be worked with is quarantined for a
 * while: a long queue or a damaged endpoint hides nobody else's deliveries. NOTHING_FOUND when
 * nothing comes due for the time of a rest. Those that the store failed with are still due, after
 * their pause; rejects when the store cannot list what is due.
 */
export async function startDue(
  options: StartDueOptions,
  term: DispatchTerm,
): Promise<typeof NOTHING_FOUND | undefined> {
  const { dueEndpoints, permits, clock, skipped, runIsolated } = options;
  const skippedIds = skipped.ids();
  const seen = new Set<string>(skippedIds);
  const failures: StoreFailure[] = [];
  while (!term.signal.aborted && !permits.isFull && seen.size - skippedIds.length < ENDPOINTS_MAX) {
    const { endpoints, ...accounts } = permits.saturated();
    const expected = await dueEndpoints.list(clock.now() + term.restingMs, PAGE, {
      endpoints: [...seen, ...endpoints],
      ...accounts,
      failing: permits.failingAreFull,
    });
    if (expected.length + seen.size === 0) return NOTHING_FOUND;
    const due = expected.filter(({ dueAtMs }) => dueAtMs <= clock.now());
    if (due.length === 0) break;
    const atOnce = { atOnceMax: ENDPOINTS_AT_ONCE, signal: term.signal };
    await forEachConcurrently(due, atOnce, async (one) => {
      const { id: endpointId } = one.endpoint;
      seen.add(endpointId);
      try {
        const isDone = await runIsolated(endpointId, () => startDueOf(options, term, one));
        if (!isDone) await dueEndpoints.quarantine(endpointId, clock.now() + QUARANTINE_MS);
        skipped.succeeded(endpointId);
      } catch (error) {
        // It may be this endpoint's alone; a store that is away lists no next page.
        failures.push({ endpointId, error });
      }
    });
  }
  // Noted, not thrown: after a round that failed the job waits, and with it what is due for others.
  skipped.failed(failures);
  return undefined;
}

/** Starts what the endpoint has permits for; it comes again when more is due. */
async function startDueOf(
  options: StartDueOptions,
  term: DispatchTerm,
  due: DueEndpoint,
): Promise<void> {
  const { deliveries, permits, clock } = options;
  const { endpoint } = due;
  if (endpoint.status !== 'enabled') {
    await holdDeliveries(options, endpoint.id);
  } else {
    const found = await deliveries.due(endpoint.id, clock.now(), permits.perEndpoint);
    for (const delivery of found) {
      if (!(await startOne(options, term, delivery, endpoint))) return;
    }
    if (found.length === permits.perEndpoint) return;
  }
  await options.dueEndpoints.scheduleNext(due);
}

/** False when the endpoint gets no permit now, or the term is over. */
async function startOne(
  options: StartDueOptions,
  term: DispatchTerm,
  delivery: Delivery,
  endpoint: ClaimedAttempt['endpoint'],
): Promise<boolean> {
  if (term.signal.aborted) return false;
  const release = options.permits.take(endpoint);
  if (release === undefined) return false;
  const claim = { fence: term.fence, untilAtMs: options.clock.now() + options.claimMs };
  let claimed = false;
  try {
    claimed = await options.deliveries.claim(delivery, claim);
  } finally {
    if (!claimed) release();
  }
  if (claimed) term.start({ delivery, endpoint, claim }, release);
  return true;
}
