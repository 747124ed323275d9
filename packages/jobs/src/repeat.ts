import type { Clock, Logger } from '@tollgate/core';

/** What a round returns that looked and found nothing to do: the next may come later. */
export const NOTHING_FOUND = Symbol('nothing found');

/** Work that is done again and again. */
export interface RepeatedWork {
  /** For logs. */
  readonly name: string;
  /** Between the end of one round and the begin of the next, milliseconds. */
  readonly intervalMs: number;
  /** The longest pause: it doubles while rounds return NOTHING_FOUND; `intervalMs` without it. */
  readonly restingMs?: number;
  /** When the first round comes, milliseconds; at once without it. */
  readonly firstAfterMs?: number;
  /** Ends a pause early, unless it follows a failure. */
  readonly wakeup?: Wakeup;
  run(signal: AbortSignal): Promise<unknown>;
}

export interface JobHost {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Repeats the work until the signal aborts. A round that fails does not end it; of failures that
 * follow each other the first is a warning.
 */
export async function repeat(
  { name, intervalMs, restingMs = intervalMs, firstAfterMs = 0, ...work }: RepeatedWork,
  { clock, logger }: JobHost,
  signal: AbortSignal,
): Promise<void> {
  const { wakeup = createWakeup(), run } = work;
  // A wake-up does not say that a store is back: after a failure nothing ends the pause early.
  const neverWoken = createWakeup();
  let isFailing = false;
  let pauseMs = intervalMs;
  if (firstAfterMs > 0) await wakeup.pause(clock, firstAfterMs, signal);
  while (!signal.aborted) {
    wakeup.clear();
    try {
      const found = await run(signal);
      isFailing = false;
      const isResting = found === NOTHING_FOUND && !wakeup.isWoken;
      pauseMs = isResting ? Math.min(pauseMs * 2, Math.max(intervalMs, restingMs)) : intervalMs;
    } catch (error) {
      const level = isFailing || signal.aborted ? 'debug' : 'warn';
      logger[level]({ job: name, error }, 'a background job failed and will be repeated');
      isFailing = true;
      pauseMs = intervalMs;
    }
    await (isFailing ? neverWoken : wakeup).pause(clock, pauseMs, signal);
  }
}

/** Repeats all of the work until the signal aborts. */
export async function repeatAll(
  jobs: readonly RepeatedWork[],
  host: JobHost,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(jobs.map((job) => repeat(job, host, signal)));
}

/** Tells repeated work that there is something to do. */
export interface Wakeup {
  /** Ends the pause. During a round: the next one follows without a pause, unless this one fails. */
  wake(): void;
  /** Woken since it was cleared. */
  readonly isWoken: boolean;
  /** Forgets an earlier `wake`. */
  clear(): void;
  /** Resolves after the time, when it is woken or was woken before, or when the signal aborts. */
  pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void>;
}

export function createWakeup(): Wakeup {
  let isWoken = false;
  let endPause = (): void => {};
  return {
    get isWoken() {
      return isWoken;
    },
    wake() {
      isWoken = true;
      endPause();
    },
    clear() {
      isWoken = false;
    },
    async pause(clock, delayMs, signal) {
      if (isWoken || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      endPause = resolve;
      const timer = clock.schedule(delayMs, resolve);
      signal.addEventListener('abort', endPause, { once: true });
      await promise;
      timer.cancel();
      signal.removeEventListener('abort', endPause);
    },
  };
}
