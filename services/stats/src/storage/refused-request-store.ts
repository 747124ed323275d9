import { hasOnlyDuplicates, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { RefusedRequest, RefusedRequestStore } from '../domain/ports';

interface RefusedRequestDocument extends Omit<RefusedRequest, 'requestId' | 'atMs'> {
  readonly _id: string;
  readonly at: Date;
}

/** Refused requests in `refused_requests`, under their ids, for a day. */
export function createRefusedRequestStore(store: MongoStore): RefusedRequestStore {
  const refusedRequests = () =>
    store.connection.collection<RefusedRequestDocument>('refused_requests');
  return {
    async add(batch) {
      const documents = batch.map(({ requestId, atMs, ...rest }) => {
        return { _id: requestId, ...rest, at: new Date(atMs) };
      });
      try {
        await refusedRequests().insertMany(documents, { ordered: false });
      } catch (error) {
        // An event that comes again brings nothing new.
        if (!hasOnlyDuplicates(error)) await withDatabaseFailures(() => Promise.reject(error));
      }
    },
    async find(requestId): Promise<RefusedRequest | undefined> {
      const found = await withDatabaseFailures(() => refusedRequests().findOne({ _id: requestId }));
      if (found === null) return undefined;
      const { _id, at, ...rest } = found;
      return { ...rest, requestId: _id, atMs: at.getTime() };
    },
  };
}
