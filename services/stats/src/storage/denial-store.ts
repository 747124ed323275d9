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
        yield* deniedIn(fromDocument(bucket), filter);
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

function* deniedIn(
  { accountId, kind, startMs: atMs, counts }: DenialBucket,
  { keyIds }: FigureFilter,
): Generator<DeniedRequests> {
  for (const [keyId, count] of counts) {
    if (keyIds.length > 0 && !keyIds.includes(keyId)) continue;
    yield { accountId, keyId, kind, atMs, count };
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

function fromDocument(document: DenialBucketDocument): DenialBucket {
  const { _id: id, accountId, kind, granularity, start, revision, counts, newest } = document;
  return {
    id,
    accountId,
    kind: kind ?? 'rate_limited',
    granularity,
    revision: Number(revision),
    startMs: start.getTime(),
    counts: new Map(counts.map(({ keyId, count }) => [keyId, Number(count)])),
    newest: new Map(newest.map(({ gatewayId, eventId }) => [gatewayId, eventId])),
  };
}
