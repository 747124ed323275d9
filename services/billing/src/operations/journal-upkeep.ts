import { chunksOf, TurnoverMap } from '@tollgate/core';
import {
  createWakeup,
  forEachConcurrently,
  forEachFound,
  isolateOne,
  type NOTHING_FOUND,
  type PageStart,
  type Wakeup,
} from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { DatedAccount } from '../domain/ports';
import { DEFAULT_WRITER_BOUNDS } from './account-writer';
import type { AccountParts } from './dependencies';
import { journalOf, type StoreJournal } from './store-journal';

/**
 * Brings journals into the ledger and the outbox, and makes them short again. Whether listeners can
 * be reached decides only how much lies in the outbox.
 */
export interface JournalUpkeep {
  /** Something that this replica wrote is to be stored. */
  readonly isWaiting: boolean;
  /** Stores what this replica has written. */
  storeWritten(): Promise<void>;
  /** Trims journals that are long, or whose accounts rest; apart, so that storing waits for none. */
  trimDue(signal: AbortSignal): Promise<void>;
  /** Stores and trims what was left by replicas that are gone. */
  storeLeft(signal: AbortSignal): Promise<typeof NOTHING_FOUND | undefined>;
  /** Stores what this replica has written and takes no more; call it after the jobs have ended. */
  close(): Promise<void>;
  readonly wakeups: JournalWakeups;
}

/** What there is to do about journals. */
export interface JournalWakeups {
  /** This replica wrote something that is to be stored. */
  readonly written: Wakeup;
  /** One of these journals is long: it must not have to wait for company. */
  readonly long: Wakeup;
  /** A long journal was stored and can be trimmed. */
  readonly trimmable: Wakeup;
  /** The outbox has something new. */
  readonly stored: Wakeup;
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
}

export function createJournalUpkeep(deps: Dependencies): JournalUpkeep {
  const wakeups: JournalWakeups = {
    written: createWakeup(),
    long: createWakeup(),
    trimmable: createWakeup(),
    stored: createWakeup(),
  };
  const trimAccount = createTrimAccount(deps);
  const trims = createTrims(deps, wakeups);
  const written = createWritten(deps, trims, wakeups);
  return {
    wakeups,
    get isWaiting() {
      return written.isWaiting();
    },
    storeWritten: written.storeAll,
    trimDue: (signal) =>
      forEachConcurrently(trims.due(), { atOnceMax: TRIMS_AT_ONCE, signal }, trimAccount),
    storeLeft: createStoreLeft(deps, trimAccount),
    close: written.close,
  };
}

/**
 * Trims an account; one that fails by itself is quarantined. It is not released here: trimming also
 * succeeds when its journal could not be stored.
 */
function createTrimAccount({ accounts, quarantine }: Dependencies) {
  return (accountId: string) =>
    isolateOne(
      () => accounts.trim(accountId),
      (error) => quarantine.add(journalOf(accountId), error),
    );
}

type TrimAccount = ReturnType<typeof createTrimAccount>;

/** The journals that are long, or whose accounts rest. */
function createTrims({ clock, times }: Dependencies, wakeups: JournalWakeups) {
  const long = new Set<string>();
  /** When something was last added to each journal, the oldest first. */
  const addedMonotonicMs = new Map<string, number>();
  return {
    *due(): Generator<string> {
      for (;;) {
        const [next] = long;
        if (next !== undefined) {
          long.delete(next);
          yield next;
          continue;
        }
        const [oldest] = addedMonotonicMs;
        if (oldest === undefined || oldest[1] > clock.monotonicMs() - times.trimIdleMs) return;
        addedMonotonicMs.delete(oldest[0]);
        yield oldest[0];
      }
    },
    /** Something was added to the journal; it is trimmed when the account rests. */
    onAdded(accountId: string): void {
      addedMonotonicMs.delete(accountId);
      addedMonotonicMs.set(accountId, clock.monotonicMs());
      const [oldest] = addedMonotonicMs.keys();
      // A journal that is forgotten here is found among those that were left.
      if (addedMonotonicMs.size > RESTING_MAX && oldest !== undefined)
        addedMonotonicMs.delete(oldest);
    },
    /** All of the account's long journal is stored: it is trimmed now. */
    trimNow(accountId: string): void {
      long.add(accountId);
      wakeups.trimmable.wake();
    },
  };
}

/** Collects the accounts that this replica wrote, and stores them together. */
function createWritten(
  deps: Dependencies,
  trims: ReturnType<typeof createTrims>,
  wakeups: JournalWakeups,
) {
  const { accounts, storeJournal, logger, times } = deps;
  const written = new TurnoverMap<string, Account>();
  let isClosed = false;

  accounts.onAdded((account) => {
    if (isClosed || (written.size >= times.writtenMax && !written.has(account.id))) return;
    trims.onAdded(account.id);
    written.set(account.id, account);
    wakeups.written.wake();
    if (account.journal.length >= times.trimLength) wakeups.long.wake();
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
      wakeups.stored.wake();
      for (const { id, journal } of some) {
        if (journal.length >= times.trimLength) trims.trimNow(id);
      }
    }
  };

  return {
    isWaiting: () => written.size > 0,
    storeAll,
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
): JournalUpkeep['storeLeft'] {
  return (signal) => {
    const writtenUntilAtMs = clock.now() - times.leftAfterMs;
    const list = (page: PageStart<DatedAccount>) => store.listJournals(writtenUntilAtMs, page);
    const bounds = { pageSize: LEFT_PAGE, atOnceMax: TRIMS_AT_ONCE, signal };
    return forEachFound(list, bounds, async ({ accountId }) => {
      if (!quarantine.isWaiting(journalOf(accountId))) await trimAccount(accountId);
    });
  };
}
