import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { historyQuery, type ListQuery, unwrap, useList } from './queries';
import type { AuditLogEntry, AuditLogWrite } from './schemas';

/** The filter of the list; the API applies it. */
export interface AuditLogFilter {
  readonly account_id?: string;
  readonly actor?: string;
  readonly resource_id?: string;
}

/** Management writes, newest first. */
export function useAuditLog(filter: AuditLogFilter): ListQuery<AuditLogEntry> {
  return useList({
    key: ['audit-log', filter],
    live: true,
    load: (cursor) =>
      api.GET('/v1/admin/audit-log', {
        params: { query: { ...historyQuery(cursor), ...filter } },
      }),
  });
}

/** How long an entry counts as fresh: only one whose write has not ended yet can still change. */
const ENTRY_FRESH_MS = 60_000;

/** One write with what it changed; in a list it is read once its row is seen. */
export function useAuditLogWrite(id: string, enabled = true): UseQueryResult<AuditLogWrite> {
  return useQuery({
    queryKey: ['audit-log', 'one', id],
    enabled,
    staleTime: ENTRY_FRESH_MS,
    queryFn: () => unwrap(api.GET('/v1/admin/audit-log/{id}', { params: { path: { id } } })),
  });
}
