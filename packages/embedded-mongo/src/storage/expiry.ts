import { decodeDocument } from '../values/decode';
import { encodeCompoundKey } from '../values/index-key';
import type { Collection } from './collection';
import type { IndexTable } from './index-table';
import type { KeyRange, StoredDocument } from './rows';
import type { Store } from './store';

/** Deletes documents past the time that a TTL index gives them; answers how many. */
export function deleteExpired(store: Store, nowMs: number, documentsMax: number): number {
  let deleted = 0;
  for (const collection of store.collections()) {
    for (const index of collection.indexes()) {
      if (index.definition.expireAfterSeconds !== undefined) {
        deleted += deleteFrom(collection, index, nowMs, documentsMax);
      }
    }
  }
  return deleted;
}

function deleteFrom(
  collection: Collection,
  index: IndexTable,
  nowMs: number,
  documentsMax: number,
): number {
  const expired = new Map<number, StoredDocument>();
  for (const stored of index.scan(expiredRange(index, nowMs), false)) {
    expired.set(stored.seq, stored);
    if (expired.size >= documentsMax) break;
  }
  for (const stored of expired.values()) collection.remove(stored, decodeDocument(stored.body));
  return expired.size;
}

const OLDEST = new Date(-8_640_000_000_000_000);

/** Dates only: values of other types never expire. */
function expiredRange(index: IndexTable, nowMs: number): KeyRange {
  const cutoff = new Date(nowMs - (index.definition.expireAfterSeconds ?? 0) * 1_000);
  const { directions } = index.definition;
  const low = encodeCompoundKey([OLDEST], directions);
  const high = encodeCompoundKey([cutoff], directions);
  // One byte more than a key includes the key itself in a range that excludes its end.
  return directions[0] === -1
    ? { from: high, to: Buffer.concat([low, Buffer.from([0xff])]) }
    : { from: low, to: Buffer.concat([high, Buffer.from([0xff])]) };
}

/** True when any index expires anything: without one a sweep need not open a transaction. */
export function hasExpiry(store: Store): boolean {
  return store
    .collections()
    .some((collection) =>
      collection.indexes().some((index) => index.definition.expireAfterSeconds !== undefined),
    );
}
