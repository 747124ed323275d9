import { AS_IS, beforeId, dated, ID, type MongoStore, recordsOf } from '@tollgate/mongo';
import type { RefusedRequest, RefusedRequestStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const REFUSED_REQUEST = {
  requestId: ID,
  accountId: AS_IS,
  keyId: AS_IS,
  gatewayId: AS_IS,
  errorCode: AS_IS,
  message: AS_IS,
  param: AS_IS,
  requestedModel: AS_IS,
  address: AS_IS,
  bearer: AS_IS,
  path: AS_IS,
  rejected: AS_IS,
  atMs: dated('at'),
};

/** Refused requests under their ids, for a day. */
export function createRefusedRequestStore(mongo: MongoStore): RefusedRequestStore {
  const refusedRequests = recordsOf<RefusedRequest, typeof REFUSED_REQUEST>(
    mongo,
    COLLECTIONS.refusedRequests,
    REFUSED_REQUEST,
  );
  return {
    async add(batch) {
      // An event that comes again brings nothing new.
      await refusedRequests.insertAll(batch);
    },
    find: (requestId) => refusedRequests.find({ _id: requestId }),
    list({ accountId, beforeRequestId, limit }) {
      const filter = {
        ...(accountId === undefined ? {} : { accountId }),
        ...beforeId(beforeRequestId),
      };
      // An id begins with its time.
      return refusedRequests.list(filter, { sort: { _id: -1 }, limit });
    },
  };
}
