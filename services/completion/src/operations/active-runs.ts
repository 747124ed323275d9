import { AppError, type Nano, TurnoverMap } from '@tollgate/core';
import type { AnswerHead, CompletionRequest } from './request';

/** Why a running request is ended from outside. */
export type StopReason = 'client_gone' | 'deadline' | 'shutdown' | 'poisoned';

/** A request that runs: it can be told of, and ended. */
export interface ActiveRun {
  readonly request: Pick<CompletionRequest, 'caller' | 'clientRequestId' | 'model' | 'requestId'>;
  /** Who is asked now, or was last; before the first attempt, who will be. */
  readonly head: AnswerHead;
  readonly reservation: { readonly amount: Nano };
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  stop(reason: StopReason): void;
}

/** The runs that are looked for; an empty member matches every run. */
export interface SoughtRuns {
  readonly accountId: string;
  /** The id of a request, or what its client called it. */
  readonly name: string;
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
  /** In the order in which they came. Looks at all that run. */
  find(sought: SoughtRuns): readonly ActiveRun[];
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
    find({ accountId, name }) {
      const isSought = ({ request: { caller, clientRequestId, requestId } }: ActiveRun) =>
        (accountId === '' || caller.accountId === accountId) &&
        (name === '' || requestId === name || clientRequestId === name);
      return [...runs.values()].filter(isSought);
    },
  };
}
