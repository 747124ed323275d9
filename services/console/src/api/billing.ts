import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { type ListQuery, useChange, useGet, useList, useSend } from './hooks';
import { LIVE_MS, unwrap, unwrapText } from './queries';
import type {
  Balance,
  LedgerEntry,
  OfferedPlans,
  Statement,
  StatementWithLines,
  Thresholds,
} from './schemas';

const BILLING = ['billing'] as const;

export function useBalance(): UseQueryResult<Balance> {
  return useGet([...BILLING, 'balance'], '/v1/billing/balance', {}, { refetchInterval: LIVE_MS });
}

/** Balances below which the account is told or its spending ends, and what a day costs. */
export function useThresholds(): UseQueryResult<Thresholds> {
  return useGet(
    [...BILLING, 'thresholds'],
    '/v1/billing/thresholds',
    {},
    { refetchInterval: LIVE_MS },
  );
}

export function useSetThresholds() {
  return useSend('put', '/v1/billing/thresholds', {}, [BILLING]);
}

/** Takes the own thresholds away: those of the plan hold, and all of the balance may be spent. */
export function useResetThresholds() {
  return useSend('delete', '/v1/billing/thresholds', {}, [BILLING]);
}

/** The plans, which of them the account has, and what holds for the account. */
export function usePlans(): UseQueryResult<OfferedPlans> {
  return useGet([...BILLING, 'plans'], '/v1/billing/plans', {});
}

export type LedgerKind = LedgerEntry['kind'];

/** Credits, adjustments and charges, newest first. */
export function useLedger(kind: LedgerKind | undefined): ListQuery<LedgerEntry> {
  return useList(
    [...BILLING, 'ledger', kind],
    '/v1/billing/ledger',
    { query: kind === undefined ? {} : { kind } },
    { live: true, isLog: true },
  );
}

/** Month by month, newest first; the running one is among them. */
export function useStatements(): UseQueryResult<readonly Statement[]> {
  return useQuery({
    queryKey: [...BILLING, 'statements'],
    queryFn: async () => (await unwrap(api.GET('/v1/billing/statements'))).items,
  });
}

/** One month with its charges by API key and model. */
export function useStatement(month: string): UseQueryResult<StatementWithLines> {
  return useGet([...BILLING, 'statements', month], '/v1/billing/statements/{month}', {
    path: { month },
  });
}

/** The statement of a month as a table, or as a page to print. */
export function fetchStatement(month: string, format: 'csv' | 'html'): Promise<string> {
  const params = { path: { month }, query: { format } };
  return unwrapText(api.GET('/v1/billing/statements/{month}', { params, parseAs: 'text' }));
}

/** Redeems a code for credit; answers the entry of the ledger. */
export function useRedeemCode() {
  return useChange((code: string) => api.POST('/v1/account/redeem', { body: { code } }), [BILLING]);
}

/** The one currency of the deployment; dollars until it is known. */
export function useCurrency(): string {
  return useBalance().data?.currency ?? 'USD';
}
