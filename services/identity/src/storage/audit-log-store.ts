import { firstIdAt, ID_PREFIXES, withoutUndefined } from '@tollgate/core';
import { AS_IS, dated, ID, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { AuditLogEntry, AuditLogFilter } from '../domain/audit-log';
import type { AuditLogStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

/** Members of an entry beside its time. */
const FIELDS = {
  operation: AS_IS,
  actorAccountId: AS_IS,
  actorUserId: AS_IS,
  actorKeyId: AS_IS,
  operator: AS_IS,
  accountId: AS_IS,
  resourceType: AS_IS,
  resourceId: AS_IS,
  remoteAddress: AS_IS,
  requestId: AS_IS,
  outcome: AS_IS,
  errorCode: AS_IS,
} as const;
const TEXT = { missing: '' } as const;
/** Left out of lists: they may be long. */
const TEXTS = { request: TEXT, before: TEXT, after: TEXT } as const;
const LISTED = Object.fromEntries([...Object.keys(FIELDS), 'at'].map((name) => [name, 1 as const]));

const ENTRY = {
  id: ID,
  atMs: dated('at'),
  ...FIELDS,
  ...TEXTS,
} satisfies RecordForm<AuditLogEntry>;

/** Entries are kept for the retention from when they were begun. */
export function createAuditLogStore(mongo: MongoStore, retentionMs: number): AuditLogStore {
  const entries = recordsOf<AuditLogEntry, typeof ENTRY, { readonly expiresAt: Date }>(
    mongo,
    COLLECTIONS.auditLog,
    ENTRY,
    ({ atMs }) => ({ expiresAt: new Date(atMs + retentionMs) }),
  );
  return {
    insert: entries.insertOrReject,
    async insertOnce(entry) {
      await entries.insert(entry);
    },
    async update(id, { id: _id, atMs: _at, ...changes }) {
      await entries.update({ _id: id }, { $set: changes });
    },
    async remove(id) {
      await entries.remove({ _id: id });
    },
    find: (id) => entries.find({ _id: id }),
    list(filter, { limit, beforeId }) {
      const newestFirst = { projection: LISTED, sort: { _id: -1 }, limit: limit + 1 } as const;
      return entries.list(toQuery(filter, beforeId), newestFirst);
    },
  };
}

function toQuery(
  { byActor, accountId, operation, resourceId, startAtMs, endAtMs }: AuditLogFilter,
  beforeId: string | undefined,
): Record<string, unknown> {
  const since = startAtMs === undefined ? undefined : firstIdAt('auditEntry', startAtMs);
  const until = endAtMs === undefined ? undefined : firstIdAt('auditEntry', endAtMs);
  const before = [beforeId, until].filter((id) => id !== undefined).sort()[0];
  const ids = withoutUndefined({ $gt: since, $lt: before });
  return {
    ...(byActor === undefined ? {} : { [actorFieldOf(byActor)]: byActor }),
    ...withoutUndefined({ accountId, operation, resourceId }),
    ...(Object.keys(ids).length === 0 ? {} : { _id: ids }),
  };
}

function actorFieldOf(id: string): 'actorKeyId' | 'actorUserId' {
  return id.startsWith(`${ID_PREFIXES.apiKey}_`) ? 'actorKeyId' : 'actorUserId';
}
