import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/session';
import { type ListQuery, useChange, useGet, useList, useSend } from './hooks';
import { FOR_NAMES, LISTED_MS, LIVE_MS, unwrapText } from './queries';
import type { Account, ApiKey, Balance, LedgerEntry, Member } from './schemas';

const ACCOUNTS = ['accounts'] as const;
/** Queries that a change of money touches, those of the operator's own account among them. */
const MONEY = [ACCOUNTS, ['billing'], ['audit']];

/** Accounts by the beginning of a name or the whole email of one of their people, and by status. */
export interface AccountSearch {
  readonly status?: Account['status'];
  readonly name?: string;
  readonly email?: string;
}

export function useAccounts(
  search: AccountSearch = {},
  options: { readonly isForNames?: boolean } = {},
): ListQuery<Account> {
  return useList(
    [...ACCOUNTS, 'list', search],
    '/v1/admin/accounts',
    { query: search },
    { isSearch: true, ...options },
  );
}

export function useAccount(id: string): UseQueryResult<Account> {
  return useGet(
    oneOf(id),
    ACCOUNT,
    { path: { id } },
    { refetchInterval: ({ state }) => (state.data?.status === 'erasing' ? LIVE_MS : false) },
  );
}

/**
 * What an account is called: as the first page of accounts has it, and otherwise as its own record,
 * which is read once the name is seen. Undefined while nothing tells it, and for an empty id.
 */
export function useAccountName(id: string, isSeen = true): string | undefined {
  const listed = useAccounts({}, { isForNames: true });
  const known = listed.data?.find((one) => one.id === id)?.name;
  const isAsked = isSeen && id !== '' && known === undefined && !listed.isPending;
  const one = useGet(oneOf(id), ACCOUNT, { path: { id } }, { enabled: isAsked, ...FOR_NAMES });
  return known ?? one.data?.name;
}

export function useAccountBalance(id: string): UseQueryResult<Balance> {
  return useGet(balanceOf(id), BALANCE, { path: { id } }, { refetchInterval: LIVE_MS });
}

/** The balance of an account in a list: read once the row is seen, and again when it changed here. */
export function useListedBalance(id: string, isSeen: boolean): UseQueryResult<Balance> {
  const options = { enabled: isSeen, staleTime: LISTED_MS };
  return useGet(balanceOf(id), BALANCE, { path: { id } }, options);
}

const ACCOUNT = '/v1/admin/accounts/{id}';
const BALANCE = '/v1/admin/accounts/{id}/balance';

function oneOf(id: string): readonly string[] {
  return [...ACCOUNTS, 'one', id];
}

function balanceOf(id: string): readonly string[] {
  return [...ACCOUNTS, 'balance', id];
}

export function useAccountLedger(id: string): ListQuery<LedgerEntry> {
  return useList(
    [...ACCOUNTS, 'ledger', id],
    '/v1/admin/accounts/{id}/ledger',
    { path: { id } },
    { isLog: true },
  );
}

export function useAccountKeys(id: string): ListQuery<ApiKey> {
  return useList([...ACCOUNTS, 'keys', id], '/v1/admin/accounts/{id}/keys', { path: { id } });
}

export function useAccountMembers(id: string): ListQuery<Member> {
  return useList([...ACCOUNTS, 'members', id], '/v1/admin/accounts/{id}/members', { path: { id } });
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
  return useSend('post', '/v1/admin/accounts', {}, [ACCOUNTS, ['users']]);
}

export function useUpdateAccount(id: string) {
  return useSend('patch', '/v1/admin/accounts/{id}', { path: { id } }, [ACCOUNTS]);
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
  readonly why: string;
  readonly idempotencyKey: string;
}

export function useGrantCredit(id: string) {
  return useChange(
    ({ amount, why, idempotencyKey }: MoneyChange) =>
      api.POST('/v1/admin/accounts/{id}/credits', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
        body: { amount, note: why },
      }),
    MONEY,
  );
}

export function useAdjustBalance(id: string) {
  return useChange(
    ({ amount, why, idempotencyKey }: MoneyChange) =>
      api.POST('/v1/admin/accounts/{id}/adjustments', {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
        body: { amount, reason: why },
      }),
    MONEY,
  );
}
