import { AppError, type Clock, createBoundedMap, isTransient } from '@tollgate/core';
import type { HandlerControl } from '@tollgate/events';
import { retryContended } from '@tollgate/mongo';
import { entriesByBucket, missingIncrement } from '../domain/bucket';
import { entriesAfter, entriesByAccount, type LedgerEntry } from '../domain/ledger-entry';
import type { FigureStore, Ledger } from '../domain/ports';
import { createBatchCommit, type ItemOutcome } from './batch-commit';

export interface ApplyLedgerOptions {
  readonly figureStore: FigureStore;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Least time between two batches that are not full, milliseconds. */
  readonly lingerMs: number;
  /** From so many waiting entries on they are applied at once. */
  readonly batchEntriesMax: number;
  /** How many sequences are remembered, of accounts and of buckets each. */
  readonly cachedSequencesMax: number;
}

/**
 * Adds ledger entries of any accounts, each exactly once: entries that are known are passed over, a
 * gap is filled from the ledger itself, and a bucket refuses what it already holds. Safe to repeat,
 * and to run beside another consumer of the same accounts.
 */
export type ApplyLedger = (
  entries: readonly LedgerEntry[],
  control: HandlerControl,
) => Promise<void>;

const GAP_PAGE = 200;
/** Gaps that are filled in one round, by one page each. */
const GAPS_AT_ONCE = 16;

interface Applier {
  readonly figureStore: FigureStore;
  readonly ledger: Ledger;
  /** By account. */
  readonly cursors: SequenceMemory;
  /** By bucket. */
  readonly buckets: SequenceMemory;
}

/** What one round adds: of each account the entries that follow its cursor. */
interface Round {
  readonly nextEntries: readonly (readonly LedgerEntry[])[];
  readonly cursors: ReadonlyMap<string, bigint>;
  /** Accounts of which neither the stream nor the ledger shows the next entry. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/** Entries of calls that come close together are added together, with a few store commands. */
export function createApplyLedger(options: ApplyLedgerOptions): ApplyLedger {
  const { figureStore, ledger, clock, lingerMs, cachedSequencesMax } = options;
  const applier: Applier = {
    figureStore,
    ledger,
    cursors: createSequenceMemory(cachedSequencesMax, (ids) => figureStore.cursors(ids)),
    buckets: createSequenceMemory(cachedSequencesMax, (ids) => figureStore.sequences(ids)),
  };
  const batches = createBatchCommit<LedgerEntry>({
    clock,
    lingerMs,
    itemsMax: options.batchEntriesMax,
    commit: (entries) => applyEach(applier, entries),
  });
  return (entries, control) => batches.add(entries, control);
}

/**
 * Adds entries of all accounts together. When what is stored of one of them is damaged, each is
 * added by itself, so that it fails alone. `isolate` of packages/jobs does not do: it tells of
 * faults only, and here other entries of the account may have to be offered again.
 */
async function applyEach(
  applier: Applier,
  entries: readonly LedgerEntry[],
): Promise<(entry: LedgerEntry) => ItemOutcome> {
  try {
    return await applyRound(applier, entries);
  } catch (error) {
    if (isTransient(error)) throw error;
    const accounts = entriesByAccount(entries);
    if (accounts.size === 1) return () => ({ failed: error });
    const outcomes = new Map<string, (entry: LedgerEntry) => ItemOutcome>();
    for (const [accountId, own] of accounts) {
      outcomes.set(accountId, await applyEach(applier, own));
    }
    return (entry) => outcomes.get(entry.accountId)?.(entry) ?? 'again';
  }
}

/** Adds what follows each account's cursor; an account with a gap may need more than one round. */
function applyRound(
  applier: Applier,
  entries: readonly LedgerEntry[],
): Promise<(entry: LedgerEntry) => ItemOutcome> {
  const accounts = entriesByAccount(entries);
  const attempt = async () => {
    const round = await planEntries(applier, accounts);
    return (await addOnce(applier, round.nextEntries)) ? toOutcomes(round) : undefined;
  };
  const failure = () =>
    new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'figures kept moving; try again' });
  return retryContended(attempt, { failure });
}

