import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { QuarantineRecord, QuarantineStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

interface QuarantineDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly reason: string;
  readonly failed_at: Date;
  /** Absent in records of versions that did not know it. */
  readonly since?: Date;
}

/** The quarantine in the document store. A record expires when it is not written again. */
export function createQuarantineStore(mongo: MongoStore): QuarantineStore {
  const records = documentsOf<QuarantineDocument>(mongo, COLLECTIONS.quarantine);
  return {
    keep({ id, accountId: account_id, reason, failedAtMs, quarantinedAtMs }) {
      const failed_at = new Date(failedAtMs);
      const $setOnInsert = { since: new Date(quarantinedAtMs) };
      return records.upsert({ _id: id }, { $set: { account_id, reason, failed_at }, $setOnInsert });
    },
    async remove(id) {
      await records.remove({ _id: id });
    },
    async list(limit, accountId) {
      const filter = accountId === undefined ? {} : { account_id: accountId };
      const found = await records.list(filter, { sort: { _id: 1 }, limit });
      return found.flatMap((document) => readRecord(document) ?? []);
    },
  };
}

/** One that cannot be read is none: work that still fails is kept again within a minute. */
function readRecord(document: QuarantineDocument): QuarantineRecord | undefined {
  const { _id: id, account_id: accountId, reason, failed_at, since } = document;
  const failedAtMs = toTimeMs(failed_at);
  if (failedAtMs === undefined) return undefined;
  return { id, accountId, reason, failedAtMs, quarantinedAtMs: toTimeMs(since) ?? failedAtMs };
}

function toTimeMs(stored: unknown): number | undefined {
  return stored instanceof Date ? stored.getTime() : undefined;
}
