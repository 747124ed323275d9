import { chunksOf, TurnoverMap } from '@tollgate/core';
import {
  createWakeup,
  forEachConcurrently,
  forEachFound,
  isolateOne,
  type PageStart,
  type RepeatedWork,
} from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { DatedAccount } from '../domain/ports';
import { DEFAULT_WRITER_BOUNDS } from '../operations/account-writer';
import type { AccountParts } from '../operations/dependencies';
import { journalQuarantineId, type StoreJournal } from '../operations/journal';

/**
 * Brings journals into the ledger and the outbox. Whether listeners can be reached decides only how
 * much lies in the outbox.
 */
export interface JournalJobs {
  /** Every replica stores what it has written, soon after. */
  readonly storeWritten: RepeatedWork;
  /** Every replica trims the long journals and those of accounts that rest. */
  readonly trim: RepeatedWork;
  /** The leader stores and trims what was left by replicas that are gone. */
  readonly storeLeft: RepeatedWork;
  /** Stores what this replica has written and takes no more; call it after the jobs have ended. */
  close(): Promise<void>;
}

/** Time spans and bounds of what is done about journals. */
export interface JournalTimes {
  /** Longest wait of an item before it is brought into the ledger and the outbox, milliseconds. */
  readonly delayMs: number;
  /** Between two looks for what other replicas put into the outbox, milliseconds. */
  readonly scanIntervalMs: number;
  /** A stored journal of this length is trimmed by a write of its own. */
  readonly trimLength: number;
  /** So is one whose account was not written for so long, milliseconds. */
  readonly trimIdleMs: number;
  /** Whatever is in a journal after so long was left by a replica that is gone, milliseconds. */
  readonly leftAfterMs: number;
  /**
   * Written accounts that wait at most; the others are stored with their next write, or as left. As
   * many as the writer keeps, so that waiting holds nothing in memory that is not there anyway.
   */
  readonly writtenMax: number;
}

export const DEFAULT_JOURNAL_TIMES: JournalTimes = {
  delayMs: 250,
  scanIntervalMs: 1_000,
  trimLength: 64,
  trimIdleMs: 5_000,
  leftAfterMs: 20_000,
  writtenMax: DEFAULT_WRITER_BOUNDS.cachedAccountsMax,
};

const LEFT_PAGE = 200;
/** Accounts stored together: each brings a few items, and a command of the store has a size limit. */
const ACCOUNTS_AT_ONCE = 50;
/** Accounts trimmed at the same time, each with a write of its own. */
const TRIMS_AT_ONCE = 16;
/** Accounts that wait until they rest. */
const RESTING_MAX = 100_000;

interface Dependencies extends AccountParts {
  readonly storeJournal: StoreJournal;
  readonly times: JournalTimes;
  /** The outbox has something new. */
  readonly onStored: () => void;
}

export function createJournalJobs(deps: Dependencies): JournalJobs {
  const trimAccount = createTrimAccount(deps);
  const trims = createTrimJob(deps, trimAccount);
  const written = createWritten(deps, trims);
  return {
    storeWritten: written.job,
    trim: trims.job,
    storeLeft: createStoreLeft(deps, trimAccount),
    close: written.close,
  };
}

/** Trims an account; one that fails by itself is quarantined. */
function createTrimAccount({ accounts, quarantine }: Dependencies) {
  return (accountId: string): Promise<void> =>
    isolateOne(
      () => accounts.trim(accountId),
      (error) => quarantine.add(journalQuarantineId(accountId), accountId, error),
    );
}

type TrimAccount = ReturnType<typeof createTrimAccount>;

/**
 * Trims journals that are long, or whose accounts rest: several at once, and apart from storing,
 * which nobody's trimming may hold up.
 */
