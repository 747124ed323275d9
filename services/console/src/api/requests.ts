import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { unwrap } from './client';
import { historyQuery, type ListQuery, useList } from './queries';
import type { RefusedRequest, RefusedStory, Request, Story } from './schemas';

/** Of the account itself, or of every account, which is for operators. */
export type RequestScope = 'own' | 'all';

/** The filter of a list of requests; the API applies it. */
export interface RequestFilter {
  readonly model?: string;
  readonly key_id?: string;
  readonly status?: Request['status'];
  readonly error_code?: string;
  readonly start?: string;
  readonly account_id?: string;
  readonly channel_id?: string;
}

/** Newest first. */
export function useRequests(scope: RequestScope, filter: RequestFilter = {}): ListQuery<Request> {
  return useList<Request>({
    key: ['requests', scope, filter],
    live: true,
    load: (cursor) => {
      const query = { ...historyQuery(cursor), ...filter };
      return scope === 'own'
        ? unwrap(api.GET('/v1/requests', { params: { query } }))
        : unwrap(api.GET('/v1/admin/requests', { params: { query } }));
    },
  });
}

/** Those that were refused before a vendor was asked, newest first; of all accounts or of one. */
export function useRefused(
  scope: RequestScope,
  accountId: string | undefined,
): ListQuery<RefusedRequest> {
  return useList<RefusedRequest>({
    key: ['requests', scope, 'refused', accountId],
    live: true,
    load: (cursor) => {
      const query = historyQuery(cursor);
      if (scope === 'own') return unwrap(api.GET('/v1/refusals', { params: { query } }));
      const wanted = accountId === undefined ? query : { ...query, account_id: accountId };
      return unwrap(api.GET('/v1/admin/refusals', { params: { query: wanted } }));
    },
  });
}

export function useStory(scope: RequestScope, id: string): UseQueryResult<Story | RefusedStory> {
  const params = { path: { request_id: id } };
  return useQuery<Story | RefusedStory>({
    queryKey: ['requests', scope, 'one', id],
    queryFn: () =>
      scope === 'own'
        ? unwrap(api.GET('/v1/requests/{request_id}', { params }))
        : unwrap(api.GET('/v1/admin/requests/{request_id}', { params })),
  });
}

const SETTLING_MS = 1_000;
const RECENT = 20;

/** A request that ended a moment ago, as soon as it is charged; null until then. */
export function useSettledRequest(id: string): UseQueryResult<Request | null> {
  return useQuery<Request | null>({
    queryKey: ['requests', 'settling', id],
    queryFn: async () => {
      const query = { limit: RECENT };
      const { items } = await unwrap(api.GET('/v1/requests', { params: { query } }));
      return items.find((request) => request.id === id) ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : SETTLING_MS),
  });
}
