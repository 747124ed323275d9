import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap } from './client';
import { LIVE_MS, type ListQuery, pageQuery, useList } from './queries';
import type { Balance, LedgerEntry, Plan, Receipt } from './schemas';

const BILLING = ['billing'] as const;

export function useBalance(): UseQueryResult<Balance> {
  return useQuery({
    queryKey: [...BILLING, 'balance'],
    queryFn: () => unwrap(api.GET('/v1/billing/balance')),
    refetchInterval: LIVE_MS,
  });
}

/** The plans, and which of them the account has. */
export function usePlans(): UseQueryResult<{ items: Plan[]; current: string }> {
  return useQuery({
    queryKey: [...BILLING, 'plans'],
    queryFn: () => unwrap(api.GET('/v1/billing/plans')),
  });
}

/** Credits, adjustments and charges, newest first. */
export function useLedger(): ListQuery<LedgerEntry> {
  return useList({
    key: [...BILLING, 'ledger'],
    live: true,
    load: (cursor) =>
      unwrap(api.GET('/v1/billing/ledger', { params: { query: pageQuery(cursor) } })),
  });
}

export function useReceipt(requestId: string): UseQueryResult<Receipt> {
  return useQuery({
    queryKey: [...BILLING, 'receipt', requestId],
    queryFn: () =>
      unwrap(
        api.GET('/v1/billing/receipts/{request_id}', {
          params: { path: { request_id: requestId } },
        }),
      ),
  });
}

/** The one currency of the deployment; dollars until it is known. */
export function useCurrency(): string {
  return useBalance().data?.currency ?? 'USD';
}
