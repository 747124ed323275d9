import { documentsOf, insertNewOnes, type MongoStore } from '@tollgate/mongo';
import type { RefusedRequest, RefusedRequestStore } from '../domain/ports';

interface RefusedRequestDocument extends Omit<RefusedRequest, 'requestId' | 'atMs'> {
  readonly _id: string;
  readonly at: Date;
}

/** Refused requests in `refused_requests`, under their ids, for a day. */
export function createRefusedRequestStore(store: MongoStore): RefusedRequestStore {
  const refusedRequests = documentsOf<RefusedRequestDocument>(store, 'refused_requests');
  return {
    async add(batch) {
      const documents = batch.map(({ requestId, atMs, ...rest }) => {
        return { _id: requestId, ...rest, at: new Date(atMs) };
      });
      // An event that comes again brings nothing new.
      const insert = () => refusedRequests.collection().insertMany(documents, { ordered: false });
      await insertNewOnes(insert);
    },
    async find(requestId): Promise<RefusedRequest | undefined> {
      const found = await refusedRequests.find({ _id: requestId });
      return found && fromDocument(found);
    },
    async list({ accountId, beforeRequestId, limit }) {
      const filter = {
        ...(accountId === undefined ? {} : { accountId }),
        ...(beforeRequestId === undefined ? {} : { _id: { $lt: beforeRequestId } }),
      };
      // An id begins with its time.
      const found = await refusedRequests.list(filter, { sort: { _id: -1 }, limit });
      return found.map(fromDocument);
    },
  };
}

function fromDocument({ _id, at, ...rest }: RefusedRequestDocument): RefusedRequest {
  return { ...rest, requestId: _id, atMs: at.getTime() };
}
