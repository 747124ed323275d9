import type { EgressClient } from '@tollgate/egress';

/** Bounds of one request to an identity provider. */
export interface EgressFetchBounds {
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
}

type FetchInit = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

const METHODS = ['GET', 'HEAD', 'POST'] as const;

/**
 * The part of `fetch` that OAuth libraries use, through the egress client: no private addresses, no
 * redirects, a bound on time and size.
 */
export function createEgressFetch(egress: EgressClient, bounds: EgressFetchBounds) {
  return async (url: string, init: FetchInit = {}): Promise<Response> => {
    const method = METHODS.find((known) => known === (init.method ?? 'GET').toUpperCase());
    if (method === undefined) throw new TypeError('unsupported method');
    const body = toBody(init.body);
    const answer = await egress.requestOnce(url, {
      method,
      headers: init.headers ?? {},
      ...(body === undefined ? {} : { body }),
      timeoutMs: bounds.timeoutMs,
      responseBytesMax: bounds.responseBytesMax,
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    });
    if (answer.truncated) throw new TypeError('the answer is too long');
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
    }
    const hasBody = answer.status !== 204 && answer.status !== 304 && method !== 'HEAD';
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers,
    });
  };
}

function toBody(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) {
    return Buffer.from(body.toString());
  }
  if (body instanceof Uint8Array) return Buffer.from(body);
  throw new TypeError('unsupported body');
}
