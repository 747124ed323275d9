import { type BucketKey, bucketKeysOf } from './bucket-key';
import {
  addFigures,
  dimensionsOf,
  emptyFigures,
  type Figures,
  figuresOf,
  type UsageFact,
} from './usage-figures';

/** Adds to a bucket as long as it still is at `expectedSeq` (0 for a bucket that is not there). */
export interface BucketIncrement extends BucketKey {
  readonly expectedSeq: bigint;
  readonly seq: bigint;
  readonly figures: Figures;
}

/** What ledger entries bring to one bucket, in the order of the ledger. */
export interface BucketEntries {
  readonly key: BucketKey;
  readonly entries: readonly { readonly seq: bigint; readonly figures: Readonly<Figures> }[];
}

/** The buckets that the entries belong to; entries that are no requests belong to none. */
export function entriesByBucket(facts: readonly UsageFact[]): readonly BucketEntries[] {
  const buckets = new Map<
    string,
    { key: BucketKey; entries: BucketEntries['entries'][number][] }
  >();
  for (const fact of facts) {
    const dimensions = dimensionsOf(fact);
    if (dimensions === undefined || fact.request === undefined) continue;
    const entry = { seq: fact.seq, figures: figuresOf(fact.request) };
    for (const key of bucketKeysOf(dimensions, fact.atMs)) {
      const bucket = buckets.get(key.id);
      if (bucket === undefined) buckets.set(key.id, { key, entries: [entry] });
      else bucket.entries.push(entry);
    }
  }
  return [...buckets.values()];
}

/** What a bucket that stands at the sequence lacks; undefined when it has it all. */
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
