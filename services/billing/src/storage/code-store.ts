import { nano } from '@tollgate/core';
import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { Code } from '../domain/codes';
import type { CodeStore } from '../domain/ports';

export const CODES = 'billing_codes';

interface CodeDocument {
  readonly _id: string;
  readonly batch_id: string;
  readonly digest: string;
  readonly preview: string;
  readonly amount: bigint;
  readonly note: string;
  readonly expires_at?: Date;
  readonly created_by?: string;
  readonly created_at: Date;
}

function toDocument(added: Code): CodeDocument {
  const { id, batchId, expiresAtMs, createdAtMs, createdBy, ...code } = added;
  const document = { _id: id, batch_id: batchId, ...code, created_at: new Date(createdAtMs) };
  return {
    ...document,
    ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs) }),
    ...(createdBy === undefined ? {} : { created_by: createdBy }),
  };
}

function fromDocument(document: CodeDocument): Code {
  const { _id: id, batch_id: batchId, digest, preview, note } = document;
  return {
    id,
    batchId,
    digest,
    preview,
    note,
    amount: nano(BigInt(document.amount)),
    expiresAtMs: document.expires_at?.getTime(),
    createdAtMs: document.created_at.getTime(),
    ...(document.created_by === undefined ? {} : { createdBy: document.created_by }),
  };
}

/** Codes in the document store. What became of one is in its claim. */
export function createCodeStore(mongo: MongoStore): CodeStore {
  const codes = () => mongo.connection.collection<CodeDocument>(CODES);
  const findOne = async (filter: { readonly _id: string } | { readonly digest: string }) => {
    const found = await withDatabaseFailures(() => codes().findOne(filter));
    return found === null ? undefined : fromDocument(found);
  };
  return {
    async insert(added) {
      await withDatabaseFailures(() => codes().insertMany(added.map(toDocument)));
    },
    async removeBatch(batchId) {
      await withDatabaseFailures(() => codes().deleteMany({ batch_id: batchId }));
    },
    find: (id) => findOne({ _id: id }),
    findByDigest: (digest) => findOne({ digest }),
    async listBatch(batchId, limit) {
      const found = await withDatabaseFailures(() =>
        codes().find({ batch_id: batchId }).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return found.map(fromDocument);
    },
    async list({ batchId, preview }, { limit, beforeId }) {
      const found = await withDatabaseFailures(() =>
        codes()
          .find({
            ...(batchId === undefined ? {} : { batch_id: batchId }),
            ...(preview === undefined ? {} : { preview }),
            ...(beforeId === undefined ? {} : { _id: { $lt: beforeId } }),
          })
          .sort({ _id: -1 })
          .limit(limit + 1)
          .toArray(),
      );
      return found.map(fromDocument);
    },
  };
}
