import type { Clock, Logger } from '@tollgate/core';
import { createWakeup, forEachConcurrently, NOTHING_FOUND, repeatAll } from '@tollgate/jobs';
import type { AttemptPermits } from '../domain/attempt-permits';
import type { Delivery } from '../domain/delivery';
import type { DeliveryStore, DeliveryWakeup, DueEndpoint, EndpointStore } from '../domain/ports';
import type { ClaimedAttempt } from '../operations/attempt-delivery';
import { holdDeliveries } from '../operations/endpoint-queue';
import type { RunIsolated } from '../operations/run-isolated';
import { createFindForgotten } from './find-forgotten';

export interface DispatchJobOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly permits: AttemptPermits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runIsolated: RunIsolated;
  readonly pollIntervalMs: number;
  /** How long an attempt may hold its delivery; longer than any attempt takes. */
  readonly claimMs: number;
  attempt(attempt: ClaimedAttempt, signal: AbortSignal): Promise<void>;
}

/** Starts what is due while this replica leads. */
export interface DispatchJob extends DeliveryWakeup {
  /** The leader's job: runs until the signal aborts and its attempts have ended. */
  lead(fence: bigint, signal: AbortSignal): Promise<void>;
  /** Starts nothing more and resolves when what runs has ended. */
  drain(): Promise<void>;
}

/** Due endpoints that are read at once, and of those the ones that are worked with side by side. */
const PAGE = 100;
const ENDPOINTS_AT_ONCE = 16;
/** Endpoints that one look may find before it waits for the next. */
const LOOKED_AT_MAX = 1_000;
/**
 * Between two looks while nothing waits. What this replica appends wakes the job at once, so only
 * what another one appends after a rest is sent so late.
 */
const RESTING_MS = 2_000;
/** How long an endpoint that cannot be worked with is left alone, unless another delivery is due. */
const QUARANTINE_MS = 60_000;

/** Creates the job; nothing runs until it leads. */
export function createDispatchJob(options: DispatchJobOptions): DispatchJob {
  const { logger, pollIntervalMs: intervalMs } = options;
  const wakeup = createWakeup();
  const running = new Set<Promise<void>>();
  let isDraining = false;

  const start = (attempt: ClaimedAttempt, release: () => void, signal: AbortSignal): void => {
    const job = options
      .attempt(attempt, signal)
      .catch((error: unknown) => {
        // The delivery comes due again when its claim ends.
        const { id: deliveryId, endpointId } = attempt.delivery;
        logger.warn({ endpointId, deliveryId, error }, 'what came of an attempt cannot be written');
      })
      .finally(() => {
        running.delete(job);
        release();
        wakeup.wake();
      });
    running.add(job);
  };

  return {
    wake: wakeup.wake,
    async lead(fence, signal) {
      const run = async () =>
        isDraining ? undefined : startDue(options, { fence, signal, start });
      const rest = { intervalMs, restingMs: RESTING_MS, wakeup };
      const work = { name: 'dispatch-deliveries', ...rest, run };
      await repeatAll([work, createFindForgotten({ ...options, wakeup })], options, signal);
      await Promise.all(running);
    },
    async drain() {
      isDraining = true;
      await Promise.all(running);
    },
  };
}

interface Term {
  readonly fence: bigint;
  readonly signal: AbortSignal;
  start(attempt: ClaimedAttempt, release: () => void, signal: AbortSignal): void;
}

/**
 * Gives the free permits to endpoints in the order of their time. One that may have no more is
 * passed over with all that waits for it, and one that cannot be worked with is quarantined for a
 * while: a long queue or a damaged endpoint hides nobody else's deliveries. NOTHING_FOUND when
 * nothing comes due for the time of a rest.
 */
async function startDue(
  options: DispatchJobOptions,
  term: Term,
): Promise<typeof NOTHING_FOUND | undefined> {
  const { deliveries, permits, clock, runIsolated } = options;
  const lookedAt = new Set<string>();
  while (!term.signal.aborted && !permits.isFull && lookedAt.size < LOOKED_AT_MAX) {
    const { endpoints, accounts } = permits.saturated();
    const expected = await deliveries.dueEndpoints(clock.now() + RESTING_MS, PAGE, {
      endpoints: [...lookedAt, ...endpoints],
      accounts,
      failing: permits.failingAreFull,
    });
    if (expected.length + lookedAt.size === 0) return NOTHING_FOUND;
    const due = expected.filter(({ dueAtMs }) => dueAtMs <= clock.now());
    if (due.length === 0) return undefined;
    await forEachConcurrently(due, { atOnceMax: ENDPOINTS_AT_ONCE }, async (one) => {
      const { id: endpointId } = one.endpoint;
      lookedAt.add(endpointId);
      const isDone = await runIsolated(endpointId, () => startDueOf(options, term, one));
      if (!isDone) await deliveries.quarantineEndpoint(endpointId, clock.now() + QUARANTINE_MS);
    });
  }
  return undefined;
}

/** Starts what the endpoint has permits for, and lets it be looked at again when more is due. */
async function startDueOf(
  options: DispatchJobOptions,
  term: Term,
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
  await deliveries.scheduleNextLook(due);
}

/** False when the endpoint gets no permit now. */
async function startOne(
  options: DispatchJobOptions,
  term: Term,
  delivery: Delivery,
  endpoint: ClaimedAttempt['endpoint'],
): Promise<boolean> {
  const release = options.permits.take(endpoint);
  if (release === undefined) return false;
  const claim = { fence: term.fence, untilMs: options.clock.now() + options.claimMs };
  let claimed = false;
  try {
    claimed = await options.deliveries.claim(delivery, claim);
  } finally {
    if (!claimed) release();
  }
  if (claimed) term.start({ delivery, endpoint, claim }, release, term.signal);
  return true;
}
