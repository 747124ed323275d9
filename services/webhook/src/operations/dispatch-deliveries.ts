import type { Clock, Logger } from '@tollgate/core';
import type { AttemptSlots } from '../domain/attempt-slots';
import type { Delivery } from '../domain/delivery';
import type { DeliveryStore, DueEndpoint, EndpointStore, Wakeup } from '../domain/ports';
import type { ClaimedAttempt } from './attempt-delivery';
import { holdDeliveries } from './hold-deliveries';
import type { SetAside } from './set-aside';

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly slots: AttemptSlots;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly setAside: SetAside;
  readonly pollIntervalMs: number;
  /** How long an attempt may hold its delivery; longer than any attempt takes. */
  readonly claimMs: number;
  attempt(attempt: ClaimedAttempt, signal: AbortSignal): Promise<void>;
}

/** Starts what is due while this replica leads. */
export interface Dispatcher extends Wakeup {
  /** The leader's job: runs until the signal aborts and its attempts have ended. */
  lead(fence: bigint, signal: AbortSignal): Promise<void>;
  /** Starts nothing more and resolves when what runs has ended. */
  drain(): Promise<void>;
}

/** Due endpoints that are read at once. */
const PAGE = 100;
/** Endpoints that one look may find before it waits for the next. */
const LOOKED_AT_MAX = 1_000;
/** How often every endpoint is looked at, whatever its time. */
const LOOK_AT_ALL_MS = 600_000;
/** How long an endpoint is left alone that cannot be worked with. */
const SET_ASIDE_MS = 60_000;

/** Creates the dispatcher; nothing runs until it leads. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, logger } = options;
  const running = new Set<Promise<void>>();
  let draining = false;
  let woken = false;
  let wakeUp = (): void => {};

  const wake = (): void => {
    woken = true;
    wakeUp();
  };

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
        wake();
      });
    running.add(job);
  };

  const idle = async (signal: AbortSignal): Promise<void> => {
    if (woken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    const timer = clock.schedule(options.pollIntervalMs, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    timer.cancel();
  };

  return {
    wake,
    async lead(fence, signal) {
      let away = false;
      let lookAtAllMs = Number.NEGATIVE_INFINITY;
      while (!signal.aborted) {
        woken = false;
        try {
          if (clock.monotonicMs() >= lookAtAllMs) {
            await options.deliveries.lookAtAll(clock.now());
            lookAtAllMs = clock.monotonicMs() + LOOK_AT_ALL_MS;
          }
          if (!draining) await startDue(options, { fence, signal, start });
          away = false;
        } catch (error) {
          if (!away) logger.warn({ error }, 'due webhook deliveries cannot be read now');
          away = true;
          woken = false;
        }
        await idle(signal);
      }
      await Promise.all(running);
    },
    async drain() {
      draining = true;
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
 * Gives the free places to endpoints in the order of their time. One that may have no more is
 * passed over with all that waits for it, and one that cannot be worked with is left alone for a
 * while: a long queue or a damaged endpoint hides nobody else's deliveries.
 */
async function startDue(options: DispatcherOptions, term: Term): Promise<void> {
  const { deliveries, slots, clock, setAside } = options;
  const lookedAt = new Set<string>();
  while (!term.signal.aborted && !slots.isFull && lookedAt.size < LOOKED_AT_MAX) {
    const { endpoints, accounts } = slots.saturated();
    const due = await deliveries.dueEndpoints(clock.now(), PAGE, {
      endpoints: [...lookedAt, ...endpoints],
      accounts,
      failing: slots.failingAreFull,
    });
    if (due.length === 0) return;
    for (const one of due) {
      const { id: endpointId } = one.endpoint;
      lookedAt.add(endpointId);
      const wellDone = await setAside(endpointId, () => startDueOf(options, term, one));
      if (!wellDone) await deliveries.postponeEndpoint(endpointId, clock.now() + SET_ASIDE_MS);
    }
  }
}

/** Starts what the endpoint has places for, and notes when to look at it again. */
async function startDueOf(options: DispatcherOptions, term: Term, due: DueEndpoint): Promise<void> {
  const { deliveries, slots, clock } = options;
  const { endpoint } = due;
  if (endpoint.status !== 'enabled') {
    await holdDeliveries(options, endpoint.id);
  } else {
    const found = await deliveries.due(endpoint.id, clock.now(), slots.perEndpoint);
    for (const delivery of found) {
      if (!(await startOne(options, term, delivery, endpoint))) return;
    }
    if (found.length === slots.perEndpoint) return;
  }
  await deliveries.noteNextDue(due);
}

/** False when the endpoint has no place now. */
async function startOne(
  options: DispatcherOptions,
  term: Term,
  delivery: Delivery,
  endpoint: ClaimedAttempt['endpoint'],
): Promise<boolean> {
  const release = options.slots.take(endpoint);
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
