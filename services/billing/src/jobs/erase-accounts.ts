import { type Clock, DAY_MS, isTransient, type Logger } from '@tollgate/core';
import {
  createQuarantineTimes,
  forEachConcurrently,
  NOTHING_FOUND,
  type PageStart,
  pagesOf,
  type RepeatedWork,
  type Wakeup,
} from '@tollgate/jobs';
import { entriesOf } from '../domain/journal';
import type { AccountStore, Erasure, ErasureStore } from '../domain/ports';
import type { Operations } from '../operations/operations';

export interface EraseAccountsOptions {
  readonly erasures: ErasureStore;
  readonly store: Pick<AccountStore, 'find'>;
  readonly operations: Pick<Operations, 'accounts' | 'thresholds'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly wakeup: Wakeup;
}

const INTERVAL_MS = 1_000;
const RESTING_MS = 20_000;
const ERASURES_PAGE = 100;
/** Entries that one write empties. */
const ENTRIES_AT_ONCE = 500;
/** Requests that ran when their account was erased settle in this time; answers live no longer. */
const LATE_MS = DAY_MS;
/** An account that failed is passed over for so long: what is in its way may be its own. */
const RETRY_MS = 60_000;
const ACCOUNTS_AT_ONCE = 4;
/** Entries of an account in a round: accounts that are erased later do not wait for all of its. */
const ENTRIES_PER_ROUND_MAX = 50 * ENTRIES_AT_ONCE;

/**
 * Empties what billing keeps of erased accounts, page by page; how far it came is written after each
 * page, so that the next leader goes on there. An account stays among the open ones for a day, and
 * while a lease of it waits for records: what settles late is emptied too.
 */
export function createEraseAccounts(options: EraseAccountsOptions): RepeatedWork {
  const { erasures, clock, logger, wakeup } = options;
  const retryTimes = createQuarantineTimes(clock, RETRY_MS);
  return {
    name: 'erase-accounts',
    intervalMs: INTERVAL_MS,
    restingMs: RESTING_MS,
    wakeup,
    async run(signal) {
      const listOpen = ({ after, limit }: PageStart<Erasure>) =>
        erasures.listOpen({ after: after?.accountId, limit });
      let isIdle = true;
      for await (const page of pagesOf(listOpen, ERASURES_PAGE, signal)) {
        await forEachConcurrently(
          page,
          { atOnceMax: ACCOUNTS_AT_ONCE, signal },
          async (erasure) => {
            const { accountId } = erasure;
            if (!retryTimes.isDue(accountId)) return;
            try {
              if (await eraseOne(options, erasure, signal)) isIdle = false;
              retryTimes.release(accountId);
            } catch (error) {
              retryTimes.add(accountId);
              if (isTransient(error)) throw error;
              logger.error({ accountId, error }, 'an account cannot be erased; others are');
            }
          },
        );
        if (signal.aborted) return undefined;
      }
      return isIdle ? NOTHING_FOUND : undefined;
    },
  };
}

/** True when there was something to empty in the ledger. */
async function eraseOne(
  { erasures, store, operations, clock }: EraseAccountsOptions,
  erasure: Erasure,
  signal: AbortSignal,
): Promise<boolean> {
  const { accountId, heardAtMs, throughSeq } = erasure;
  await erasures.removeAnswers(accountId);
  await erasures.blankClaims(accountId);
  const present = await store.find(accountId);
  // An entry that stands in the journal would come to the ledger with its texts.
  if ((present?.journal.length ?? 0) > 0) await operations.accounts.trim(accountId);
  const account = await store.find(accountId);
  // What stands in the journal now, or could not be stored, comes to the ledger later, with texts.
  const [waiting] = entriesOf(account?.journal ?? []);
  const lastSeq = waiting === undefined ? (account?.ledgerSeq ?? 0) : waiting.seq - 1;
  const roundSeq = Math.min(throughSeq + ENTRIES_PER_ROUND_MAX, lastSeq);
  for (let from = throughSeq; from < roundSeq; ) {
    if (signal.aborted) return true;
    const through = Math.min(from + ENTRIES_AT_ONCE, roundSeq);
    await erasures.blankEntries(accountId, from, through);
    await erasures.rememberProgress(erasure, through);
    from = through;
  }
  if (roundSeq < lastSeq) return true;
  // Last, because it waits for room in the journal.
  if (account?.thresholds !== undefined) await operations.thresholds.set(accountId, undefined);
  const isQuiet = account === undefined || (account.leases.size === 0 && !account.journal.length);
  if (isQuiet && heardAtMs + LATE_MS <= clock.now()) await erasures.end(erasure);
  return throughSeq < lastSeq;
}
