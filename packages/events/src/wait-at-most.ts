import { type Clock, delay } from '@tollgate/core';

/** Resolves when the work has settled or the time is over, whichever is first. */
export async function waitAtMost(
  clock: Clock,
  timeoutMs: number,
  work: Promise<unknown>,
): Promise<void> {
  const waiting = new AbortController();
  const timeout = delay(clock, timeoutMs, waiting.signal);
  await Promise.race([work, timeout].map((one) => one.catch(() => undefined)));
  waiting.abort();
}
