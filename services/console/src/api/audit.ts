import type { UseQueryResult } from '@tanstack/react-query';
import { useGet, useSend } from './hooks';
import type { Audit } from './schemas';

const AUDIT = ['audit'] as const;

/** The newest audit of all money. */
export function useAudit(): UseQueryResult<Audit> {
  return useGet(AUDIT, '/v1/admin/audit', {});
}

/** Audits everything now. */
export function useFreshAudit() {
  return useSend('get', '/v1/admin/audit', { query: { fresh: true } }, [AUDIT]);
}
