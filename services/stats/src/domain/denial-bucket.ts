import { bucketStart, GRANULARITIES, type Granularity } from './bucket';

/**
 * Denials by a limit. What is `unserved` was answered with 503 before it was begun: that is no
 * denial, and is only counted in the same place.
 */
export type DenialKind = 'rate_limited' | 'unserved';

/** Denials, or requests that were not served, that one gateway counted within one of its windows. */
export interface CountedRequests {
  /** The event's id. Those of one gateway grow, so a repeated delivery brings no greater one. */
  readonly id: string;
  readonly gatewayId: string;
  readonly accountId: string;
  /** Empty for those of no key, or of keys that were counted together. */
  readonly keyId: string;
  readonly kind: DenialKind;
  readonly atMs: number;
  readonly count: number;
}

/** All denials of one kind of an account within a minute, an hour or a day. */
export interface DenialBucket {
  readonly id: string;
  readonly accountId: string;
  readonly kind: DenialKind;
  readonly granularity: Granularity;
  readonly startMs: number;
  /** How often it was changed; 0 for one that is not stored. */
  readonly revision: number;
  /** By key. */
  readonly counts: ReadonlyMap<string, number>;
  /** The newest event in it, by gateway. */
  readonly newest: ReadonlyMap<string, string>;
}

/** Keys of one bucket; what further keys were denied is counted without a key. */
const KEYS_MAX = 50;
/** More gateways than ever count for an account within a day, restarts included. */
const GATEWAYS_MAX = 500;

/** What is to be added to each bucket, none of which is filled yet. */
export function denialsByBucket(
  denials: readonly CountedRequests[],
): readonly { readonly empty: DenialBucket; readonly denials: readonly CountedRequests[] }[] {
  const buckets = new Map<string, { empty: DenialBucket; denials: CountedRequests[] }>();
  for (const denied of denials) {
    for (const granularity of GRANULARITIES) {
      const { accountId, kind } = denied;
      const startMs = bucketStart(granularity, denied.atMs);
      const place = `${granularity}:${startMs}`;
      const id = `${accountId}:${kind === 'rate_limited' ? place : `${kind}:${place}`}`;
      const known = buckets.get(id);
      if (known !== undefined) known.denials.push(denied);
      else {
        const named = { id, accountId, kind, granularity, startMs, revision: 0 };
        const empty = { ...named, counts: new Map(), newest: new Map() };
        buckets.set(id, { empty, denials: [denied] });
      }
    }
  }
  return [...buckets.values()];
}

/** The bucket with those that it does not hold yet; the same object when it holds all of them. */
export function withDenials(
  bucket: DenialBucket,
  denials: readonly CountedRequests[],
): DenialBucket {
  const counts = new Map(bucket.counts);
  const newest = new Map(bucket.newest);
  let isChanged = false;
  for (const { id, gatewayId, keyId, count } of denials) {
    if (id <= (newest.get(gatewayId) ?? '')) continue;
    isChanged = true;
    // Deleted first, so that the gateway that was heard of longest ago is the first to be forgotten.
    newest.delete(gatewayId);
    newest.set(gatewayId, id);
    const place = counts.has(keyId) || counts.size < KEYS_MAX ? keyId : '';
    counts.set(place, (counts.get(place) ?? 0) + count);
  }
  if (!isChanged) return bucket;
  for (const gatewayId of newest.keys()) {
    if (newest.size <= GATEWAYS_MAX) break;
    newest.delete(gatewayId);
  }
  return { ...bucket, counts, newest };
}
