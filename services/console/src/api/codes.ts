import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/session';
import { type ListQuery, useChange, useGet, useList } from './hooks';
import type { CreditCode, NewCodes } from './schemas';

const CODES = ['codes'] as const;

/** Codes of one batch or of all, newest first, and by their last characters. */
export function useCodes(
  batchId: string | undefined,
  preview: string | undefined,
): ListQuery<CreditCode> {
  const filter = {
    ...(batchId === undefined ? {} : { batch_id: batchId }),
    ...(preview === undefined ? {} : { preview }),
  };
  return useList(
    [...CODES, filter],
    '/v1/admin/codes',
    { query: filter },
    { isSearch: true, isLog: true },
  );
}

/** The code that the address opens, which may be older than those of the list. */
export function useCode(id = ''): UseQueryResult<CreditCode> {
  return useGet(
    [...CODES, 'one', id],
    '/v1/admin/codes/{id}',
    { path: { id } },
    { enabled: id !== '' },
  );
}

/** Makes a batch, with the key that makes a repetition harmless; its codes are told this once. */
export function useCreateCodes() {
  return useChange(
    ({ idempotencyKey, ...body }: NewCodes & { readonly idempotencyKey: string }) =>
      api.POST('/v1/admin/codes', {
        params: { header: { 'Idempotency-Key': idempotencyKey } },
        body,
      }),
    [CODES],
  );
}

/** Revokes one code, or the unused ones of a batch. */
export function useRevokeCodes() {
  return useChange(
    (id: string) => api.DELETE('/v1/admin/codes/{id}', { params: { path: { id } } }),
    [CODES],
  );
}
