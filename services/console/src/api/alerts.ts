import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { LIVE_MS, unwrap } from './queries';
import type { Alerts } from './schemas';

/** Operators: what wants attention now. Every answer asks all services. */
export function useAlerts(everyMs: number = LIVE_MS): UseQueryResult<Alerts> {
  return useQuery({
    queryKey: ['alerts'],
    queryFn: () => unwrap(api.GET('/v1/admin/alerts')),
    refetchInterval: everyMs,
    staleTime: everyMs,
  });
}
