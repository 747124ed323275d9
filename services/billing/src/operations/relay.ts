import { type Clock, delay, type Logger, type Timer } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AccountStore, DatedAccount } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import { eachAtOnce } from './at-once';
import type { PublishOutbox } from './publish-outbox';
import { isAway, type Quarantine } from './quarantine';
import { journalQuarantineId, type StoreJournal } from './store-journal';

/** Time spans and bounds of the relay. */
export interface RelayTimes {
  /** Longest wait of an item before it is brought into the ledger and the outbox, milliseconds. */
  readonly delayMs: number;
  /** Between two looks for what other instances put into the outbox, milliseconds. */
  readonly scanIntervalMs: number;
  /** A stored journal of this length is trimmed by a write of its own. */
  readonly trimLength: number;
  /** So is one whose account was not written for so long, milliseconds. */
  readonly trimIdleMs: number;
  /** Whatever is in a journal after so long was left by an instance that is gone, milliseconds. */
  readonly leftAfterMs: number;
  /** Written accounts that wait at most; the others are stored with their next write. */
  readonly offersMax: number;
  /** Between two tries of what is set apart, milliseconds. */
  readonly quarantineRetryMs: number;
}

export const DEFAULT_RELAY_TIMES: RelayTimes = {
  delayMs: 25,
  scanIntervalMs: 1_000,
  trimLength: 64,
  trimIdleMs: 5_000,
  leftAfterMs: 20_000,
  offersMax: 2_000,
  quarantineRetryMs: 60_000,
};

/**
 * Brings journals into the ledger and the outbox, on every instance, and the outbox to the
 * listeners, on the one that leads. Whether listeners can be reached decides only how much lies in
 * the outbox.
 */
export interface Relay {
  /** Publishes, and stores what others left, until the signal aborts. */
  lead(signal: AbortSignal): Promise<void>;
  /** Stores what this instance has written, and stops to look for more. */
  close(): Promise<void>;
}

interface Dependencies {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly storeJournal: StoreJournal;
  readonly publishOutbox: PublishOutbox;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times: RelayTimes;
}

const LEFT_PAGE = 200;
/** Accounts stored together: each brings a few items, and a command has a size limit. */
const ACCOUNTS_AT_ONCE = 50;
/** Accounts trimmed at the same time, each with a write of its own. */
const TRIMS_AT_ONCE = 16;
/** Accounts that wait until they rest. */
const RESTING_MAX = 100_000;

/** Trims an account; one that fails by itself is set apart. */
function createTrim({ accounts, quarantine }: Dependencies) {
  return async (accountId: string): Promise<void> => {
    try {
      await accounts.trim(accountId);
    } catch (error) {
      if (isAway(error)) throw error;
      await quarantine.setApart(journalQuarantineId(accountId), accountId, error);
    }
  };
}

type Trim = ReturnType<typeof createTrim>;

/**
 * Trims journals that are long, or whose accounts rest: several at once, and apart from storing,
 * which nobody's trimming may hold up.
 */
function createTrims({ clock, logger, times }: Dependencies, trim: Trim) {
  const long = new Set<string>();
  /** When each account was posted to last, the oldest first. */
  const posted = new Map<string, number>();
  const closing = new AbortController();
  const { signal } = closing;
  let running: Promise<void> | undefined;
  let wake: Timer | undefined;

  function* due(): Generator<string> {
    for (;;) {
      const [next] = long;
      if (next !== undefined) {
        long.delete(next);
        yield next;
        continue;
      }
      const [oldest] = posted;
      if (oldest === undefined || oldest[1] > clock.monotonicMs() - times.trimIdleMs) return;
      posted.delete(oldest[0]);
      yield oldest[0];
    }
  }

  const work = (): void => {
    wake?.cancel();
    wake = undefined;
    running ??= eachAtOnce(due(), { atOnceMax: TRIMS_AT_ONCE, signal }, trim)
      .catch((error: unknown) => {
        logger.warn({ error }, 'journals could not be trimmed and will be tried again');
      })
      .then(() => {
        running = undefined;
        scheduleNext();
      });
  };

  const scheduleNext = (): void => {
    if (signal.aborted || wake !== undefined || long.size + posted.size === 0) return;
    wake = clock.schedule(times.scanIntervalMs, work);
  };

  return {
    /** The account was posted to; it is trimmed when it rests. */
    onPosted(accountId: string): void {
      posted.delete(accountId);
      posted.set(accountId, clock.monotonicMs());
      const [oldest] = posted.keys();
      // Whoever looks for journals that were left finds it.
      if (posted.size > RESTING_MAX && oldest !== undefined) posted.delete(oldest);
      scheduleNext();
    },
    /** All of the account's long journal is stored: it is trimmed now. */
    trimNow(accountId: string): void {
      if (signal.aborted) return;
      long.add(accountId);
      work();
    },
    /** Begins no further one, and waits for those that are under way. */
    async close(): Promise<void> {
      closing.abort();
      wake?.cancel();
      await running;
    },
  };
}

