import { AppError, TurnoverMap } from '@tollgate/core';

/** Why a running request is ended from outside. */
export type StopReason = 'client_gone' | 'deadline' | 'shutdown' | 'poisoned';

/** A request that can be ended. */
export interface ActiveRun {
  stop(reason: StopReason): void;
}

/** The requests that run, and whether another one may. */
export interface ActiveRuns {
  readonly count: number;
  /** Throws SERVICE_UNAVAILABLE at the bound, and once draining has begun. */
  requireRoom(): void;
  /** As `requireRoom`; the returned function takes the run out again. */
  add(run: ActiveRun): () => void;
  /** Takes nothing new from now on. */
  refuse(): void;
  /** Resolves when the last one has ended. */
  idle(): Promise<void>;
  stopAll(reason: StopReason): void;
}

/** Starts empty and open; more than `countMax` requests are refused. */
export function createActiveRuns(countMax: number): ActiveRuns {
  const runs = new TurnoverMap<number, ActiveRun>();
  let lastNumber = 0;
  let refusing = false;
  let waiting: (() => void)[] = [];
  const requireRoom = () => {
    if (!refusing && runs.size < countMax) return;
    throw new AppError('SERVICE_UNAVAILABLE', {
      internalMessage: refusing ? 'draining' : 'too many requests run',
      retryAfterMs: 1000,
    });
  };
  return {
    get count() {
      return runs.size;
    },
    requireRoom,
    add(run) {
      requireRoom();
      lastNumber += 1;
      const number = lastNumber;
      runs.set(number, run);
      return () => {
        runs.delete(number);
        if (runs.size > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      };
    },
    refuse() {
      refusing = true;
    },
    idle() {
      if (runs.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    stopAll(reason) {
      for (const run of [...runs.values()]) run.stop(reason);
    },
  };
}
