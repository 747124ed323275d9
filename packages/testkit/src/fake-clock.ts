import { type Clock, createSystemClock } from '@tollgate/core';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves wall and monotonic time, running due timers in order. After each timer promises get their
   * turn, so that a loop of waits runs as it would over real time.
   */
  advance(durationMs: number): Promise<void>;
  /** Moves the wall clock alone, as a machine's clock does when it is set. */
  jumpWallClock(offsetMs: number): void;
  /** How far the timer is that comes first, as soon as there is one, milliseconds. */
  untilNextTimer(): Promise<number>;
  /** Timers that wait. */
  readonly pendingTimers: number;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** 2026-01-01T00:00:00Z. */
const START_EPOCH_MS = 1_767_225_600_000;

/** Creates a clock at the given wall time; its monotonic time starts at 0. */
export function createFakeClock(startEpochMs: number = START_EPOCH_MS): FakeClock {
  const timers = new Set<PendingTimer>();
  let elapsedMs = 0;
  let wallOffsetMs = startEpochMs;
  let onScheduled: (() => void) | undefined;

  const nextDue = (limitMs: number): PendingTimer | undefined => {
    let next: PendingTimer | undefined;
    for (const timer of timers) {
      if (timer.dueMs > limitMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    }
    return next;
  };

  return {
    now: () => wallOffsetMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    schedule(delayMs, callback) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), callback };
      timers.add(timer);
      onScheduled?.();
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(durationMs) {
      const targetMs = elapsedMs + durationMs;
      await settlePromises();
      for (let timer = nextDue(targetMs); timer !== undefined; timer = nextDue(targetMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.callback();
        await settlePromises();
      }
      elapsedMs = targetMs;
    },
    jumpWallClock(offsetMs) {
      wallOffsetMs += offsetMs;
    },
    async untilNextTimer() {
      while (timers.size === 0) {
        await new Promise<void>((resolve) => {
          onScheduled = resolve;
        });
      }
      return (nextDue(Number.POSITIVE_INFINITY)?.dueMs ?? elapsedMs) - elapsedMs;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

/** The machine's clock, whose wall time a test moves ahead: for parts that talk over sockets. */
export interface JumpingClock extends Clock {
  jump(offsetMs: number): void;
}

export function createJumpingClock(): JumpingClock {
  const system = createSystemClock();
  let offsetMs = 0;
  return {
    ...system,
    now: () => system.now() + offsetMs,
    jump(byMs) {
      offsetMs += byMs;
    },
  };
}

/** Resolves after everything that was ready to run has run, including promises it resolved. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
