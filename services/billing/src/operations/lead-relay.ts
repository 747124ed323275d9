import { type Clock, delay, type Logger, type Timer } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AccountStore, JournalHead, RelayMarks } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import type { RelayJournal } from './relay-journal';

/** Time spans and bounds of the relay. */
export interface RelayTimes {
  /** Longest wait of an item that this process wrote itself, milliseconds. */
  readonly delayMs: number;
  /** Between two looks for what other processes wrote, milliseconds. */
  readonly scanIntervalMs: number;
  /** Between two looks at every journal, milliseconds. */
  readonly fullScanIntervalMs: number;
  /** How far another process's clock may lag behind, milliseconds. */
  readonly clockSkewMsMax: number;
  /** A journal of this length is trimmed by a write of its own. */
  readonly trimLength: number;
  /** So is a relayed journal whose account was not written for so long, milliseconds. */
  readonly trimIdleMs: number;
  /** Written accounts that wait for the relay at most; the others are found by the scan. */
  readonly offersMax: number;
}

export const DEFAULT_RELAY_TIMES: RelayTimes = {
  delayMs: 25,
  scanIntervalMs: 1_000,
  fullScanIntervalMs: 30_000,
  clockSkewMsMax: 3_000,
  trimLength: 500,
  trimIdleMs: 60_000,
  offersMax: 2_000,
};

/** Runs the relay on the instance that leads. */
export interface RelayLeader {
  /** Relays until the signal aborts; a failure is retried after the scan interval. */
  lead(signal: AbortSignal): Promise<void>;
}

interface Dependencies {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly relay: RelayJournal;
  readonly marks: RelayMarks;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times: RelayTimes;
}

const HEADS_PAGE = 1_000;
/** Accounts read at once; each may bring a thousand items. */
const ACCOUNTS_PAGE = 50;

/** Runs passes one at a time, so that the items of an account reach the listeners in order. */
function createPasses({ accounts, relay, times }: Dependencies) {
  let running: Promise<void> = Promise.resolve();

  const runPass = async (batch: () => Promise<readonly Account[]> | readonly Account[]) => {
    const chosen = await batch();
    await relay(chosen);
    for (const { id, journal } of chosen) {
      if (journal.length >= times.trimLength) await accounts.trim(id);
    }
  };

  return (batch: () => Promise<readonly Account[]> | readonly Account[]): Promise<void> => {
    const pass = running.then(() => runPass(batch));
    running = pass.catch(() => {});
    return pass;
  };
}

type Pass = ReturnType<typeof createPasses>;

/** Collects the accounts that this process wrote, and relays them together soon after. */
function createOffers({ accounts, marks, clock, logger, times }: Dependencies, pass: Pass) {
  const offers = new Map<string, Account>();
  let open = false;
  let wake: Timer | undefined;

  const take = (): readonly Account[] => {
    const taken = [...offers.values()];
    offers.clear();
    return taken;
  };

  const flush = () => {
    wake = undefined;
    pass(take).catch((error: unknown) => {
      logger.warn({ error }, 'the journal relay failed and will try again');
    });
  };

  const flushNow = () => {
    wake?.cancel();
    flush();
  };

  accounts.onWritten((account) => {
    if (!open || account.journal.length === 0) return;
    if (account.journalNo <= marks.relayedNo(account.id)) return;
    if (offers.size >= times.offersMax && !offers.has(account.id)) return;
    offers.set(account.id, account);
    const waiting = account.journalNo - marks.relayedNo(account.id);
    // A journal that fills must not have to wait for company.
    if (waiting >= times.trimLength / 2) flushNow();
    else wake ??= clock.schedule(times.delayMs, flush);
  });

  return {
    open: () => {
      open = true;
    },
    /** Relays what is left; it waits in the journals anyway if that fails. */
    async close() {
      open = false;
      wake?.cancel();
      wake = undefined;
      await pass(take).catch(() => {});
    },
  };
}

/** Looks for journals that were written at or after a time, and relays or trims them. */
function createScan({ store, accounts, marks, clock, times }: Dependencies, pass: Pass) {
  const isRelayed = ({ accountId, journalNo }: JournalHead) =>
    journalNo <= marks.relayedNo(accountId);

  const scanPage = async (changedSince: number, after: string | undefined) => {
    const heads = await store.listJournals(changedSince, { after, limit: HEADS_PAGE });
    const due = heads.filter((head) => !isRelayed(head)).map(({ accountId }) => accountId);
    for (let start = 0; start < due.length; start += ACCOUNTS_PAGE) {
      await pass(() => store.readMany(due.slice(start, start + ACCOUNTS_PAGE)));
    }
    const idleSince = clock.now() - times.trimIdleMs;
    for (const head of heads) {
      if (head.changedAt <= idleSince && isRelayed(head)) await accounts.trim(head.accountId);
    }
    return heads.length < HEADS_PAGE ? undefined : heads.at(-1)?.accountId;
  };

  return async (changedSince: number, signal: AbortSignal): Promise<void> => {
    let after: string | undefined;
    do {
      after = await scanPage(changedSince, after);
    } while (after !== undefined && !signal.aborted);
  };
}

/**
 * What this process writes reaches the relay without a read; what others write is found by looking
 * for journals that changed lately, and at longer intervals at every journal.
 */
export function createRelayLeader(dependencies: Dependencies): RelayLeader {
  const { clock, logger, times } = dependencies;
  const pass = createPasses(dependencies);
  const offers = createOffers(dependencies, pass);
  const scan = createScan(dependencies, pass);
  return {
    async lead(signal) {
      offers.open();
      let fullScanAt = Number.NEGATIVE_INFINITY;
      while (!signal.aborted) {
        const startedAt = clock.monotonicMs();
        const full = startedAt >= fullScanAt;
        try {
          await scan(full ? 0 : clock.now() - times.clockSkewMsMax, signal);
          if (full) fullScanAt = startedAt + times.fullScanIntervalMs;
        } catch (error) {
          logger.warn({ error }, 'the journal scan failed and will try again');
        }
        await delay(clock, times.scanIntervalMs, signal).catch(() => {});
      }
      await offers.close();
    },
  };
}
