import {
  AppError,
  type BoundedMap,
  backoffDelayMs,
  type Clock,
  createBoundedMap,
  delay,
} from '@tollgate/core';
import { type Account, type Change, emptyAccount } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import { journalAbove } from '../domain/journal';
import type { AccountStore } from '../domain/ports';
import type { BillingMetrics } from '../metrics';
import type { StoredNumbers, StoreJournal } from './store-journal';

/** One command on an account. It may run several times, each time on a fresher account. */
export interface AccountCommand<Outcome, Found = undefined> {
  /** Values from elsewhere, looked up after the account was read, so that the guard covers them. */
  readonly lookUp?: () => Promise<Found>;
  /** Answers the same account when there is nothing to write. */
  readonly apply: (account: Account, found: Found) => Change<Outcome>;
}

/** Bounds of the writer. */
export interface AccountWriterBounds {
  /** Accounts kept as input for the next command. */
  readonly cachedAccountsMax: number;
  /** Commands of one account that share a write. */
  readonly commandsPerWriteMax: number;
  /** Writes tried before a command gives up on a contended account. */
  readonly attemptsMax: number;
  /** Longest pause between two tries, milliseconds. */
  readonly retryDelayMsMax: number;
  /** A journal with so many items that are not known to be stored is stored before the write. */
  readonly journalLength: number;
}

export const DEFAULT_WRITER_BOUNDS: AccountWriterBounds = {
  cachedAccountsMax: 20_000,
  commandsPerWriteMax: 64,
  attemptsMax: 12,
  retryDelayMsMax: 200,
  journalLength: 16,
};

/** The one way in which accounts change. */
export interface AccountWriter {
  /**
   * Applies the command with one guarded write; none when the command changes nothing. Answers the
   * account as it was written, or as it was read when nothing was.
   */
  run<Outcome, Found = undefined>(
    accountId: string,
    command: AccountCommand<Outcome, Found>,
  ): Promise<Change<Outcome>>;
  /** Stores all of the account's journal and empties it, even if nothing else is to be written. */
  trim(accountId: string): Promise<void>;
  /** Hears every account to whose journal this writer added something. */
  onAdded(listener: (account: Account) => void): void;
}

