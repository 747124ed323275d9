import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import {
  historyQuery,
  LIVE_MS,
  type ListQuery,
  pageQuery,
  unwrap,
  unwrapText,
  useChange,
  useList,
} from './queries';
import type {
  Account,
  AccountChanges,
  ApiKey,
  Balance,
  LedgerEntry,
  Member,
  NewAccount,
} from './schemas';

const ACCOUNTS = ['accounts'] as const;
/** Queries that a change of money touches, those of the operator's own account among them. */
const MONEY = [ACCOUNTS, ['billing'], ['audit']];

/** How long a balance in a list of many is good enough. */
const LISTED_MS = 60_000;

/** Accounts by the beginning of a name or the whole email of one of their people, and by status. */
export interface AccountSearch {
  readonly status?: Account['status'];
  readonly name?: string;
  readonly email?: string;
}

export function useAccounts(search: AccountSearch = {}): ListQuery<Account> {
  return useList({
    key: [...ACCOUNTS, 'list', search],
    isSearch: true,
    load: (cursor) =>
      api.GET('/v1/admin/accounts', { params: { query: { ...pageQuery(cursor), ...search } } }),
  });
}

export function useAccount(id: string): UseQueryResult<Account> {
  return useQuery({
    queryKey: [...ACCOUNTS, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/admin/accounts/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'erasing' ? LIVE_MS : false),
  });
}

export function useAccountBalance(id: string): UseQueryResult<Balance> {
  return useQuery({ ...balanceOf(id), refetchInterval: LIVE_MS });
}

/** The balance of an account in a list: read once the row is seen, and again when it changed here. */
export function useListedBalance(id: string, isSeen: boolean): UseQueryResult<Balance> {
  return useQuery({
    ...balanceOf(id),
    enabled: isSeen,
    staleTime: LISTED_MS,
  });
}

function balanceOf(id: string) {
  return {
    queryKey: [...ACCOUNTS, 'balance', id],
    queryFn: () => unwrap(api.GET('/v1/admin/accounts/{id}/balance', { params: { path: { id } } })),
  };
}

export function useAccountLedger(id: string): ListQuery<LedgerEntry> {
  return useList({
    key: [...ACCOUNTS, 'ledger', id],
    load: (cursor) =>
      api.GET('/v1/admin/accounts/{id}/ledger', {
        params: { path: { id }, query: historyQuery(cursor) },
      }),
  });
}

export function useAccountKeys(id: string): ListQuery<ApiKey> {
  return useList({
    key: [...ACCOUNTS, 'keys', id],
    load: (cursor) =>
      api.GET('/v1/admin/accounts/{id}/keys', {
        params: { path: { id }, query: pageQuery(cursor) },
      }),
  });
}

export function useAccountMembers(id: string): ListQuery<Member> {
  return useList({
    key: [...ACCOUNTS, 'members', id],
    load: (cursor) =>
      api.GET('/v1/admin/accounts/{id}/members', {
        params: { path: { id }, query: pageQuery(cursor) },
      }),
  });
}

export type ExportFormat = 'jsonl' | 'csv';

/** All that is kept of the account, a line for each thing, or its ledger alone as a table. */
export function fetchAccountExport(id: string, format: ExportFormat): Promise<string> {
  return unwrapText(
    api.POST('/v1/admin/accounts/{id}/export', {
      params: { path: { id } },
      body: { format },
      parseAs: 'text',
    }),
  );
}

export function useCreateAccount() {
  return useChange(
    (body: NewAccount) => api.POST('/v1/admin/accounts', { body }),
    [ACCOUNTS, ['users']],
  );
}

export function useUpdateAccount(id: string) {
  return useChange(
    (body: AccountChanges) =>
      api.PATCH('/v1/admin/accounts/{id}', { params: { path: { id } }, body }),
    [ACCOUNTS],
  );
}

/** Erases an account but its numbers; the key of the call makes a repetition harmless. */
export function useEraseAccount(id: string) {
  return useChange(
    (idempotencyKey: string) =>
      api.DELETE('/v1/admin/accounts/{id}', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
      }),
    [ACCOUNTS, ['users']],
  );
}

export function useSetPlan(id: string) {
  return useChange(
    (plan: string) =>
      api.PUT('/v1/admin/accounts/{id}/plan', { params: { path: { id } }, body: { plan } }),
    [ACCOUNTS, ['billing']],
  );
}

/** An amount for an account, with the key that makes a repetition harmless. */
export interface MoneyChange {
  readonly amount: string;
  readonly words: string;
  readonly idempotencyKey: string;
}

export function useGrantCredit(id: string) {
  return useChange(
    ({ amount, words, idempotencyKey }: MoneyChange) =>
      api.POST('/v1/admin/accounts/{id}/credits', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
        body: { amount, note: words },
      }),
    MONEY,
  );
}

export function useAdjustBalance(id: string) {
  return useChange(
    ({ amount, words, idempotencyKey }: MoneyChange) =>
      api.POST('/v1/admin/accounts/{id}/adjustments', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
        body: { amount, reason: words },
      }),
    MONEY,
  );
}
