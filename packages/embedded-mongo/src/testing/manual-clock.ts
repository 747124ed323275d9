import type { Clock } from '@tollgate/core';

/** A clock that stands until `advance` moves it and fires what is due. */
export interface ManualClock extends Clock {
  advance(byMs: number): void;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    schedule(delayMs, callback) {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    advance(byMs) {
      nowMs += byMs;
      for (const timer of [...timers]) {
        if (timer.dueMs > nowMs) continue;
        timers.delete(timer);
        timer.callback();
      }
    },
  };
}
