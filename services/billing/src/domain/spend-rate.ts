import { type Nano, nano, ZERO_NANO } from '@tollgate/core';
import type { SpendWindows } from './account';
import { plus } from './amounts';

function turn(spend: SpendWindows, now: number, windowMs: number): SpendWindows {
  const elapsedMs = now - spend.startedAt;
  // A wall clock that jumped back reads as an empty past rather than as a negative one.
  if (elapsedMs < 0 || elapsedMs >= 2 * windowMs) {
    return { startedAt: now, current: ZERO_NANO, previous: ZERO_NANO };
  }
  if (elapsedMs < windowMs) return spend;
  return { startedAt: spend.startedAt + windowMs, current: ZERO_NANO, previous: spend.current };
}

/** The windows after a charge of `amount`. */
export function recordSpend(
  spend: SpendWindows,
  amount: Nano,
  now: number,
  windowMs: number,
): SpendWindows {
  const turned = turn(spend, now, windowMs);
  return { ...turned, current: plus(turned.current, amount) };
}

/** What the account spends in `spanMs`, judged by the last one to two windows. */
export function recentSpend(
  spend: SpendWindows,
  spanMs: number,
  now: number,
  windowMs: number,
): Nano {
  const turned = turn(spend, now, windowMs);
  const coveredMs = windowMs + Math.max(0, now - turned.startedAt);
  const total = turned.current + turned.previous;
  return nano((total * BigInt(spanMs)) / BigInt(coveredMs));
}
