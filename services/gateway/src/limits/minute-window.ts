import { SECOND_MS } from '@tollgate/core';
import { MINUTE_BUCKETS } from './limiter';

/** Counts the last sixty seconds in one-second buckets. */
export interface MinuteWindow {
  /** Requests in the present second and the fifty-nine before it. */
  count(now: number): number;
  add(now: number): void;
  /** Milliseconds until the oldest counted second leaves; 0 when nothing is counted. */
  resetMs(now: number): number;
  /** Milliseconds until at most `count` requests are left in the window; 0 when it is so now. */
  untilAtMostMs(count: number, now: number): number;
}

/** An empty window. Time that jumps back is taken as standing still. */
export function createMinuteWindow(): MinuteWindow {
  const buckets = new Uint32Array(MINUTE_BUCKETS);
  let total = 0;
  let last = 0;

  const slot = (second: number): number => second % MINUTE_BUCKETS;
  const advance = (now: number): void => {
    const second = Math.floor(now / SECOND_MS);
    if (second <= last) return;
    if (second - last >= MINUTE_BUCKETS) {
      buckets.fill(0);
      total = 0;
    } else {
      for (let passed = last + 1; passed <= second; passed += 1) {
        total -= buckets[slot(passed)] ?? 0;
        buckets[slot(passed)] = 0;
      }
    }
    last = second;
  };
  const untilAtMostMs = (count: number, now: number): number => {
    advance(now);
    let left = total;
    for (let second = last - MINUTE_BUCKETS + 1; second <= last && left > count; second += 1) {
      left -= buckets[slot(second + MINUTE_BUCKETS)] ?? 0;
      if (left <= count) return Math.max(1, (second + MINUTE_BUCKETS) * SECOND_MS - now);
    }
    return 0;
  };

  return {
    count(now) {
      advance(now);
      return total;
    },
    add(now) {
      advance(now);
      const index = slot(last);
      buckets[index] = (buckets[index] ?? 0) + 1;
      total += 1;
    },
    resetMs(now) {
      advance(now);
      return total === 0 ? 0 : untilAtMostMs(total - 1, now);
    },
    untilAtMostMs,
  };
}
