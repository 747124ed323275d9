import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/session';
import { useGet } from './hooks';
import { LIVE_MS, unwrapText } from './queries';
import type { Usage, UsageInterval, UsageMetrics } from './schemas';

/** What the statistics are asked for. */
export interface UsageQuery {
  readonly start: string;
  readonly end?: string;
  readonly interval: UsageInterval;
  /** A comma list of dimensions. */
  readonly group_by?: string;
  readonly model?: string;
  readonly key_id?: string;
  /** Operators: a comma list of accounts, or `all`. */
  readonly account_id?: string;
  /** How many groups, the worst first, each as one row of the whole range; all without it. */
  readonly worst?: number;
}

export function useUsage(
  query: UsageQuery,
  options: { readonly enabled?: boolean } = {},
): UseQueryResult<Usage> {
  return useGet(
    ['stats', query],
    '/v1/stats',
    { query },
    {
      enabled: options.enabled ?? true,
      refetchInterval: LIVE_MS,
      // Another range or filter redraws the figures instead of emptying the page.
      placeholderData: keepPreviousData,
    },
  );
}

/** The figures of a query as the API's own CSV. */
export function fetchUsageCsv(asked: UsageQuery): Promise<string> {
  const query = { ...asked, format: 'csv' } as const;
  return unwrapText(api.GET('/v1/stats', { params: { query }, parseAs: 'text' }));
}

/**
 * Failed by no doing of the client: also without what a vendor refused as wrong, which its client
 * has to mend.
 */
export function countServerFailures(
  metrics: Pick<UsageMetrics, 'failed_requests' | 'client_gone_requests'> &
    // A gateway of 0.1.0 does not count them.
    Partial<Pick<UsageMetrics, 'invalid_requests'>>,
): number {
  return countFailedAnswers(metrics) - (metrics.invalid_requests ?? 0);
}

/** Failures that a client was there to be told: of one that left, nobody but it knows why it did. */
export function countFailedAnswers(
  metrics: Pick<UsageMetrics, 'failed_requests' | 'client_gone_requests'>,
): number {
  return metrics.failed_requests - metrics.client_gone_requests;
}
