import { firstIdAt } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { AuditLogEntry, AuditLogFilter } from '../domain/audit-log';
import type { AuditLogStore } from '../domain/ports';
import { COLLECTIONS, defineDocuments } from './document-model';

interface AuditLogDocument extends Omit<AuditLogEntry, 'id' | 'atMs'> {
  readonly _id: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Fields of an entry beside its times. */
const FIELDS = {
  operation: String,
  actorAccountId: String,
  actorUserId: String,
  actorKeyId: String,
  operator: Boolean,
  accountId: String,
  resourceType: String,
  resourceId: String,
  remoteAddress: String,
  requestId: String,
  outcome: String,
  errorCode: String,
};
/** Left out of lists: they may be long. */
const TEXTS = { request: String, before: String, after: String };
const LISTED = Object.fromEntries([...Object.keys(FIELDS), 'at'].map((name) => [name, 1 as const]));

/** Entries are kept for the retention from when they were begun. */
export function createAuditLogStore(store: MongoStore, retentionMs: number): AuditLogStore {
  const entries = defineDocuments<AuditLogDocument>(store, COLLECTIONS.auditLog, {
    at: Date,
    expiresAt: Date,
    ...FIELDS,
    ...TEXTS,
  });
  const datesOf = (at: number) => ({ at: new Date(at), expiresAt: new Date(at + retentionMs) });
  return {
    insert: ({ id, atMs, ...rest }) => entries.add({ ...rest, ...datesOf(atMs), _id: id }),
    insertOnce: ({ id, atMs, ...rest }) =>
      entries.upsert({ _id: id }, { $setOnInsert: { ...rest, ...datesOf(atMs) } }),
    async update(id, { id: _id, atMs: _at, ...changes }) {
      await entries.update({ _id: id }, { $set: changes });
    },
    remove: (id) => entries.remove({ _id: id }),
    async find(id) {
      const found = await entries.find({ _id: id });
      return found && fromDocument(found);
    },
    async list(filter, { limit, beforeId }) {
      const newestFirst = { projection: LISTED, sort: { _id: -1 }, limit: limit + 1 } as const;
      const found = await entries.list(toQuery(filter, beforeId), newestFirst);
      return found.map(fromDocument);
    },
  };
}

function toQuery(
  { byActor, accountId, operation, resourceId, startMs, endMs }: AuditLogFilter,
  beforeId: string | undefined,
): Record<string, unknown> {
  const until = endMs === undefined ? undefined : firstIdAt('auditEntry', endMs);
  const before = [beforeId, until].filter((id) => id !== undefined).sort()[0];
  const ids = {
    ...(startMs === undefined ? {} : { $gt: firstIdAt('auditEntry', startMs) }),
    ...(before === undefined ? {} : { $lt: before }),
  };
  return {
    ...(byActor === undefined ? {} : { [actorFieldOf(byActor)]: byActor }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(operation === undefined ? {} : { operation }),
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(Object.keys(ids).length === 0 ? {} : { _id: mongoose.trusted(ids) }),
  };
}

function actorFieldOf(id: string): 'actorKeyId' | 'actorUserId' {
  return id.startsWith('key_') ? 'actorKeyId' : 'actorUserId';
}

function fromDocument(document: AuditLogDocument): AuditLogEntry {
  const { _id: id, at, expiresAt: _expiresAt, ...rest } = document;
  const { request = '', before = '', after = '' } = rest as Partial<AuditLogDocument>;
  return { ...rest, id, atMs: at.getTime(), request, before, after };
}
