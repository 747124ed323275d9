import type { UseQueryResult } from '@tanstack/react-query';
import { useGet } from './hooks';
import { LIVE_MS } from './queries';
import type { Alerts } from './schemas';

/** Operators: what wants attention now. Every answer asks all services. */
export function useAlerts(everyMs: number = LIVE_MS): UseQueryResult<Alerts> {
  const options = { refetchInterval: everyMs, staleTime: everyMs };
  return useGet(['alerts'], '/v1/admin/alerts', {}, options);
}
