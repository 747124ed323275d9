import {
  type Documents,
  documentsOf,
  hasOnlyDuplicates,
  isRefusedByDocuments,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { mongo } from 'mongoose';
import type { BucketIncrement, BucketKey } from '../domain/bucket';
import type { FigureFilter, FigureStore, LedgerCursor, StoredFigures } from '../domain/ports';
import { type FigureMembers, fromFigureMembers, toIncrements } from '../domain/usage-figures';
import { COLLECTIONS } from './collections';
import { damaged } from './damaged';
import { ofAccounts } from './denial-store';

interface FigureDocument extends FigureMembers {
  readonly _id: string;
  readonly accountId: string;
  readonly granularity: BucketKey['granularity'];
  readonly start: Date;
  readonly model: string;
  readonly keyId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly status: 'succeeded' | 'failed';
  readonly seq: bigint;
}

interface CursorDocument {
  readonly _id: string;
  readonly seq: bigint;
  readonly at: Date;
}

/** Figures in `usage_figures`, cursors in `usage_cursors`. */
export function createFigureStore(mongo: MongoStore): FigureStore {
  const figures = documentsOf<FigureDocument>(mongo, COLLECTIONS.figures);
  const cursors = documentsOf<CursorDocument>(mongo, COLLECTIONS.cursors);

  return {
    sequences: (bucketIds) => readSequences(figures, bucketIds),
    add: (increments) =>
      withDatabaseFailures(async () => {
        const writes = increments.map(toBucketWrite);
        try {
          const written = await figures.collection().bulkWrite(writes, { ordered: false });
          return written.matchedCount + written.upsertedCount === increments.length;
        } catch (error) {
          // Upserts met buckets that another consumer made meanwhile.
          if (hasOnlyDuplicates(error)) return false;
          if (!isRefusedByDocuments(error)) throw error;
          throw damaged('a bucket refuses what is added', error);
        }
      }),
    cursors: (accountIds) => readSequences(cursors, accountIds),
    setCursors: (reached) =>
      withDatabaseFailures(async () => {
        const writes = reached.map(toCursorWrite);
        const write = () => cursors.collection().bulkWrite(writes, { ordered: false });
        try {
          await write();
        } catch (error) {
          if (!hasOnlyDuplicates(error)) throw error;
          // Another consumer made some of them meanwhile: now they are there to be moved.
          await write();
        }
      }),
    async newestEntryMs(accountId) {
      const filter = accountId === undefined ? {} : { _id: accountId };
      const [newest] = await cursors.list(filter, { sort: { at: -1 }, limit: 1 });
      return newest?.at.getTime();
    },
    async *read(filter) {
      for await (const document of figures.each(toFilter(filter))) yield fromDocument(document);
    },
  };
}

/** Reads with one command, however many there are. */
async function readSequences<Kept extends { readonly _id: string; readonly seq: bigint }>(
  documents: Documents<Kept>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const filter = { _id: { $in: ids } } as mongo.Filter<Kept>;
  // One more than can be found: a batch that is not full is known to be the last.
  const options = { projection: { seq: 1 }, batchSize: ids.length + 1 };
  const found = await documents.list(filter, options);
  return new Map(found.map(({ _id, seq }) => [_id, toSeq(_id, seq)]));
}

function toSeq(id: string, stored: unknown): bigint {
  if (typeof stored === 'bigint') return stored;
  if (typeof stored === 'number' && Number.isSafeInteger(stored)) return BigInt(stored);
  throw damaged(`the sequence of ${id} is none`);
}

function toBucketWrite(increment: BucketIncrement): mongo.AnyBulkWriteOperation<FigureDocument> {
  const isNew = increment.expectedSeq === 0n;
  const update = {
    $inc: toIncrements(increment.figures),
    $set: { seq: increment.seq },
    ...(isNew ? { $setOnInsert: toIdentity(increment) } : {}),
  };
  return {
    updateOne: {
      filter: { _id: increment.id, seq: increment.expectedSeq },
      // The names of histogram bins are made at run time, which the driver's types do not know.
      update: update as mongo.UpdateFilter<FigureDocument>,
      upsert: isNew,
    },
  };
}

function toCursorWrite(cursor: LedgerCursor): mongo.AnyBulkWriteOperation<CursorDocument> {
  const { accountId, seq, atMs } = cursor;
  return {
    updateOne: {
      filter: { _id: accountId },
      update: { $max: { seq, at: new Date(atMs) } },
      upsert: true,
    },
  };
}

function toIdentity(key: BucketKey): Partial<FigureDocument> {
  return { ...key.dimensions, granularity: key.granularity, start: new Date(key.startMs) };
}

function toFilter(filter: FigureFilter): Record<string, unknown> {
  return {
    ...ofAccounts(filter),
    granularity: filter.granularity,
    start: { $gte: new Date(filter.startMs), $lt: new Date(filter.endMs) },
    ...(filter.models.length === 0 ? {} : { model: { $in: filter.models } }),
    ...(filter.keyIds.length === 0 ? {} : { keyId: { $in: filter.keyIds } }),
  };
}

function fromDocument(document: FigureDocument): StoredFigures {
  const { accountId, model, keyId, userId, channelId, status } = document;
  return {
    dimensions: { accountId, model, keyId, userId, channelId, status },
    startMs: document.start.getTime(),
    figures: fromFigureMembers(document),
  };
}
