import { AppError } from '@tollgate/core';
import { bucketStart, GRANULARITIES } from '../domain/bucket';
import type { BucketIncrement, BucketKey, FigureStore, Ledger } from '../domain/ports';
import {
  addFigures,
  dimensionsOf,
  emptyFigures,
  figuresOf,
  type UsageFact,
} from '../domain/usage-figures';

/** What the operation works with. */
export interface ApplyLedgerOptions {
  readonly figures: FigureStore;
  readonly ledger: Ledger;
}

const GAP_PAGE = 200;
const ATTEMPTS = 5;

/**
 * Adds ledger entries of any accounts, each exactly once: entries that are known are passed over, a
 * gap is filled from the ledger itself, and a bucket refuses what it already holds. Safe to repeat.
 */
export async function applyLedger(
  options: ApplyLedgerOptions,
  facts: readonly UsageFact[],
): Promise<void> {
  const accounts = new Map<string, UsageFact[]>();
  for (const fact of facts) {
    const queue = accounts.get(fact.accountId);
    if (queue === undefined) accounts.set(fact.accountId, [fact]);
    else queue.push(fact);
  }
  for (const [accountId, queue] of accounts) await applyAccount(options, accountId, queue);
}

async function applyAccount(
  options: ApplyLedgerOptions,
  accountId: string,
  facts: readonly UsageFact[],
): Promise<void> {
  const { figures, ledger } = options;
  let cursor = await figures.cursor(accountId);
  const ordered = [...facts].sort((a, b) => (a.seq < b.seq ? -1 : 1));
  const target = ordered.at(-1)?.seq ?? cursor;
  let pending = ordered;
  while (cursor < target) {
    const next = takeContiguous(pending, cursor);
    pending = next.rest;
    const batch =
      next.batch.length > 0 ? next.batch : await ledger.listAfter(accountId, cursor, GAP_PAGE);
    const last = batch.at(-1);
    if (last === undefined || batch[0]?.seq !== cursor + 1n) {
      throw new AppError('SERVICE_UNAVAILABLE', {
        internalMessage: `the ledger of ${accountId} does not show entry ${cursor + 1n} yet`,
      });
    }
    await addOnce(figures, batch);
    cursor = last.seq;
    await figures.setCursor(accountId, cursor, last.atMs);
  }
}

/** The run of entries that follows the cursor without a gap, and what is left after it. */
function takeContiguous(
  facts: readonly UsageFact[],
  cursor: bigint,
): { readonly batch: readonly UsageFact[]; readonly rest: UsageFact[] } {
  const batch: UsageFact[] = [];
  let expected = cursor + 1n;
  let index = 0;
  for (; index < facts.length; index += 1) {
    const fact = facts[index];
    if (fact === undefined || fact.seq > expected) break;
    if (fact.seq < expected) continue;
    batch.push(fact);
    expected += 1n;
  }
  return { batch, rest: facts.slice(index) };
}

/** Adds a contiguous run to its buckets; a bucket that moved meanwhile is read again. */
async function addOnce(figures: FigureStore, batch: readonly UsageFact[]): Promise<void> {
  const groups = groupByBucket(batch);
  if (groups.length === 0) return;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const sequences = await figures.sequences(groups.map((group) => group.key));
    const increments = groups.flatMap((group, index) =>
      toIncrement(group.key, group.facts, sequences[index] ?? 0n),
    );
    if (increments.length === 0 || (await figures.add(increments))) return;
  }
  throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'figures kept moving; try again' });
}

interface BucketGroup {
  readonly key: BucketKey;
  readonly facts: readonly UsageFact[];
}

function groupByBucket(batch: readonly UsageFact[]): readonly BucketGroup[] {
  const groups = new Map<string, { key: BucketKey; facts: UsageFact[] }>();
  for (const fact of batch) {
    const dimensions = dimensionsOf(fact);
    if (dimensions === undefined) continue;
    for (const granularity of GRANULARITIES) {
      const key = { dimensions, granularity, startMs: bucketStart(granularity, fact.atMs) };
      const name = JSON.stringify(key);
      const group = groups.get(name) ?? { key, facts: [] };
      group.facts.push(fact);
      groups.set(name, group);
    }
  }
  return [...groups.values()];
}

function toIncrement(
  key: BucketKey,
  facts: readonly UsageFact[],
  storedSeq: bigint,
): readonly BucketIncrement[] {
  const missing = facts.filter((fact) => fact.seq > storedSeq);
  const last = missing.at(-1);
  if (last === undefined) return [];
  const sum = emptyFigures();
  for (const fact of missing) {
    if (fact.request !== undefined) addFigures(sum, figuresOf(fact.request));
  }
  return [{ ...key, expectedSeq: storedSeq, seq: last.seq, figures: sum }];
}
