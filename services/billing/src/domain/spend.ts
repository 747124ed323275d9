import { type Nano, nano, ZERO_NANO } from '@tollgate/core';
import { plus, type SpendWindows } from './account';

function rollWindows(spend: SpendWindows, now: number, windowMs: number): SpendWindows {
  // Clocks of replicas differ: what is less than a window in the future is of this window still. A
  // clock that jumped back by more reads as an empty past.
  const elapsedMs = now - spend.startedAtMs;
  if (elapsedMs <= -windowMs || elapsedMs >= 2 * windowMs) {
    return { startedAtMs: now, current: ZERO_NANO, previous: ZERO_NANO };
  }
  if (elapsedMs < windowMs) return spend;
  return { startedAtMs: spend.startedAtMs + windowMs, current: ZERO_NANO, previous: spend.current };
}

/** The windows after a charge of `amount`. */
export function recordSpend(
  spend: SpendWindows,
  amount: Nano,
  now: number,
  windowMs: number,
): SpendWindows {
  const rolled = rollWindows(spend, now, windowMs);
  return { ...rolled, current: plus(rolled.current, amount) };
}

/** The account's spending in `spanMs`, judged by the last one to two windows. */
export function recentSpend(
  spend: SpendWindows,
  spanMs: number,
  now: number,
  windowMs: number,
): Nano {
  const rolled = rollWindows(spend, now, windowMs);
  const coveredMs = windowMs + Math.max(0, now - rolled.startedAtMs);
  const total = rolled.current + rolled.previous;
  return nano((total * BigInt(spanMs)) / BigInt(coveredMs));
}
