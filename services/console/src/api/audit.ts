import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap } from './client';
import { useChange } from './queries';
import type { Audit } from './schemas';

const AUDIT = ['audit'] as const;

/** The newest audit of all money, or of one account's. */
export function useAudit(accountId?: string): UseQueryResult<Audit> {
  const query = accountId === undefined ? {} : { account_id: accountId };
  return useQuery({
    queryKey: [...AUDIT, query],
    queryFn: () => unwrap(api.GET('/v1/admin/audit', { params: { query } })),
  });
}

/** Audits everything now. */
export function useFreshAudit() {
  return useChange(
    () => unwrap(api.GET('/v1/admin/audit', { params: { query: { fresh: true } } })),
    [AUDIT],
  );
}