interface Pending {
  readonly lookUp: () => Promise<unknown>;
  readonly apply: (account: Account, found: never) => Change<unknown>;
  readonly forcesTrim: boolean;
  readonly resolve: (change: Change<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

interface Dependencies {
  readonly store: AccountStore;
  readonly rules: AccountRules;
  readonly storedNumbers: StoredNumbers;
  readonly storeJournal: StoreJournal;
  readonly clock: Clock;
  readonly metrics: BillingMetrics;
  readonly bounds: AccountWriterBounds;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** A writer's state between its writes. */
interface WriterState extends Dependencies {
  readonly cache: BoundedMap<string, Account>;
  /**
   * Accounts whose copy here was stale, because another replica writes them too, each with how often
   * in a row it was current since. One that stands here is read before each write, until its copy was
   * current `CURRENT_COPIES_TRUSTED` times.
   */
  readonly distrusted: BoundedMap<string, number>;
  readonly listeners: ((account: Account) => void)[];
}

interface PreparedWrite {
  readonly base: Account;
  /** The account to be written; the base itself when nothing changes. */
  readonly next: Account;
  /** Answers every command of the group. */
  readonly answer: (written: Account) => void;
}

const RETRY_INITIAL_MS = 2;
/** A copy that was current so often in a row is written over again without a look at the store. */
const CURRENT_COPIES_TRUSTED = 2;

/**
 * The account without what is stored. What other replicas added is stored here when there is much
 * of it, so that a journal stays short with any writer of the account, and without a leader.
 */
async function storeAndTrim(
  state: WriterState,
  base: Account,
  storesAll: boolean,
): Promise<Account> {
  const { rules, storedNumbers, bounds, storeJournal } = state;
  const unstored = journalAbove(base, storedNumbers.ofCurrent(base)).length;
  // A command does not wait for the job that stores it already: the next write drops it.
  const isBeingStored = !storesAll && storeJournal.isUnderWay(base.id);
  if (!isBeingStored && unstored >= (storesAll ? 1 : bounds.journalLength)) {
    const storing = storeJournal([base]);
    // A command has to be answered also when the journal cannot become shorter now.
    await (storesAll ? storing : storing.catch(() => {}));
  }
  return rules.trimJournal(base, storedNumbers.ofCurrent(base));
}

/** Chains the commands over the base; a command that throws fails alone. */
async function prepare(
  state: WriterState,
  base: Account,
  group: readonly Pending[],
): Promise<PreparedWrite> {
  const trims = group.some(({ forcesTrim }) => forcesTrim);
  const trimmed = await storeAndTrim(state, base, trims);
  let next = trimmed;
  const answers: ((written: Account) => void)[] = [];
  for (const pending of group) {
    try {
      // A command takes what its own look-up finds.
      const found = await pending.lookUp();
      const change = pending.apply(next, found as never);
      next = change.account;
      answers.push((account) => pending.resolve({ account, outcome: change.outcome }));
    } catch (error) {
      answers.push(() => pending.reject(error));
    }
  }
  return {
    base,
    next: next === trimmed && !trims ? base : next,
    answer: (written) => {
      for (const tell of answers) tell(written);
    },
  };
}

/** What can be written over without a look at the store. */
function trustedCopy({ cache, distrusted }: WriterState, accountId: string): Account | undefined {
  return distrusted.get(accountId) === undefined ? cache.get(accountId) : undefined;
}

async function read(state: WriterState, accountId: string): Promise<Account> {
  const { store, cache, distrusted } = state;
  const account = (await store.find(accountId)) ?? emptyAccount(accountId);
  const before = distrusted.get(accountId);
  if (before !== undefined) {
    const timesCurrent = cache.get(accountId)?.rev === account.rev ? before + 1 : 0;
    if (timesCurrent < CURRENT_COPIES_TRUSTED) distrusted.set(accountId, timesCurrent);
    else distrusted.delete(accountId);
  }
  if (account.rev > 0) cache.set(accountId, account);
  return account;
}

/** The account as written, or undefined when the guard missed; then no copy is trusted any more. */
async function write(
  state: WriterState,
  { base, next }: PreparedWrite,
): Promise<Account | undefined> {
  const { store, cache, clock } = state;
  const written = { ...next, rev: base.rev + 1, updatedAtMs: clock.now() };
  cache.delete(base.id);
  const isNew = base.rev === 0;
  const done = await (isNew ? store.create(written) : store.replace(written, base.rev));
  if (!done) return undefined;
  cache.set(base.id, written);
  if (written.journalNo > base.journalNo) {
    for (const listener of state.listeners) listener(written);
  }
  return written;
}

/** Applies the group with one write; rejects when the store fails or others are always faster. */
async function commit(
  state: WriterState,
  accountId: string,
  group: readonly Pending[],
): Promise<void> {
  const { cache, distrusted, bounds, metrics, clock } = state;
  for (let misses = 0; misses < bounds.attemptsMax; ) {
    const cached = trustedCopy(state, accountId);
    const prepared = await prepare(state, cached ?? (await read(state, accountId)), group);
    if (prepared.next === prepared.base) {
      if (cached === undefined) return prepared.answer(prepared.base);
      // A refusal or a repeat is answered from the store, never from a copy that may be stale.
      cache.delete(accountId);
      continue;
    }
    const written = await write(state, prepared);
    if (written !== undefined) return prepared.answer(written);
    metrics.guardMisses.inc();
    distrusted.set(accountId, 0);
    // A stale copy is no contention: the fresh account may be tried at once.
    if (cached !== undefined) continue;
    const backoff = { initialMs: RETRY_INITIAL_MS, maxMs: bounds.retryDelayMsMax };
    await delay(clock, backoffDelayMs(backoff, misses, state.random));
    misses += 1;
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: `account ${accountId} is contended: ${bounds.attemptsMax} guards missed`,
    retryAfterMs: bounds.retryDelayMsMax,
  });
}

/**
 * Commands of one account run one after another, and those that arrive during a write share the
 * next one: their pure functions are chained over the same account. The account that was last
 * written here is the input of the next command; a stale one costs a missed guard, never a wrong
 * result, because nothing is answered from it unless a guarded write proved it current. After a
 * missed guard the account is read first: a read costs less than a write that comes too late.
 */
export function createAccountWriter(deps: Dependencies): AccountWriter {
  const { bounds } = deps;
  const cache: BoundedMap<string, Account> = createBoundedMap(bounds.cachedAccountsMax);
  const distrusted: BoundedMap<string, number> = createBoundedMap(bounds.cachedAccountsMax);
  const state: WriterState = { ...deps, cache, distrusted, listeners: [] };
  const queue = createKeyedQueue<Pending>(bounds.commandsPerWriteMax, async (accountId, group) => {
    try {
      await commit(state, accountId, group);
    } catch (error) {
      // Whether the write happened is not known: the next command starts from the store.
      cache.delete(accountId);
      for (const { reject } of group) reject(error);
    }
  });

  const run = <Outcome, Found>(
    accountId: string,
    command: AccountCommand<Outcome, Found>,
    forcesTrim: boolean,
  ): Promise<Change<Outcome>> =>
    new Promise((resolve, reject) => {
      queue.push(accountId, {
        lookUp: command.lookUp ?? (() => Promise.resolve(undefined)),
        apply: command.apply,
        forcesTrim,
        // The outcome that comes back is the one that this command's own function answered.
        resolve: (change) => resolve(change as Change<Outcome>),
        reject,
      });
    });

  return {
    run: (accountId, command) => run(accountId, command, false),
    async trim(accountId) {
      await run(accountId, { apply: (account) => ({ account, outcome: undefined }) }, true);
    },
    onAdded: (listener) => {
      state.listeners.push(listener);
    },
  };
}

/** Work that is done one after another for each key, and side by side for different ones. */
interface KeyedQueue<Item> {
  push(key: string, item: Item): void;
}

/**
 * Hands the items of a key on in order; those that arrive while the handler is busy go together, at
 * most `groupMax` at once. The handler answers for its items and never rejects.
 */
function createKeyedQueue<Item>(
  groupMax: number,
  handle: (key: string, group: readonly Item[]) => Promise<void>,
): KeyedQueue<Item> {
  const queues = new Map<string, Item[]>();

  const drain = async (key: string, queue: Item[]): Promise<void> => {
    while (queue.length > 0) await handle(key, queue.splice(0, groupMax));
    queues.delete(key);
  };

  return {
    push(key, item) {
      const waiting = queues.get(key);
      if (waiting !== undefined) {
        waiting.push(item);
        return;
      }
      const queue = [item];
      queues.set(key, queue);
      void drain(key, queue);
    },
  };
}
