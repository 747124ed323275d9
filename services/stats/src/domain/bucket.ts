import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/core';
import { type Dimensions, dimensionsOf, type LedgerEntry } from './ledger-entry';
import { addFigures, emptyFigures, type Figures, figuresOf } from './usage-figures';

/** How finely figures are kept. Months are read from days. */
export const GRANULARITIES = ['minute', 'hour', 'day'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** How finely figures are asked for. */
export const INTERVALS = [...GRANULARITIES, 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

const STEP_MS: Readonly<Record<Granularity, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};
const MONTH_MS_MIN = 28 * STEP_MS.day;

/** Start of the bucket that holds the time, UTC. */
export function bucketStart(interval: Interval, atMs: number): number {
  if (interval === 'month') return startOfMonth(atMs);
  const step = STEP_MS[interval];
  return Math.floor(atMs / step) * step;
}

function startOfMonth(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** End of the last bucket that begins before the time, UTC. */
export function bucketEnd(granularity: Granularity, beforeMs: number): number {
  return bucketStart(granularity, beforeMs - 1) + STEP_MS[granularity];
}

/** The stored granularity that answers the interval. */
export function granularityOf(interval: Interval): Granularity {
  return interval === 'month' ? 'day' : interval;
}

/** An upper bound for the number of buckets between the two times. */
export function bucketsBetween(interval: Interval, startMs: number, endMs: number): number {
  const step = interval === 'month' ? MONTH_MS_MIN : STEP_MS[interval];
  return Math.ceil((endMs - startMs) / step) + 1;
}

/** Identifies a bucket. */
export interface BucketKey {
  /** Account, time and a digest of the dimensions: short, and the same wherever it is computed. */
  readonly id: string;
  readonly dimensions: Dimensions;
  readonly granularity: Granularity;
  readonly startMs: number;
}

/** The buckets, one of each granularity, that a request of the time belongs to. */
function bucketKeysOf(dimensions: Dimensions, atMs: number): readonly BucketKey[] {
  const digest = digestOf(dimensions);
  return GRANULARITIES.map((granularity) => {
    const startMs = bucketStart(granularity, atMs);
    const id = `${dimensions.accountId}:${granularity}:${startMs}:${digest}`;
    return { id, dimensions, granularity, startMs };
  });
}

function digestOf({ model, keyId, userId, channelId, status }: Dimensions): string {
  // The order of the members is part of the ids that are stored.
  const text = JSON.stringify({ model, keyId, userId, channelId, status });
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Adds to a bucket as long as it still is at `expectedSeq` (0 for a bucket that is not there). */
export interface BucketIncrement extends BucketKey {
  readonly expectedSeq: bigint;
  readonly seq: bigint;
  readonly figures: Figures;
}

/** The sums that ledger entries bring to one bucket, in the order of the ledger. */
export interface BucketEntries {
  readonly key: BucketKey;
  readonly entries: readonly { readonly seq: bigint; readonly figures: Readonly<Figures> }[];
}

/** The buckets that the entries belong to; entries that are no requests belong to none. */
export function entriesByBucket(ledger: readonly LedgerEntry[]): readonly BucketEntries[] {
  const buckets = new Map<
    string,
    { key: BucketKey; entries: BucketEntries['entries'][number][] }
  >();
  for (const { accountId, seq, atMs, request } of ledger) {
    if (request === undefined) continue;
    const entry = { seq, figures: figuresOf(request) };
    for (const key of bucketKeysOf(dimensionsOf(accountId, request), atMs)) {
      const bucket = buckets.get(key.id);
      if (bucket === undefined) buckets.set(key.id, { key, entries: [entry] });
      else bucket.entries.push(entry);
    }
  }
  return [...buckets.values()];
}

/** The sum of the entries after `storedSeq`, a bucket's newest one; undefined for none. */
export function missingIncrement(
  { key, entries }: BucketEntries,
  storedSeq: bigint,
): BucketIncrement | undefined {
  const missing = entries.filter(({ seq }) => seq > storedSeq);
  const last = missing.at(-1);
  if (last === undefined) return undefined;
  const sum = emptyFigures();
  for (const { figures } of missing) addFigures(sum, figures);
  return { ...key, expectedSeq: storedSeq, seq: last.seq, figures: sum };
}
