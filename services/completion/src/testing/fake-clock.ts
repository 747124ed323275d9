import type { Clock } from '@tollgate/core';

/** Time that moves only when told. */
export interface FakeClock extends Clock {
  /** Moves time and runs the timers that fall due, in their order. */
  advance(byMs: number): void;
}

/** Starts at 2026-01-01T00:00:00Z. */
export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let elapsedMs = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    schedule(delayMs, callback) {
      const timer = { atMs: elapsedMs + delayMs, callback };
      timers.push(timer);
      return {
        cancel() {
          timers = timers.filter((other) => other !== timer);
        },
      };
    },
    advance(byMs) {
      const untilMs = elapsedMs + byMs;
      for (;;) {
        const due = timers.filter((timer) => timer.atMs <= untilMs);
        const next = due.sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        elapsedMs = Math.max(elapsedMs, next.atMs);
        next.callback();
      }
      elapsedMs = untilMs;
    },
  };
}
