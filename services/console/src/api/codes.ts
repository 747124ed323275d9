import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { historyQuery, type ListQuery, unwrap, useChange, useList } from './queries';
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
  return useList({
    key: [...CODES, filter],
    isSearch: true,
    load: (cursor) =>
      api.GET('/v1/admin/codes', { params: { query: { ...historyQuery(cursor), ...filter } } }),
  });
}

/** The code that the address opens, which may be older than those of the list. */
export function useCode(id = ''): UseQueryResult<CreditCode> {
  return useQuery({
    queryKey: [...CODES, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/admin/codes/{id}', { params: { path: { id } } })),
    enabled: id !== '',
  });
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
