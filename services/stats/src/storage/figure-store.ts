import { createHash } from 'node:crypto';
import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type {
  BucketIncrement,
  BucketKey,
  Denials,
  FigureFilter,
  FigureStore,
  StoredFigures,
} from '../domain/ports';
import type { Figures } from '../domain/usage-figures';

interface FigureDocument {
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
  readonly requests: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
  readonly cachedTokens: bigint;
  readonly spendNano: bigint;
  readonly latency?: Record<string, number>;
  readonly firstToken?: Record<string, number>;
}

interface CursorDocument {
  readonly _id: string;
  readonly seq: bigint;
  readonly at: Date;
}

interface DenialsDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly at: Date;
  readonly count: number;
}

/** Figures in `usage_figures`, cursors in `usage_cursors`, refusals in `denials`. */
export function createFigureStore(store: MongoStore): FigureStore {
  const figures = () => store.connection.collection<FigureDocument>('usage_figures');
  const cursors = () => store.connection.collection<CursorDocument>('usage_cursors');
  const denials = () => store.connection.collection<DenialsDocument>('denials');

  const addOne = async (increment: BucketIncrement): Promise<boolean> => {
    const fields = toIdentity(increment);
    try {
      const written = await figures().updateOne(
        { _id: toId(increment), seq: increment.expectedSeq },
        {
          $inc: toIncrements(increment.figures),
          $set: { seq: increment.seq },
          ...(increment.expectedSeq === 0n ? { $setOnInsert: fields } : {}),
        } as never,
        { upsert: increment.expectedSeq === 0n },
      );
      return written.matchedCount + written.upsertedCount === 1;
    } catch (error) {
      // The upsert met a bucket that another consumer made meanwhile.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    async sequences(keys) {
      const ids = keys.map(toId);
      const found = await withDatabaseFailures(() =>
        figures()
          .find({ _id: { $in: ids } }, { projection: { seq: 1 } })
          .toArray(),
      );
      const byId = new Map(found.map((document) => [document._id, BigInt(document.seq)]));
      return ids.map((id) => byId.get(id) ?? 0n);
    },
    add: (increments) =>
      withDatabaseFailures(async () => {
        const results = await Promise.all(increments.map(addOne));
        return results.every(Boolean);
      }),
    async cursor(accountId) {
      const found = await withDatabaseFailures(() => cursors().findOne({ _id: accountId }));
      return found === null ? 0n : BigInt(found.seq);
    },
    async setCursor(accountId, seq, atMs) {
      await withDatabaseFailures(() =>
        cursors().updateOne(
          { _id: accountId },
          { $max: { seq, at: new Date(atMs) } },
          { upsert: true },
        ),
      );
    },
    async newestEntryMs(accountId) {
      const filter = accountId === undefined ? {} : { _id: accountId };
      const [newest] = await withDatabaseFailures(() =>
        cursors().find(filter).sort({ at: -1 }).limit(1).toArray(),
      );
      return newest?.at.getTime();
    },
    async read(filter, limit) {
      const found = await withDatabaseFailures(() =>
        figures().find(toFilter(filter)).limit(limit).toArray(),
      );
      return found.map(fromDocument);
    },
    async addDenials(batch) {
      for (const denied of batch) await addDenied(denied);
    },
    async readDenials(filter, limit) {
      // Refusals know no model: a query for models has none.
      if (filter.models.length > 0) return [];
      const found = await withDatabaseFailures(() =>
        denials()
          .find({
            ...(filter.accountId === undefined ? {} : { accountId: filter.accountId }),
            ...(filter.keyIds.length === 0 ? {} : { keyId: { $in: [...filter.keyIds] } }),
            at: { $gte: new Date(filter.startMs), $lt: new Date(filter.endMs) },
          })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id: id, accountId, keyId, at, count }) => ({
        ...{ id, accountId, keyId, count },
        atMs: at.getTime(),
      }));
    },
  };

  async function addDenied(denied: Denials): Promise<void> {
    const { id, accountId, keyId, count } = denied;
    try {
      await denials().insertOne({ _id: id, accountId, keyId, count, at: new Date(denied.atMs) });
    } catch (error) {
      // Delivered before.
      if (!isDuplicateKey(error)) await withDatabaseFailures(() => Promise.reject(error));
    }
  }
}

/** Account, time and a digest of the dimensions: short, and the same wherever it is computed. */
function toId(key: BucketKey): string {
  const { accountId, ...rest } = key.dimensions;
  const digest = createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 22);
  return `${accountId}:${key.granularity}:${key.startMs}:${digest}`;
}

function toIdentity(key: BucketKey): Partial<FigureDocument> {
  return { ...key.dimensions, granularity: key.granularity, start: new Date(key.startMs) };
}

function toIncrements(figures: Figures): Record<string, number | bigint> {
  const { latency, firstToken, rateLimited: _, ...sums } = figures;
  const increments: Record<string, number | bigint> = { ...sums };
  for (const [bin, count] of Object.entries(latency)) increments[`latency.${bin}`] = count;
  for (const [bin, count] of Object.entries(firstToken)) increments[`firstToken.${bin}`] = count;
  return increments;
}

function toFilter(filter: FigureFilter): Record<string, unknown> {
  return {
    ...(filter.accountId === undefined ? {} : { accountId: filter.accountId }),
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
    granularity: document.granularity,
    startMs: document.start.getTime(),
    seq: BigInt(document.seq),
    figures: {
      requests: Number(document.requests),
      succeeded: Number(document.succeeded),
      failed: Number(document.failed),
      rateLimited: 0,
      promptTokens: BigInt(document.promptTokens),
      completionTokens: BigInt(document.completionTokens),
      cachedTokens: BigInt(document.cachedTokens),
      spendNano: BigInt(document.spendNano),
      latency: document.latency ?? {},
      firstToken: document.firstToken ?? {},
    },
  };
}
