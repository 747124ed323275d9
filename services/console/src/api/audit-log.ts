import type { UseQueryResult } from '@tanstack/react-query';
import { type ListQuery, useGet, useList } from './hooks';
import type { AuditLogEntry, AuditLogWrite } from './schemas';

/** The filter of the list; the API applies it. */
export interface AuditLogFilter {
  readonly account_id?: string;
  readonly actor?: string;
  readonly resource_id?: string;
}

/** Management writes, newest first. */
export function useAuditLog(filter: AuditLogFilter): ListQuery<AuditLogEntry> {
  return useList(
    ['audit-log', filter],
    '/v1/admin/audit-log',
    { query: filter },
    { live: true, isLog: true },
  );
}

/** How long an entry counts as fresh: only one whose write has not ended yet can still change. */
const ENTRY_FRESH_MS = 60_000;

/** One write with what it changed; in a list it is read once its row is seen. */
export function useAuditLogWrite(id: string, enabled = true): UseQueryResult<AuditLogWrite> {
  return useGet(
    ['audit-log', 'one', id],
    '/v1/admin/audit-log/{id}',
    { path: { id } },
    { enabled, staleTime: ENTRY_FRESH_MS },
  );
}

/**
 * What a thing was called when it was deleted, as the record of that says; undefined while nothing
 * tells it. Nothing is asked until the deletion is known.
 */
export function useDeletedName(
  operation: string,
  resourceId: string,
  isDeleted: boolean,
): string | undefined {
  const filter = { operation, resource_id: resourceId };
  const deletions = useList(
    ['audit-log', filter],
    '/v1/admin/audit-log',
    { query: filter },
    { enabled: isDeleted, isLog: true, isForNames: true },
  );
  const id = deletions.data?.[0]?.id;
  const name = useAuditLogWrite(id ?? '', id !== undefined).data?.before?.name;
  return typeof name === 'string' ? name : undefined;
}
