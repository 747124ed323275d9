import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ClientPathsWithMethod } from 'openapi-fetch';
import { api } from '../session/session';
import type { ApiClient } from './client';
import type { paths } from './gen/openapi';
import { type Answer, FOR_NAMES, LIVE_MS, recoverIn, unwrap } from './queries';
import type { AnswerOf, Page, RequestOf } from './schemas';

/** Length of a page: names are looked up in lists, which come whole where that is possible. */
const PAGE_MAX = 200;
/** Length of a page of a log, which has no end: a screen or two. */
const LOG_PAGE = 50;

type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';
type PathWith<V extends Verb> = ClientPathsWithMethod<ApiClient, V>;
type OperationAt<P extends keyof paths, V extends Verb> = NonNullable<paths[P][V]>;
type AnswerAt<P extends keyof paths, V extends Verb> = AnswerOf<OperationAt<P, V>>;
type ItemAt<P extends keyof paths> =
  AnswerAt<P, 'get'> extends { items: readonly (infer Item)[] } ? Item : never;

interface Params {
  readonly path?: object;
  readonly query?: object;
}
/** Of a choice between two paths what either takes. */
type ParamsAt<P extends keyof paths, V extends Verb> = P extends keyof paths
  ? OperationAt<P, V> extends { parameters: infer Given extends Params }
    ? Given
    : never
  : never;

/** What a change is given to send; nothing where the operation takes no body. */
type InputAt<P extends keyof paths, V extends Verb> =
  unknown extends RequestOf<OperationAt<P, V>> ? undefined : RequestOf<OperationAt<P, V>>;

/**
 * One call of the API. The client knows what a path answers where the path is written out; to a hook it
 * is given, so its own signature says that.
 */
function call<Data>(
  verb: Verb,
  path: keyof paths,
  init: { readonly params: Params; readonly body?: unknown },
): Promise<Data> {
  const request = api.request as unknown as (...of: unknown[]) => Promise<Answer<Data>>;
  return unwrap(request(verb, path, init));
}

/** What one path answers. */
export function useGet<P extends PathWith<'get'>>(
  key: readonly unknown[],
  path: P,
  params: ParamsAt<P, 'get'>,
  options: Omit<UseQueryOptions<AnswerAt<P, 'get'>>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<AnswerAt<P, 'get'>> {
  return useQuery({
    ...options,
    queryKey: key,
    queryFn: () => call<AnswerAt<P, 'get'>>('get', path, { params }),
  });
}

/** All pages of a list that were asked for so far. */
export type ListQuery<Item> = UseInfiniteQueryResult<readonly Item[]>;

/** A list of the API, page by page. */
export function useList<P extends PathWith<'get'>>(
  key: readonly unknown[],
  path: P,
  params: ParamsAt<P, 'get'>,
  options: {
    readonly live?: boolean;
    readonly enabled?: boolean;
    /** A log has no end: its pages are shorter. */
    readonly isLog?: boolean;
    /** Keeps the rows of one search, and the focus in them, while the next is made. */
    readonly isSearch?: boolean;
    /** Names are looked up in it, by many rows at once. */
    readonly isForNames?: boolean;
  } = {},
): ListQuery<ItemAt<P>> {
  const limit = options.isLog === true ? LOG_PAGE : PAGE_MAX;
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => {
      const query = { ...pageQuery(pageParam, limit), ...params.query };
      return call<Page<ItemAt<P>>>('get', path, { params: { ...params, query } });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => (options.live === true ? LIVE_MS : recoverIn(state.error)),
    enabled: options.enabled ?? true,
    ...(options.isSearch === true ? { placeholderData: keepPreviousData } : {}),
    ...(options.isForNames === true ? FOR_NAMES : {}),
  });
}

/** The pages of a list, each read when it is wanted. */
export async function* eachPage<P extends PathWith<'get'>>(
  path: P,
  limit = PAGE_MAX,
): AsyncGenerator<readonly ItemAt<P>[]> {
  let cursor: string | undefined;
  do {
    const params = { query: pageQuery(cursor, limit) };
    const page = await call<Page<ItemAt<P>>>('get', path, { params });
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The parameters of a page of a list; the first has no cursor. */
function pageQuery(cursor: string | undefined, limit: number): PageQuery {
  return cursor === undefined ? { limit } : { limit, cursor };
}

interface PageQuery {
  limit: number;
  cursor?: string;
}

/** Sends what it is given to one path; the queries that this touches are asked again. */
export function useSend<V extends Verb, P extends PathWith<V>>(
  verb: V,
  path: P,
  params: ParamsAt<P, V>,
  touches: readonly (readonly unknown[])[],
): UseMutationResult<AnswerAt<P, V>, Error, InputAt<P, V>> {
  return useChangeInSteps((body) => call(verb, path, { params, body }), touches);
}

/** A change by one call of the API; the queries that it touches are asked again. */
export function useChange<Input, Output>(
  call: (input: Input) => Promise<Answer<Output>>,
  touches: readonly (readonly unknown[])[],
): UseMutationResult<Output, Error, Input> {
  return useChangeInSteps((input) => unwrap(call(input)), touches);
}

/** The same for a change that takes several calls. */
export function useChangeInSteps<Input, Output>(
  change: (input: Input) => Promise<Output>,
  touches: readonly (readonly unknown[])[],
): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all(touches.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}
