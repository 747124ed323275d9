import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { ErasureStore } from '../domain/ports';

interface ErasureDocument {
  /** The account. */
  readonly _id: string;
  readonly times: number;
}

/** Erasures in the collection `webhook_erasures`, until they are done. */
export function createErasureStore(store: MongoStore): ErasureStore {
  const documents = () => store.connection.collection<ErasureDocument>('webhook_erasures');
  return {
    async begin(accountId) {
      await withDatabaseFailures(() =>
        documents().updateOne({ _id: accountId }, { $inc: { times: 1 } }, { upsert: true }),
      );
    },
    async listOpen({ after, limit }) {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const found = await withDatabaseFailures(() =>
        documents().find(filter).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return found.map(({ _id: accountId, times }) => ({ accountId, times: Number(times) }));
    },
    async end({ accountId, times }) {
      await withDatabaseFailures(() => documents().deleteOne({ _id: accountId, times }));
    },
  };
}
