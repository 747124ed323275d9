import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap } from './client';
import { type ListQuery, pageQuery, useChange, useList } from './queries';
import type { ApiKey, KeyChanges, NewKey } from './schemas';

const KEYS = ['keys'] as const;
/** What is gone is not asked for by itself again. */
const LIST = [...KEYS, 'list'] as const;

export function useKeys(): ListQuery<ApiKey> {
  return useList({
    key: LIST,
    live: true,
    load: (cursor) => unwrap(api.GET('/v1/keys', { params: { query: pageQuery(cursor) } })),
  });
}

export function useKey(id: string): UseQueryResult<ApiKey> {
  return useQuery({
    queryKey: [...KEYS, 'one', id],
    queryFn: () => unwrap(api.GET('/v1/keys/{id}', { params: { path: { id } } })),
  });
}

export function useCreateKey() {
  return useChange((body: NewKey) => unwrap(api.POST('/v1/keys', { body })), [KEYS]);
}

export function useUpdateKey(id: string) {
  return useChange(
    (body: KeyChanges) => unwrap(api.PATCH('/v1/keys/{id}', { params: { path: { id } }, body })),
    [KEYS],
  );
}

/** The old secret works for the grace period, in seconds. */
export function useRotateKey(id: string) {
  return useChange(
    (grace_period_seconds: number) =>
      unwrap(
        api.POST('/v1/keys/{id}/rotate', {
          params: { path: { id } },
          body: { grace_period_seconds },
        }),
      ),
    [KEYS],
  );
}

export function useRevokeKey(id: string) {
  return useChange(() => unwrap(api.DELETE('/v1/keys/{id}', { params: { path: { id } } })), [LIST]);
}
