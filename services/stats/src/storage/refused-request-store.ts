import { insertNewOnes, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
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
      // An event that comes again brings nothing new.
      await insertNewOnes(() => refusedRequests().insertMany(documents, { ordered: false }));
    },
    async find(requestId): Promise<RefusedRequest | undefined> {
      const found = await withDatabaseFailures(() => refusedRequests().findOne({ _id: requestId }));
      return found === null ? undefined : fromDocument(found);
    },
    async list({ accountId, beforeRequestId, limit }) {
      const filter = {
        ...(accountId === undefined ? {} : { accountId }),
        ...(beforeRequestId === undefined ? {} : { _id: { $lt: beforeRequestId } }),
      };
      const found = await withDatabaseFailures(() =>
        // An id begins with its time.
        refusedRequests().find(filter).sort({ _id: -1 }).limit(limit).toArray(),
      );
      return found.map(fromDocument);
    },
  };
}

function fromDocument({ _id, at, ...rest }: RefusedRequestDocument): RefusedRequest {
  return { ...rest, requestId: _id, atMs: at.getTime() };
}
