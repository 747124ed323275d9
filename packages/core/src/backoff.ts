/** Bounds of an exponential back-off, milliseconds. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
}

/**
 * Full-jitter delay before attempt `attempt` (0 is the first retry): uniform in [half, whole] of
 * initial × 2^attempt, capped. `random` gives numbers in [0, 1).
 */
export function backoffDelayMs(
  policy: BackoffPolicy,
  attempt: number,
  random: () => number = Math.random,
): number {
  const whole = Math.min(policy.maxMs, policy.initialMs * 2 ** Math.min(attempt, 30));
  return Math.round(whole / 2 + (whole / 2) * random());
}
