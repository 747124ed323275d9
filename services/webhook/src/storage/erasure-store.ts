import { afterId, documentsOf, type MongoStore } from '@tollgate/mongo';
import type { ErasureStore } from '../domain/ports';

interface ErasureDocument {
  /** The account. */
  readonly _id: string;
  readonly times: number;
}

/** Erasures in the collection `webhook_erasures`, until they are done. */
export function createErasureStore(store: MongoStore): ErasureStore {
  const documents = documentsOf<ErasureDocument>(store, 'webhook_erasures');
  return {
    begin: (accountId) => documents.upsert({ _id: accountId }, { $inc: { times: 1 } }),
    async listOpen({ after, limit }) {
      const found = await documents.list(afterId(after), { sort: { _id: 1 }, limit });
      return found.map(({ _id: accountId, times }) => ({ accountId, times: Number(times) }));
    },
    async end({ accountId, times }) {
      await documents.remove({ _id: accountId, times });
    },
  };
}
