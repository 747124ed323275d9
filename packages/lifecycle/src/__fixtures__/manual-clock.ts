import type { Clock } from '@tollgate/core';

/** Time that only moves when a test says so. */
export interface ManualClock extends Clock {
  /** Moves time and runs what became due, letting promises settle in between. */
  advance(durationMs: number): Promise<void>;
}

export function createManualClock(): ManualClock {
  let nowMs = 0;
  const timers = new Set<{ dueMs: number; callback: () => void }>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    schedule(delayMs, callback) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(durationMs) {
      await settle();
      const endMs = nowMs + durationMs;
      for (;;) {
        const [next] = [...timers]
          .filter((timer) => timer.dueMs <= endMs)
          .sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers.delete(next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.callback();
        await settle();
      }
      nowMs = endMs;
      await settle();
    },
  };
}
