import type { UseQueryResult } from '@tanstack/react-query';
import { useGet, useSend } from './hooks';
import { LIVE_MS } from './queries';
import type { Alerts, Audit } from './schemas';

/** Operators: what wants attention now. Every answer asks all services. */
export function useAlerts(everyMs: number = LIVE_MS): UseQueryResult<Alerts> {
  const options = { refetchInterval: everyMs, staleTime: everyMs };
  return useGet(['alerts'], '/v1/admin/alerts', {}, options);
}

const AUDIT = ['audit'] as const;

/** The newest audit of all money. */
export function useAudit(): UseQueryResult<Audit> {
  return useGet(AUDIT, '/v1/admin/audit', {});
}

/** Audits everything now. */
export function useFreshAudit() {
  return useSend('get', '/v1/admin/audit', { query: { fresh: true } }, [AUDIT]);
}
