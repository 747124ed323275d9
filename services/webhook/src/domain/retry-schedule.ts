const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second, ... failed attempt; after the last of them a delivery failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Up to this part of a wait is added at random, so that a receiver's backlog comes spread out. */
const JITTER = 0.2;

/**
 * The wait after failed attempt number `attempt` (from 1), never shorter than the schedule says;
 * undefined when no attempt follows. `random` gives numbers in [0, 1).
 */
export function retryDelayMs(attempt: number, random: () => number): number | undefined {
  const delayMs = RETRY_DELAYS_MS[attempt - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + JITTER * random()));
}

/**
 * What a Retry-After header asks for, seconds or an HTTP date, milliseconds from now and at most
 * `maxMs`; 0 when it asks for nothing that can be understood.
 */
export function readRetryAfterMs(header: string | undefined, nowMs: number, maxMs: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), maxMs) : 0;
}
