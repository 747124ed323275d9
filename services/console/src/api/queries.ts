import { QueryClient, type QueryState } from '@tanstack/react-query';
import { ApiError, toApiError } from './api-error';

const FRESH_MS = 5_000;
const RETRIES_MAX = 2;
/** How soon a query that failed is asked again, without anybody's click. */
const RECOVER_MS = 5_000;
/** How often figures on the screen are asked for again; a hidden tab asks for nothing. */
export const LIVE_MS = 10_000;
/** How long a balance or a name in a list of many is good enough. */
export const LISTED_MS = 60_000;
/** Of what is read for a name: there are many on a page, and hardly one changes. */
export const FOR_NAMES = { staleTime: LISTED_MS, refetchOnWindowFocus: false } as const;

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
export function recoverIn(error: Error | null): number | false {
  return error instanceof ApiError && error.isTransient ? RECOVER_MS : false;
}

/** Whether the API said that there is no such thing, or no more. */
export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** When what is shown live is asked for again: of a thing that is not there only a failure may pass. */
export function liveIn({ data, error }: Pick<QueryState, 'data' | 'error'>): number | false {
  return isGone(error) || (data === undefined && error !== null) ? recoverIn(error) : LIVE_MS;
}

/** What a call of the API comes to, be it a refusal. */
export interface Answer<Data> {
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
