import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap, useChange } from './queries';
import type { Audit } from './schemas';

const AUDIT = ['audit'] as const;

/** The newest audit of all money. */
export function useAudit(): UseQueryResult<Audit> {
  return useQuery({
    queryKey: AUDIT,
    queryFn: () => unwrap(api.GET('/v1/admin/audit')),
  });
}

/** Audits everything now. */
export function useFreshAudit() {
  return useChange(
    () => api.GET('/v1/admin/audit', { params: { query: { fresh: true } } }),
    [AUDIT],
  );
}
