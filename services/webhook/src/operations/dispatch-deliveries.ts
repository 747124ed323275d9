import type { Clock, Logger } from '@tollgate/core';
import type { AttemptSlots } from '../domain/attempt-slots';
import type { Delivery } from '../domain/delivery';
import type { DeliveryStore, EndpointStore, Wakeup } from '../domain/ports';
import type { ClaimedAttempt } from './attempt-delivery';
import { holdDeliveries } from './hold-deliveries';

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly slots: AttemptSlots;
  readonly clock: Clock;
  readonly logger: Logger;
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

/** Due deliveries that are read at once. */
const PAGE = 100;
/** Endpoints without a free place that one look steps over before it waits for the next. */
const PASSED_OVER_MAX = 1_000;

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
        const { id: deliveryId } = attempt.delivery;
        logger.warn({ deliveryId, error }, 'what came of an attempt cannot be written');
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
      while (!signal.aborted) {
        woken = false;
        try {
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
 * Gives the free places to what is due longest. An endpoint that may have no more is stepped over
 * with all that waits for it, so that a long queue hides nobody else's deliveries.
 */
async function startDue(options: DispatcherOptions, term: Term): Promise<void> {
  const { deliveries, endpoints, slots, clock } = options;
  const passedOver = new Set<string>(slots.saturated());
  const passedOverMax = passedOver.size + PASSED_OVER_MAX;
  while (!term.signal.aborted && !slots.isFull && passedOver.size < passedOverMax) {
    const due = await deliveries.due(clock.now(), PAGE, [...passedOver]);
    if (due.length === 0) return;
    const ids = [...new Set(due.map((delivery) => delivery.endpointId))];
    const found = new Map((await endpoints.getMany(ids)).map((one) => [one.id, one]));
    for (const delivery of due) {
      if (passedOver.has(delivery.endpointId)) continue;
      const endpoint = found.get(delivery.endpointId);
      const started = endpoint !== undefined && (await startOne(options, term, delivery, endpoint));
      if (endpoint === undefined) await deliveries.deleteOf(delivery.endpointId);
      if (!started) passedOver.add(delivery.endpointId);
    }
  }
}

/** False when nothing more can be started for the endpoint now. */
async function startOne(
  options: DispatcherOptions,
  term: Term,
  delivery: Delivery,
  endpoint: ClaimedAttempt['endpoint'],
): Promise<boolean> {
  if (endpoint.status !== 'enabled') {
    await holdDeliveries(options, endpoint.id);
    return false;
  }
  const release = options.slots.take(endpoint.id, endpoint.consecutiveFailures > 0);
  if (release === undefined) return false;
  const claim = { fence: term.fence, untilMs: options.clock.now() + options.claimMs };
  let claimed = false;
  try {
    claimed = await options.deliveries.claim(delivery, claim);
  } finally {
    if (!claimed) release();
  }
  if (claimed) term.start({ delivery, endpoint, claim }, release, term.signal);
  return claimed;
}