/** Collects the accounts that this instance wrote, stores them together soon after, and trims. */
function createOffers(dependencies: Dependencies, trim: Trim, onStored: () => void) {
  const { accounts, storeJournal, clock, logger, times } = dependencies;
  const trims = createTrims(dependencies, trim);
  const offers = new Map<string, Account>();
  let running: Promise<void> = Promise.resolve();
  let open = true;
  let wake: Timer | undefined;

  const storeOffers = async (): Promise<void> => {
    const taken = [...offers.values()];
    offers.clear();
    for (let start = 0; start < taken.length; start += ACCOUNTS_AT_ONCE) {
      const some = taken.slice(start, start + ACCOUNTS_AT_ONCE);
      try {
        await storeJournal(some);
      } catch (error) {
        for (const account of taken.slice(start)) {
          if (!offers.has(account.id)) offers.set(account.id, account);
        }
        throw error;
      }
      onStored();
      for (const { id, journal } of some) {
        if (journal.length >= times.trimLength) trims.trimNow(id);
      }
    }
  };

  const work = (): Promise<void> => {
    wake = undefined;
    running = running
      .then(storeOffers)
      .catch((error: unknown) => {
        logger.warn({ error }, 'journals could not be stored and will be tried again');
      })
      .then(scheduleNext);
    return running;
  };

  const scheduleNext = (): void => {
    if (!open || wake !== undefined || offers.size === 0) return;
    wake = clock.schedule(times.scanIntervalMs, work);
  };

  const workIn = (delayMs: number): void => {
    wake?.cancel();
    wake = clock.schedule(delayMs, work);
  };

  accounts.onPosted((account) => {
    if (!open) return;
    const isFirst = offers.size === 0;
    if (offers.size >= times.offersMax && !offers.has(account.id)) return;
    trims.onPosted(account.id);
    offers.set(account.id, account);
    // A journal that fills must not have to wait for company.
    if (account.journal.length >= times.trimLength) workIn(0);
    else if (isFirst) workIn(times.delayMs);
  });

  return {
    /** Stores what is left; it waits in the journals anyway if that fails. */
    async close() {
      open = false;
      wake?.cancel();
      await Promise.all([work(), trims.close()]);
    },
  };
}

/** Looks for journals that nobody has stored for long, and stores and trims them. */
function createLeftScan({ store, clock, quarantine, times }: Dependencies, trim: Trim) {
  return async (signal: AbortSignal): Promise<void> => {
    const writtenUntil = clock.now() - times.leftAfterMs;
    let after: DatedAccount | undefined;
    do {
      const page = await store.listJournals(writtenUntil, { after, limit: LEFT_PAGE });
      const left = page
        .map(({ accountId }) => accountId)
        .filter((accountId) => !quarantine.isApart(journalQuarantineId(accountId)));
      await eachAtOnce(left, { atOnceMax: TRIMS_AT_ONCE, signal }, trim);
      if (signal.aborted) return;
      after = page.length < LEFT_PAGE ? undefined : page.at(-1);
    } while (after !== undefined);
    await quarantine.count();
  };
}

/** A pause that can be ended from outside. */
function createPause(clock: Clock) {
  let waiting: AbortController | undefined;
  return {
    end: () => waiting?.abort(),
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      waiting = new AbortController();
      await delay(clock, ms, AbortSignal.any([signal, waiting.signal])).catch(() => {});
      waiting = undefined;
    },
  };
}

export function createRelay(dependencies: Dependencies): Relay {
  const { publishOutbox, clock, logger, times } = dependencies;
  const pause = createPause(clock);
  const trim = createTrim(dependencies);
  const offers = createOffers(dependencies, trim, pause.end);
  const scanLeft = createLeftScan(dependencies, trim);

  const publishUntil = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await publishOutbox.run(signal);
        await pause.wait(times.scanIntervalMs, signal);
      } catch (error) {
        logger.warn({ error }, 'the ledger could not be published now; the outbox keeps it');
        await delay(clock, times.scanIntervalMs, signal).catch(() => {});
      }
    }
  };

  const scanUntil = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await scanLeft(signal);
      } catch (error) {
        logger.warn({ error }, 'journals that others left could not be looked for');
      }
      await delay(clock, times.leftAfterMs / 4, signal).catch(() => {});
    }
  };

  return {
    async lead(signal) {
      await Promise.all([publishUntil(signal), scanUntil(signal)]);
    },
    close: () => offers.close(),
  };
}