async function planEntries(
  { cursors, ledger }: Applier,
  accounts: ReadonlyMap<string, readonly LedgerEntry[]>,
): Promise<Round> {
  const places = await cursors.resolve([...accounts.keys()]);
  const nextEntries: (readonly LedgerEntry[])[] = [];
  const gaps: (() => Promise<void>)[] = [];
  const failures = new Map<string, unknown>();
  for (const [accountId, queue] of accounts) {
    const cursor = places.get(accountId) ?? 0n;
    const next = entriesAfter(cursor, queue);
    const target = queue.at(-1)?.seq ?? 0n;
    if (next.length > 0) nextEntries.push(next);
    else if (target > cursor) {
      gaps.push(async () => {
        try {
          nextEntries.push(await fillGap(ledger, accountId, cursor, queue));
        } catch (error) {
          failures.set(accountId, error);
        }
      });
    }
  }
  await Promise.all(gaps.slice(0, GAPS_AT_ONCE).map((fill) => fill()));
  return { nextEntries, cursors: places, failures };
}

/** The next page of the ledger and what of the stream follows it. */
async function fillGap(
  ledger: Ledger,
  accountId: string,
  cursor: bigint,
  queue: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  const page = await ledger.listAfter(accountId, cursor, GAP_PAGE);
  const next = entriesAfter(cursor, [...page, ...queue]);
  if (next.length > 0) return next;
  // Not retryable: the entry becomes a dead letter so that the partition goes on; the account's
  // next entry fills this gap.
  throw new AppError('INTERNAL_ERROR', {
    internalMessage: `the ledger of ${accountId} does not show entry ${cursor + 1n} yet`,
  });
}

/**
 * Adds lists of entries that each follow their account's cursor: first to the buckets, then to the
 * cursors, so that whatever happens between the two may be repeated. False when another consumer was
 * faster.
 */
async function addOnce(
  { figureStore, cursors, buckets }: Applier,
  nextEntries: readonly (readonly LedgerEntry[])[],
): Promise<boolean> {
  const reached = nextEntries.flatMap((next) => next.slice(-1));
  if (reached.length === 0) return true;
  const entries = entriesByBucket(nextEntries.flat());
  const stored = await buckets.resolve(entries.map(({ key }) => key.id));
  const increments = entries.flatMap(
    (bucket) => missingIncrement(bucket, stored.get(bucket.key.id) ?? 0n) ?? [],
  );
  // An entry that may not be stored is read again: a lost answer proves nothing.
  for (const { accountId } of reached) cursors.forget(accountId);
  for (const { id } of increments) buckets.forget(id);
  if (increments.length > 0 && !(await figureStore.add(increments))) return false;
  for (const { id, seq } of increments) buckets.remember(id, seq);
  await figureStore.setCursors(reached);
  for (const { accountId, seq } of reached) cursors.remember(accountId, seq);
  return true;
}

function toOutcomes({
  nextEntries,
  cursors,
  failures,
}: Round): (entry: LedgerEntry) => ItemOutcome {
  const reached = new Map(cursors);
  for (const next of nextEntries) {
    for (const { accountId, seq } of next.slice(-1)) reached.set(accountId, seq);
  }
  return ({ accountId, seq }) => {
    if (seq <= (reached.get(accountId) ?? 0n)) return 'done';
    return failures.has(accountId) ? { failed: failures.get(accountId) } : 'again';
  };
}

/**
 * Sequences that this process read or wrote. Sequences only grow, so a remembered one is at most
 * behind, when another consumer wrote; the store's guard finds that out, and it is forgotten.
 */
interface SequenceMemory {
  /** The sequence of every id; those not remembered are read together, 0 for what is not there. */
  resolve(ids: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  remember(id: string, seq: bigint): void;
  forget(id: string): void;
}

/** Remembers at most `sizeMax` sequences, the least recently used go first. */
function createSequenceMemory(
  sizeMax: number,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, bigint>>,
): SequenceMemory {
  const known = createBoundedMap<string, bigint>(sizeMax);
  return {
    async resolve(ids) {
      const resolved = new Map<string, bigint>();
      const unknown: string[] = [];
      for (const id of ids) {
        const seq = known.get(id);
        if (seq === undefined) unknown.push(id);
        else resolved.set(id, seq);
      }
      if (unknown.length === 0) return resolved;
      const found = await read(unknown);
      for (const id of unknown) {
        const seq = found.get(id) ?? 0n;
        known.set(id, seq);
        resolved.set(id, seq);
      }
      return resolved;
    },
    remember(id, seq) {
      known.set(id, seq);
    },
    forget(id) {
      known.delete(id);
    },
  };
}
