import {
  keepPreviousData,
  QueryClient,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, toApiError } from './api-error';
import type { Page } from './schemas';

const FRESH_MS = 5_000;
const RETRIES_MAX = 2;
/** How soon a query that failed is asked again, without anybody's click. */
const RECOVER_MS = 5_000;
/** How often figures on the screen are asked for again; a hidden tab asks for nothing. */
export const LIVE_MS = 10_000;
/** Length of a page: names are looked up in lists, which come whole where that is possible. */
const PAGE_MAX = 200;
/** Length of a page of a log, which has no end: a screen or two. */
const HISTORY_PAGE = 50;

/**
 * A request is repeated only where that can help, and only when it reads. A browser
 * without a network is asked like any other: the product may run on the same machine.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (count, error) =>
          count < RETRIES_MAX && error instanceof ApiError && error.isTransient,
        refetchInterval: ({ state }) => recoverIn(state.error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Whether, and when, a query that failed is asked again by itself. */
function recoverIn(error: Error | null): number | false {
  return error instanceof ApiError && error.isTransient ? RECOVER_MS : false;
}

/** What a call of the API comes to, be it a refusal. */
interface Answer<Data> {
  /** A text where the operation has one, such as CSV, that was not asked for here. */
  readonly data?: { readonly data: Data } | string;
  readonly error?: unknown;
  readonly response: Response;
}

/** An answer that was asked for as a text, such as CSV; throws what the API said otherwise. */
export async function unwrapText(
  call: Promise<{ readonly data?: string; readonly error?: unknown; readonly response: Response }>,
): Promise<string> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined) throw toApiError(response, error);
  return data;
}

/** The payload of an enveloped answer; throws what the API said otherwise. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok || data === undefined || typeof data === 'string') {
    throw toApiError(response, error);
  }
  return data.data;
}

/** All pages of a list that were asked for so far. */
export type ListQuery<Item> = UseInfiniteQueryResult<readonly Item[]>;

/** A list of the API, page by page. */
export function useList<Item>(options: {
  readonly key: readonly unknown[];
  readonly load: (cursor: string | undefined) => Promise<Answer<Page<Item>>>;
  readonly live?: boolean;
  readonly enabled?: boolean;
  /** Keeps the rows of one search, and the focus in them, while the next is made. */
  readonly isSearch?: boolean;
}): ListQuery<Item> {
  return useInfiniteQuery({
    queryKey: options.key,
    queryFn: ({ pageParam }) => unwrap(options.load(pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => (options.live === true ? LIVE_MS : recoverIn(state.error)),
    enabled: options.enabled ?? true,
    ...(options.isSearch === true ? { placeholderData: keepPreviousData } : {}),
  });
}

/** The parameters of a page of a list; the first has no cursor. */
export function pageQuery(cursor: string | undefined, limit = PAGE_MAX): PageQuery {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** The parameters of a page of a log. */
export function historyQuery(cursor: string | undefined): PageQuery {
  return pageQuery(cursor, HISTORY_PAGE);
}

interface PageQuery {
  limit: number;
  cursor?: string;
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

const KEY_BYTES = 16;

/** A key for all tries of one form. Works without a secure origin too. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
