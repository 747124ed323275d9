import {
  AMOUNT,
  AS_IS,
  beforeId,
  dated,
  ID,
  type MongoStore,
  named,
  type RecordForm,
  recordsOf,
} from '@tollgate/mongo';
import type { Code } from '../domain/codes';
import type { CodeStore, StoredCode } from '../domain/ports';
import { COLLECTIONS } from './collections';

const CODE = {
  id: ID,
  batchId: named('batch_id'),
  digest: AS_IS,
  preview: AS_IS,
  amount: AMOUNT,
  note: AS_IS,
  expiresAtMs: dated('expires_at'),
  createdAtMs: dated('created_at'),
  createdBy: named('created_by'),
} satisfies RecordForm<Code>;

/** Codes in the document store. What became of one is in its claim. */
export function createCodeStore(mongo: MongoStore): CodeStore {
  const codes = recordsOf<Code, typeof CODE>(mongo, COLLECTIONS.codes, CODE);
  const listStored = async (...asked: Parameters<typeof codes.listStored>) =>
    (await codes.listStored(...asked)).map(({ document, read }): StoredCode => {
      return { id: document._id, digest: document.digest ?? '', read };
    });
  return {
    insert: (added) => codes.insertAll(added),
    remove: (removed) =>
      codes.removeMany({
        _id: { $in: removed.map(({ id }) => id) },
        digest: { $in: removed.map(({ digest }) => digest) },
      }),
    find: (id) => codes.find({ _id: id }),
    findStored: async (id) => (await listStored({ _id: id }, { limit: 1 }))[0],
    findByDigest: (digest) => codes.find({ digest }),
    listBatch: (batchId, limit) => listStored({ batch_id: batchId }, { sort: { _id: 1 }, limit }),
    list({ batchId, preview }, window) {
      const filter = {
        ...(batchId === undefined ? {} : { batch_id: batchId }),
        ...(preview === undefined ? {} : { preview }),
        ...beforeId(window.beforeId),
      };
      return listStored(filter, { sort: { _id: -1 }, limit: window.limit + 1 });
    },
  };
}
