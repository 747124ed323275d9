import type { Clock, Logger } from '@tollgate/core';

/** Work that is done again and again. */
export interface RepeatedWork {
  /** For logs. */
  readonly name: string;
  /** Between the end of one round and the begin of the next, milliseconds. */
  readonly intervalMs: number;
  /** When the first round comes, milliseconds; at once without it. */
  readonly firstAfterMs?: number;
  /** Ends a pause early. */
  readonly wakeup?: Wakeup;
  run(signal: AbortSignal): Promise<unknown>;
}

/** What background work needs of its process. */
export interface JobHost {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Repeats the work until the signal aborts. A round that fails does not end it; of failures that
 * follow each other the first is a warning.
 */
export async function repeat(
  { name, intervalMs, firstAfterMs = 0, wakeup = createWakeup(), run }: RepeatedWork,
  { clock, logger }: JobHost,
  signal: AbortSignal,
): Promise<void> {
  let isFailing = false;
  if (firstAfterMs > 0) await wakeup.pause(clock, firstAfterMs, signal);
  while (!signal.aborted) {
    wakeup.clear();
    try {
      await run(signal);
      isFailing = false;
    } catch (error) {
      const level = isFailing || signal.aborted ? 'debug' : 'warn';
      logger[level]({ job: name, error }, 'a background job failed and will be repeated');
      isFailing = true;
      // Whoever wakes the work cannot know that a store is away.
      wakeup.clear();
    }
    await wakeup.pause(clock, intervalMs, signal);
  }
}

/** Tells repeated work that there is something to do. */
export interface Wakeup {
  /** Ends the pause. During a round: the next one follows without a pause, unless this one fails. */
  wake(): void;
  /** Forgets an earlier `wake`. */
  clear(): void;
  /** Resolves after the time, when it is woken or was woken before, or when the signal aborts. */
  pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void>;
}

export function createWakeup(): Wakeup {
  let isWoken = false;
  let endPause = (): void => {};
  return {
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
