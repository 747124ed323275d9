import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../session/session';
import { ApiError } from './api-error';
import { eachPage, type ListQuery, useList } from './hooks';
import { recoverIn, unwrap } from './queries';
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

/** That there is no story of a request, in the words of the API. */
export interface NoStory {
  readonly status: 'unknown';
  readonly message: string;
  /** How often it is asked for without anybody's click, unless the API says more by then. */
  readonly triesLeft: number;
}

type AnyStory = Story | RefusedStory | NoStory;

/** How soon the story of a request is asked for again that is still to come. */
const TO_COME_MS = 2_000;
/** How often it is asked for while it may come, and the API does not say that it will. */
export const TRIES_MAX = 15;

/**
 * That the request still runs, or is so new that nothing is told of it yet: only the sentence of the
 * API says so (`unknown-request.ts` of the gateway).
 */
const SAYS_TO_COME = /has not ended: it runs|Ask again\./;
const SAYS_PERHAPS = /or it is one that has not ended\./;

/** The story of a request, by its id or by the name that its client gave it. */
export function useStory(
  scope: RequestsOf,
  id: string,
  /** With `awaited` there is such a request, so that its story comes, whatever the API says now. */
  { awaited = false }: { readonly awaited?: boolean } = {},
): UseQueryResult<AnyStory> {
  return useQuery<AnyStory>({
    queryKey: ['requests', scope, 'one', id],
    queryFn: async ({ client, queryKey }) => {
      const found = await findStory(scope, id);
      if (typeof found !== 'string') return found;
      return toNoStory(found, client.getQueryData<AnyStory>(queryKey), awaited);
    },
    refetchInterval: ({ state }) => (isToCome(state.data) ? TO_COME_MS : recoverIn(state.error)),
  });
}

/**
 * What is known after the API said that there is no story. Between the end of a request and its
 * charge it says nothing of it, so one that was to come is asked for some more times.
 */
export function toNoStory(
  message: string,
  before: AnyStory | undefined,
  awaited: boolean,
): NoStory {
  const status = 'unknown';
  if (SAYS_TO_COME.test(message)) return { status, message, triesLeft: TRIES_MAX };
  if (before?.status === status) {
    return { status, message, triesLeft: Math.max(0, before.triesLeft - 1) };
  }
  return { status, message, triesLeft: awaited || SAYS_PERHAPS.test(message) ? TRIES_MAX : 0 };
}

/** Whether there is no story yet, and it is asked for again. */
export function isToCome(story: AnyStory | undefined): boolean {
  return story?.status === 'unknown' && story.triesLeft > 0;
}

/** Whether the story is not there and is asked for without anybody's click. */
export function isAwaited({ data, error }: Pick<UseQueryResult<AnyStory>, 'data' | 'error'>) {
  return data === undefined ? error === null || recoverIn(error) !== false : isToCome(data);
}

/** The story, or the sentence of the API that there is none. */
async function findStory(
  scope: RequestsOf,
  id: string,
): Promise<Exclude<AnyStory, NoStory> | string> {
  try {
    return await fetchStory(scope, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    // The newest of that name may be the one that runs: an older one is not meant.
    if (SAYS_TO_COME.test(error.message)) return error.message;
    const named = await findNamed(scope, id);
    // The story of this very id was just asked for.
    if (named === undefined || named === id) return error.message;
    return fetchStory(scope, named);
  }
}

function fetchStory(scope: RequestsOf, id: string): Promise<Story | RefusedStory> {
  const params = { path: { request_id: id } };
  return scope === 'own'
    ? unwrap(api.GET('/v1/requests/{request_id}', { params }))
    : unwrap(api.GET('/v1/admin/requests/{request_id}', { params }));
}

/** The id of the newest request whose client sent this name as X-Request-Id. */
async function findNamed(scope: RequestsOf, name: string): Promise<string | undefined> {
  const params = { query: { client_request_id: name, limit: 1 } };
  const { items } =
    scope === 'own'
      ? await unwrap(api.GET('/v1/requests', { params }))
      : await unwrap(api.GET('/v1/admin/requests', { params }));
  return items.find((one) => one.client_request_id === name)?.id;
}
