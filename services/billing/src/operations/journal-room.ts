import { AppError, type Clock, delay } from '@tollgate/core';

/** How a full journal is waited for. */
export interface JournalWait {
  /** Milliseconds in all before what needs room is refused. */
  readonly waitMsMax: number;
  readonly pollMs: number;
}

export const DEFAULT_JOURNAL_WAIT: JournalWait = { waitMsMax: 5_000, pollMs: 50 };

/**
 * Tries again what an account has no room for yet, in its journal for example, and answers what
 * came of the last try. `waitMsMaxOf` tells of each result for how many milliseconds from the first
 * try on it may be tried again; 0 when it is final.
 */
export async function retryForRoom<Result>(
  { clock, pollMs }: { readonly clock: Clock; readonly pollMs: number },
  work: () => Promise<Result>,
  waitMsMaxOf: (result: Result) => number,
): Promise<Result> {
  const startedMonotonicMs = clock.monotonicMs();
  for (;;) {
    const result = await work();
    if (clock.monotonicMs() - startedMonotonicMs >= waitMsMaxOf(result)) return result;
    await delay(clock, pollMs);
  }
}

/** Refuses what would need a journal that has no room; to be tried again once it was stored. */
export function createJournalFull(accountId: string, retryAfterMs: number): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: `the journal of ${accountId} is full and is not being stored`,
    retryAfterMs,
  });
}
