import type { Logger } from '@tollgate/core';
import { createWakeup, repeatAll, type Wakeup } from '@tollgate/jobs';
import type { ClaimedAttempt } from '../operations/attempt-delivery';
import { createFindForgotten } from '../operations/find-forgotten';
import { createSkippedEndpoints } from '../operations/skipped-endpoints';
import { FAILED_ENDPOINTS_MAX, type StartDueOptions, startDue } from '../operations/start-due';

export interface DispatchJobOptions extends Omit<StartDueOptions, 'skipped'> {
  readonly logger: Logger;
  readonly pollIntervalMs: number;
  attempt(attempt: ClaimedAttempt, signal: AbortSignal): Promise<void>;
}

/** Starts what is due while this replica leads. */
export interface DispatchJob extends Pick<Wakeup, 'wake'> {
  /** The leader's job: runs until the signal aborts and its attempts have ended. */
  lead(fence: bigint, signal: AbortSignal): Promise<void>;
  /** Starts nothing more and resolves when what runs has ended. */
  drain(): Promise<void>;
}

/**
 * Between two rounds while nothing waits. What this replica appends wakes the job at once, so only
 * what another one appends after a rest is sent so late.
 */
const RESTING_MS = 2_000;
/** Between two searches for what a crash left unsaid. */
const FORGOTTEN_INTERVAL_MS = 60_000;

/** Creates the job; nothing runs until it leads. */
export function createDispatchJob(options: DispatchJobOptions): DispatchJob {
  const { clock, logger, pollIntervalMs: intervalMs } = options;
  const skipped = createSkippedEndpoints({
    clock,
    logger,
    skipMs: intervalMs,
    endpointsMax: FAILED_ENDPOINTS_MAX,
  });
  const wakeup = createWakeup();
  const running = new Set<Promise<void>>();
  const draining = new AbortController();
  let round: Promise<unknown> = Promise.resolve();

  const start = (claimed: ClaimedAttempt, release: () => void, signal: AbortSignal): void => {
    const attempt = options
      .attempt(claimed, signal)
      .catch((error: unknown) => {
        // The delivery comes due again when its claim ends.
        const { id: deliveryId, endpointId } = claimed.delivery;
        logger.warn({ endpointId, deliveryId, error }, 'what came of an attempt cannot be written');
      })
      .finally(() => {
        running.delete(attempt);
        release();
        wakeup.wake();
      });
    running.add(attempt);
  };

  return {
    wake: wakeup.wake,
    async lead(fence, signal) {
      const term = {
        fence,
        // A drain ends a round early, but no attempt.
        signal: AbortSignal.any([signal, draining.signal]),
        restingMs: RESTING_MS,
        start: (claimed: ClaimedAttempt, release: () => void) => start(claimed, release, signal),
      };
      const run = () => {
        round = startDue({ ...options, skipped }, term);
        return round;
      };
      const rest = { intervalMs, restingMs: RESTING_MS, wakeup };
      const work = { name: 'dispatch-deliveries', ...rest, run };
      const findForgotten = {
        name: 'find-forgotten-deliveries',
        intervalMs: FORGOTTEN_INTERVAL_MS,
        run: createFindForgotten({ ...options, wakeup }),
      };
      await repeatAll([work, findForgotten], options, signal);
      await Promise.all(running);
    },
    async drain() {
      draining.abort();
      // A round may be waiting for the store, and start what it has claimed.
      await Promise.allSettled([round]);
      await Promise.all(running);
    },
  };
}
