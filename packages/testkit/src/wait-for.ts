import { createSystemClock } from '@tollgate/core';

const POLL_INTERVAL_MS = 10;

export interface WaitForOptions {
  /** Gives up after this time of the machine's clock, milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
  /** What was waited for, for the failure's text. */
  readonly description?: string;
}

/**
 * Resolves with the first truthy answer of the condition, asked again and again. A condition that
 * throws counts as not yet true, so that an `expect` may stand inside; its last failure is the
 * cause of the rejection.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions = {},
): Promise<NonNullable<T>> {
  const { timeoutMs = 10_000, description = 'the condition' } = options;
  const clock = createSystemClock();
  const untilMs = clock.monotonicMs() + timeoutMs;
  let lastFailure: unknown;
  for (;;) {
    try {
      const answer = await condition();
      if (answer) return answer;
      lastFailure = undefined;
    } catch (error) {
      lastFailure = error;
    }
    if (clock.monotonicMs() >= untilMs) {
      const cause = lastFailure === undefined ? {} : { cause: lastFailure };
      throw new Error(`${description} did not come true within ${timeoutMs} ms`, cause);
    }
    // A timer of Node itself: the core clock's do not keep a process alive that only waits.
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
