import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../session/session';
import { eachPage, type ListQuery, useGet, useList } from './hooks';
import { unwrap } from './queries';
import type { RefusedRequest, RefusedStory, Request, Story } from './schemas';

/** Requests of the account itself, or of every account, which is for operators. */
export type RequestsOf = 'own' | 'all';

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

/** Finished requests, newest first. */
export function useRequests(scope: RequestsOf, filter: RequestFilter = {}): ListQuery<Request> {
  return useList(
    ['requests', scope, filter],
    scope === 'own' ? '/v1/requests' : '/v1/admin/requests',
    { query: filter },
    { live: true, isLog: true },
  );
}

/** Requests refused before a vendor was asked, newest first; of all accounts or of one. */
export function useRefused(
  scope: RequestsOf,
  accountId: string | undefined,
): ListQuery<RefusedRequest> {
  return useList(
    ['requests', scope, 'refused', accountId],
    scope === 'own' ? '/v1/refusals' : '/v1/admin/refusals',
    { query: scope === 'own' || accountId === undefined ? {} : { account_id: accountId } },
    { live: true, isLog: true },
  );
}

const SAMPLE_PAGE = 200;
const SAMPLE_PAGES = 5;
const SAMPLE_MS = 30_000;

/**
 * For operators: the newest refused requests of all accounts. Several pages, because one account
 * that is refused all the time fills some of them.
 */
export function useRefusedSample(): UseQueryResult<readonly RefusedRequest[]> {
  return useQuery<readonly RefusedRequest[]>({
    queryKey: ['requests', 'refused sample'],
    refetchInterval: SAMPLE_MS,
    staleTime: SAMPLE_MS,
    queryFn: async () => {
      const found: RefusedRequest[] = [];
      let pages = 0;
      for await (const items of eachPage('/v1/admin/refusals', SAMPLE_PAGE)) {
        found.push(...items);
        pages += 1;
        if (pages === SAMPLE_PAGES) break;
      }
      return found;
    },
  });
}

export function useStory(scope: RequestsOf, id: string): UseQueryResult<Story | RefusedStory> {
  return useGet(
    ['requests', scope, 'one', id],
    scope === 'own' ? '/v1/requests/{request_id}' : '/v1/admin/requests/{request_id}',
    { path: { request_id: id } },
  );
}

/** The newest request whose client sent this name as X-Request-Id; null when none is kept. */
export function useRequestByClientId(
  scope: RequestsOf,
  name: string,
): UseQueryResult<Pick<Request, 'id'> | null> {
  const query = { client_request_id: name, limit: 1 };
  return useQuery<Pick<Request, 'id'> | null>({
    queryKey: ['requests', scope, 'called', name],
    queryFn: async () => {
      const { items } =
        scope === 'own'
          ? await unwrap(api.GET('/v1/requests', { params: { query } }))
          : await unwrap(api.GET('/v1/admin/requests', { params: { query } }));
      return items.find((one) => one.client_request_id === name) ?? null;
    },
  });
}

const SETTLING_MS = 1_000;
const RECENT = 20;

/** How often a charge is asked for, which takes a moment; a later one stands in the story. */
const TRIES_MAX = 30;

/** What a query knows of its tries. */
interface Tried {
  readonly data: unknown;
  readonly dataUpdateCount: number;
  readonly errorUpdateCount: number;
}

export function isSettlingGivenUp({ data, dataUpdateCount, errorUpdateCount }: Tried): boolean {
  return !data && dataUpdateCount + errorUpdateCount >= TRIES_MAX;
}

/** When to ask again whether a request is charged, in ms; false once it is known or takes too long. */
export function settlingIn(tried: Tried): number | false {
  return tried.data || isSettlingGivenUp(tried) ? false : SETTLING_MS;
}

/** A request that ended a moment ago, as soon as it is charged; null until then. */
export function useSettledRequest(id: string) {
  const queryKey = ['requests', 'settling', id];
  const found = useQuery<Request | null>({
    queryKey,
    queryFn: async () => {
      const query = { limit: RECENT };
      const { items } = await unwrap(api.GET('/v1/requests', { params: { query } }));
      return items.find((request) => request.id === id) ?? null;
    },
    refetchInterval: ({ state }) => settlingIn(state),
  });
  const state = useQueryClient().getQueryState(queryKey);
  const isGivenUp = !found.isFetching && state !== undefined && isSettlingGivenUp(state);
  return { data: found.data, isGivenUp };
}
