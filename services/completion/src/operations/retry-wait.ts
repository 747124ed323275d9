import { type Clock, delay } from '@tollgate/core';

/** A retry waits for a random part of this, doubled with each further one, up to the bound. */
const LONGEST_MS = 50;
const LONGEST_MS_MAX = 1_000;

/**
 * Waits after so many failures; false when `signal` ended the wait. A client waits meanwhile, mostly
 * for another channel, so any part of the time will do: `backoffDelayMs` of core would take at least
 * half of it, which is for callers that ask one and the same peer again.
 */
export async function waitBeforeRetry(
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  failures: number,
  signal: AbortSignal,
): Promise<boolean> {
  const longestMs = Math.min(LONGEST_MS_MAX, LONGEST_MS * 2 ** (failures - 1));
  const waitMs = Math.floor(random() * longestMs);
  if (waitMs === 0) return true;
  return delay(clock, waitMs, signal).then(
    () => true,
    () => false,
  );
}
