import createClient, { type Client } from 'openapi-fetch';
import { unreachable } from './api-error';
import type { paths } from './gen/openapi';
import { reach } from './reach';

/** Where a client has its access token from. */
export interface TokenSource {
  /** A token that is still valid for a while; undefined when nobody is logged in. */
  current(): Promise<string | undefined>;
  /** A token in place of one that was refused; undefined when the session is over. */
  replace(refused: string): Promise<string | undefined>;
}

export type ApiClient = Client<paths>;

/** Calls the API of the origin that served the console, by the paths of its OpenAPI document. */
export function createApiClient(tokens: TokenSource): ApiClient {
  return createClient<paths>({
    baseUrl: globalThis.location?.origin ?? '',
    fetch: (request: Request) => fetchAs(tokens, request),
  });
}

/** Shows the access token, when there is one, and asks once for another on a 401. */
async function fetchAs(tokens: TokenSource, request: Request): Promise<Response> {
  const token = await tokens.current();
  if (token === undefined) return send(request);
  const again = request.clone();
  const response = await send(withBearer(request, token));
  if (response.status !== 401) return response;
  const another = await tokens.replace(token);
  return another === undefined ? response : send(withBearer(again, another));
}

function withBearer(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`);
  return request;
}

/** Sends it, and takes note of whether anything answers. */
export async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    reach.answered();
    return response;
  } catch (error) {
    // Somebody went to another page: nothing is wrong with the connection.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    reach.failed();
    throw unreachable();
  }
}

const KEY_BYTES = 16;

/** A key for all tries of one form. Works without a secure origin too. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
