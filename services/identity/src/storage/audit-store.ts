import {
  databaseFailure,
  isDuplicateKey,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { AuditEntry } from '../domain/events';
import type { AuditStore } from '../domain/ports';
import { COLLECTIONS, defineModel } from './document-model';

interface AuditDocument extends Omit<AuditEntry, 'id' | 'at'> {
  readonly _id: string;
  readonly at: Date;
}

/** Written once and never changed. */
export function createAuditStore(store: MongoStore): AuditStore {
  const audit = defineModel<AuditDocument>(store, COLLECTIONS.keyAudit, {
    at: Date,
    accountId: String,
    keyId: String,
    operation: String,
    actorUserId: String,
    actorKeyId: String,
    fields: [String],
  });
  return {
    async record(entries) {
      if (entries.length === 0) return;
      const documents = entries.map(({ id, at, ...rest }) => ({
        ...rest,
        _id: id,
        at: new Date(at),
      }));
      try {
        await audit.insertMany(documents, { ordered: false });
      } catch (error) {
        // A repeated relay brings entries that are there already; the others are written.
        if (!isDuplicateKey(error)) throw databaseFailure(error);
      }
    },
    async listForKey(keyId) {
      const found = await withDatabaseFailures(() =>
        audit.find({ keyId }).sort({ _id: 1 }).lean<AuditDocument[]>(),
      );
      return found.map(({ _id, at, ...rest }) => ({ ...rest, id: _id, at: at.getTime() }));
    },
  };
}
