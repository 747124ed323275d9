import { nano } from '@tollgate/core';
import { documentsOf, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
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
  const codes = documentsOf<CodeDocument>(mongo, CODES);
  const findOne = async (filter: { readonly _id: string } | { readonly digest: string }) => {
    const found = await codes.find(filter);
    return found && fromDocument(found);
  };
  return {
    async insert(added) {
      await withDatabaseFailures(() => codes.collection().insertMany(added.map(toDocument)));
    },
    removeBatch: (batchId) => codes.removeMany({ batch_id: batchId }),
    find: (id) => findOne({ _id: id }),
    findByDigest: (digest) => findOne({ digest }),
    async listBatch(batchId, limit) {
      const found = await codes.list({ batch_id: batchId }, { sort: { _id: 1 }, limit });
      return found.map(fromDocument);
    },
    async list({ batchId, preview }, { limit, beforeId }) {
      const filter = {
        ...(batchId === undefined ? {} : { batch_id: batchId }),
        ...(preview === undefined ? {} : { preview }),
        ...(beforeId === undefined ? {} : { _id: { $lt: beforeId } }),
      };
      const found = await codes.list(filter, { sort: { _id: -1 }, limit: limit + 1 });
      return found.map(fromDocument);
    },
  };
}
