import { createHash } from 'node:crypto';
import { bucketStart, GRANULARITIES, type Granularity } from './bucket';
import type { Dimensions } from './usage-figures';

/** Identifies a bucket. */
export interface BucketKey {
  /** Account, time and a digest of the dimensions: short, and the same wherever it is computed. */
  readonly id: string;
  readonly dimensions: Dimensions;
  readonly granularity: Granularity;
  readonly startMs: number;
}

/** The buckets, one of each granularity, that what happened at the time belongs to. */
export function bucketKeysOf(dimensions: Dimensions, atMs: number): readonly BucketKey[] {
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
