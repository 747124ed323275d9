import type { UseQueryResult } from '@tanstack/react-query';
import { addMoney } from '../format/money';
import { api } from '../session/session';
import {
  eachPage,
  type ListQuery,
  useChange,
  useChangeInSteps,
  useGet,
  useList,
  useSend,
} from './hooks';
import { liveIn, unwrap } from './queries';
import type { ApiKey, NewKey } from './schemas';

const KEYS = ['keys'] as const;
/** What a deletion touches: the list alone, because asking for the deleted thing fails. */
const LIST = [...KEYS, 'list'] as const;

export function useKeys(): ListQuery<ApiKey> {
  return useList(LIST, '/v1/keys', {}, { live: true });
}

export function useKey(id: string): UseQueryResult<ApiKey> {
  return useGet(
    [...KEYS, 'one', id],
    '/v1/keys/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => liveIn(state) },
  );
}

export function useCreateKey() {
  return useSend('post', '/v1/keys', {}, [KEYS]);
}

/**
 * The key of one purpose, which its metadata names. A key that exists already gets these settings and
 * another secret, so that no key is left behind when its secret was forgotten.
 */
export function useKeyOfPurpose() {
  return useChangeInSteps(
    async (body: NewKey & { readonly metadata: Readonly<Record<string, string>> }) => {
      const known = await findKeyOfPurpose(body.metadata);
      if (known === undefined) return unwrap(api.POST('/v1/keys', { body }));
      const params = { path: { id: known.id } };
      // What was spent before counts for the budget of the key, not for what is asked with it now.
      const max_budget = addMoney([known.spend ?? '0', body.max_budget ?? '0']);
      const changes = { ...body, max_budget, status: 'active' } as const;
      await unwrap(api.PATCH('/v1/keys/{id}', { params, body: changes }));
      // Another tab may still ask with the former secret.
      const grace = { grace_period_seconds: 300 };
      return unwrap(api.POST('/v1/keys/{id}/rotate', { params, body: grace }));
    },
    [KEYS],
  );
}

async function findKeyOfPurpose(
  metadata: Readonly<Record<string, string>>,
): Promise<ApiKey | undefined> {
  const wanted = Object.entries(metadata);
  for await (const keys of eachPage('/v1/keys')) {
    // Anybody may write such metadata, and a key that an operator switched off stays off.
    const found = keys.find(
      (key) =>
        key.created_by === metadata.user &&
        key.disabled_by !== 'operator' &&
        wanted.every(([name, value]) => key.metadata[name] === value),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

export function useUpdateKey(id: string) {
  return useSend('patch', '/v1/keys/{id}', { path: { id } }, [KEYS]);
}

/** The old secret works for the grace period, in seconds. */
export function useRotateKey(id: string) {
  return useChange(
    (grace_period_seconds: number) =>
      api.POST('/v1/keys/{id}/rotate', {
        params: { path: { id } },
        body: { grace_period_seconds },
      }),
    [KEYS],
  );
}

export function useRevokeKey(id: string) {
  return useSend('delete', '/v1/keys/{id}', { path: { id } }, [LIST]);
}