function createTrimJob({ clock, times }: Dependencies, trimAccount: TrimAccount) {
  const long = new Set<string>();
  /** When each account was posted to last, the oldest first. */
  const postedMonotonicMs = new Map<string, number>();
  const wakeup = createWakeup();

  function* due(): Generator<string> {
    for (;;) {
      const [next] = long;
      if (next !== undefined) {
        long.delete(next);
        yield next;
        continue;
      }
      const [oldest] = postedMonotonicMs;
      if (oldest === undefined || oldest[1] > clock.monotonicMs() - times.trimIdleMs) return;
      postedMonotonicMs.delete(oldest[0]);
      yield oldest[0];
    }
  }

  const job: RepeatedWork = {
    name: 'trim-journals',
    intervalMs: times.scanIntervalMs,
    wakeup,
    run: (signal) => forEachConcurrently(due(), { atOnceMax: TRIMS_AT_ONCE, signal }, trimAccount),
  };
  return {
    job,
    /** The account was posted to; it is trimmed when it rests. */
    onPosted(accountId: string): void {
      postedMonotonicMs.delete(accountId);
      postedMonotonicMs.set(accountId, clock.monotonicMs());
      const [oldest] = postedMonotonicMs.keys();
      // A journal that is forgotten here is found among those that were left.
      if (postedMonotonicMs.size > RESTING_MAX && oldest !== undefined)
        postedMonotonicMs.delete(oldest);
    },
    /** All of the account's long journal is stored: it is trimmed now. */
    trimNow(accountId: string): void {
      long.add(accountId);
      wakeup.wake();
    },
  };
}

/** Collects the accounts that this replica wrote, stores them together soon after, and trims. */
function createWritten(deps: Dependencies, trims: ReturnType<typeof createTrimJob>) {
  const { accounts, storeJournal, clock, logger, times, onStored } = deps;
  const written = new TurnoverMap<string, Account>();
  const somethingToStore = createWakeup();
  const enoughToStore = createWakeup();
  let isClosed = false;

  accounts.onPosted((account) => {
    if (isClosed || (written.size >= times.writtenMax && !written.has(account.id))) return;
    trims.onPosted(account.id);
    written.set(account.id, account);
    somethingToStore.wake();
    // A journal that fills must not have to wait for company.
    if (account.journal.length >= times.trimLength) enoughToStore.wake();
  });

  const storeAll = async (): Promise<void> => {
    const taken = [...written.values()];
    written.clear();
    let stored = 0;
    for (const some of chunksOf(taken, ACCOUNTS_AT_ONCE)) {
      try {
        await storeJournal(some);
      } catch (error) {
        for (const account of taken.slice(stored)) {
          if (!written.has(account.id)) written.set(account.id, account);
        }
        throw error;
      }
      stored += some.length;
      onStored();
      for (const { id, journal } of some) {
        if (journal.length >= times.trimLength) trims.trimNow(id);
      }
    }
  };

  const job: RepeatedWork = {
    name: 'store-journals',
    intervalMs: times.scanIntervalMs,
    wakeup: somethingToStore,
    async run(signal) {
      if (written.size === 0) return;
      await enoughToStore.pause(clock, times.delayMs, signal);
      enoughToStore.clear();
      await storeAll();
    },
  };
  return {
    job,
    async close(): Promise<void> {
      isClosed = true;
      await storeAll().catch((error: unknown) => {
        logger.warn({ error }, 'journals could not be stored at the stop; the leader will');
      });
    },
  };
}

/** Looks for journals that nobody has stored for long, and stores and trims them. */
function createStoreLeft(
  { store, clock, quarantine, times }: Dependencies,
  trimAccount: TrimAccount,
): RepeatedWork {
  return {
    name: 'store-left-journals',
    intervalMs: times.leftAfterMs / 4,
    restingMs: times.leftAfterMs,
    async run(signal) {
      const writtenUntilAtMs = clock.now() - times.leftAfterMs;
      const list = (page: PageStart<DatedAccount>) => store.listJournals(writtenUntilAtMs, page);
      const bounds = { pageSize: LEFT_PAGE, atOnceMax: TRIMS_AT_ONCE, signal };
      const found = await forEachFound(list, bounds, async ({ accountId }) => {
        if (!quarantine.has(journalQuarantineId(accountId))) await trimAccount(accountId);
      });
      if (!signal.aborted) await quarantine.count();
      return found;
    },
  };
}
