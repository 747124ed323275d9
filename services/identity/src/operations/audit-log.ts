import { type Page, type PageRequest, pageById, windowOf } from '@tollgate/core';
import { type Actor, requireOperator } from '../domain/actor';
import {
  type AuditLogEnd,
  type AuditLogEntry,
  type AuditLogFilter,
  boundedJson,
} from '../domain/audit-log';
import type { Dependencies } from './dependencies';
import { requireById } from './lookups';

type AuditLogDependencies = Pick<Dependencies, 'auditLog'>;

/**
 * The log of management writes. The gateway begins an entry before it lets a write be made, and ends
 * it before the answer leaves: a crash in between leaves an entry whose outcome is unknown, and
 * never a write without one.
 */
export function createAuditLogOperations({ auditLog }: AuditLogDependencies) {
  return {
    async beginAuditEntry(entry: AuditLogEntry): Promise<void> {
      const { request, before, after } = entry;
      await auditLog.insert({
        ...entry,
        request: boundedJson(request),
        before: boundedJson(before),
        after: boundedJson(after),
      });
    },

    /** What a service did by itself, as its event told: the same event again changes nothing. */
    recordSystemAct: (entry: AuditLogEntry): Promise<void> => auditLog.insertOnce(entry),

    /** Without an end nothing was done: the entry goes. */
    async endAuditEntry(id: string, end: AuditLogEnd | undefined): Promise<void> {
      if (end === undefined) return auditLog.remove(id);
      const { accountId, resourceId } = end;
      await auditLog.update(id, {
        outcome: end.succeeded ? 'succeeded' : 'unknown',
        errorCode: end.errorCode,
        after: boundedJson(end.after),
        ...(accountId === '' ? {} : { accountId }),
        ...(resourceId === '' ? {} : { resourceId }),
      });
    },

    async listAuditEntries(
      actor: Actor,
      filter: AuditLogFilter,
      page: PageRequest,
    ): Promise<Page<AuditLogEntry>> {
      requireOperator(actor);
      const window = windowOf(page);
      return pageById(await auditLog.list(filter, window), window);
    },

    async getAuditEntry(actor: Actor, id: string): Promise<AuditLogEntry> {
      requireOperator(actor);
      return requireById('auditEntry', auditLog, id);
    },
  };
}
