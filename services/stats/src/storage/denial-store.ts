import {
  documentsOf,
  hasOnlyDuplicates,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { mongo } from 'mongoose';
import type { DenialBucket } from '../domain/denial-bucket';
import type { DenialStore, DeniedRequests, FigureFilter } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { damaged } from './damaged';

interface DenialBucketDocument {
  readonly _id: string;
  readonly accountId: string;
  /** Absent is `rate_limited`. */
  readonly kind?: DenialBucket['kind'];
  readonly granularity: DenialBucket['granularity'];
  readonly start: Date;
  readonly revision: number;
  /** Of 50 keys at most, and under '' of all the others together. */
  readonly counts: readonly { readonly keyId: string; readonly count: number }[];
  readonly newest: readonly { readonly gatewayId: string; readonly eventId: string }[];
}

/** Denials in `denial_buckets`, however many events they came in. */
export function createDenialStore(mongo: MongoStore): DenialStore {
  const buckets = documentsOf<DenialBucketDocument>(mongo, COLLECTIONS.denialBuckets);
  return {
    async find(ids) {
      // One more than can be found: a batch that is not full is known to be the last.
      const options = { batchSize: ids.length + 1 };
      const found = await buckets.list({ _id: { $in: [...ids] } }, options);
      return new Map(found.map((document) => [document._id, fromDocument(document)]));
    },
    replace: (changed) =>
      withDatabaseFailures(async () => {
        try {
          const writes = changed.map(toWrite);
          const written = await buckets.collection().bulkWrite(writes, { ordered: false });
          return written.matchedCount + written.upsertedCount === changed.length;
        } catch (error) {
          // Others made some of them meanwhile.
          if (hasOnlyDuplicates(error)) return false;
          throw error;
        }
      }),
    async *read(filter) {
      // Denials know no model: a query for models has none.
      if (filter.models.length > 0) return;
      const { granularity } = filter;
      const within = { $gte: new Date(filter.startMs), $lt: new Date(filter.endMs) };
      for await (const bucket of buckets.each({
        ...ofAccounts(filter),
        granularity,
        start: within,
      })) {
        yield* deniedIn(bucket, filter);
      }
    },
  };
}

/** The part of a query that names the accounts. */
export function ofAccounts({ accountIds }: FigureFilter) {
  const [accountId, ...others] = accountIds;
  if (accountId === undefined) return {};
  return { accountId: others.length === 0 ? accountId : { $in: [...accountIds] } };
}

/** What cannot be read of a bucket is not counted: an answer has the others. */
function* deniedIn(
  { accountId, kind = 'rate_limited', start, counts }: DenialBucketDocument,
  { keyIds }: FigureFilter,
): Generator<DeniedRequests> {
  if (!isList(counts)) return;
  const atMs = start.getTime();
  for (const { keyId, count: stored } of counts) {
    if (keyIds.length > 0 && !keyIds.includes(keyId)) continue;
    const count = toWholeNumber(stored);
    if (count !== undefined) yield { accountId, keyId, kind, atMs, count };
  }
}

function toWrite(bucket: DenialBucket): mongo.AnyBulkWriteOperation<DenialBucketDocument> {
  const { id, accountId, kind, granularity, startMs, revision } = bucket;
  const counts = [...bucket.counts].map(([keyId, count]) => ({ keyId, count }));
  const newest = [...bucket.newest].map(([gatewayId, eventId]) => ({ gatewayId, eventId }));
  const isNew = revision === 0;
  const place = { accountId, granularity, start: new Date(startMs) };
  const identity = kind === 'rate_limited' ? place : { ...place, kind };
  return {
    updateOne: {
      filter: { _id: id, revision },
      update: {
        $set: { revision: revision + 1, counts, newest },
        ...(isNew ? { $setOnInsert: identity } : {}),
      },
      upsert: isNew,
    },
  };
}

/** Throws when it cannot be added to: a revision that is none would never be met by the guard. */
function fromDocument(document: DenialBucketDocument): DenialBucket {
  const { _id: id, accountId, kind, granularity, start, revision, counts, newest } = document;
  const numberOf = (stored: unknown): number => {
    const number = toWholeNumber(stored);
    if (number === undefined) throw damaged(`${id} has a revision or a count that is none`);
    return number;
  };
  if (!isList(counts) || !isList(newest)) throw damaged(`${id} lacks members`);
  return {
    id,
    accountId,
    kind: kind ?? 'rate_limited',
    granularity,
    revision: numberOf(revision),
    startMs: start.getTime(),
    counts: new Map(counts.map(({ keyId, count }) => [keyId, numberOf(count)])),
    newest: new Map(newest.map(({ gatewayId, eventId }) => [gatewayId, eventId])),
  };
}

function isList(stored: unknown): boolean {
  return Array.isArray(stored);
}

function toWholeNumber(stored: unknown): number | undefined {
  const number = typeof stored === 'bigint' ? Number(stored) : stored;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}
