import { type ApiAnswer, type ApiData, parseBody } from './api-answer';
import { requireDocumented } from './openapi/documented-answers';

export type { ApiAnswer, ApiBody, ApiData } from './api-answer';

/** Calls the API with a bearer. */
export interface Api {
  readonly baseUrl: string;
  request(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ApiAnswer>;
  /** The `data` of a 2xx answer; throws with the whole answer otherwise. */
  get(path: string): Promise<ApiData>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiData>;
  put(path: string, body: unknown): Promise<ApiData>;
}

/** Far beyond any wait the product has: a request that hangs names itself before its test is over. */
const ANSWER_MAX_MS = 90_000;

/** Until its last byte. */
async function answerOf(url: string, init: RequestInit): Promise<readonly [Response, string]> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MAX_MS) });
    return [response, await response.text()];
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error;
    const asked = `${init.method} ${url} ${String(init.body ?? '').slice(0, 500)}`;
    throw new Error(`no answer within ${ANSWER_MAX_MS} ms: ${asked}`, { cause: error });
  }
}

/**
 * An API client without any knowledge of the product but its base address. An answer that differs
 * from the document that the product serves fails the test, whatever the test is about.
 */
export function createApi(baseUrl: string, bearer: string | undefined): Api {
  const request: Api['request'] = async (method, path, options = {}) => {
    const headers: Record<string, string> = { ...options.headers };
    if (bearer !== undefined) headers.authorization ??= `Bearer ${bearer}`;
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (options.body !== undefined) {
      headers['content-type'] ??= 'application/json';
      init.body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    }
    const [response, text] = await answerOf(`${baseUrl}${path}`, init);
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: parseBody(text),
    };
    await requireDocumented(baseUrl, { method, path }, answer);
    return answer;
  };
  const data = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await request(method, path, { body, headers });
    if (answer.status >= 300 || answer.body?.data === undefined) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
    return answer.body.data;
  };
  return {
    baseUrl,
    request,
    get: (path) => data('GET', path),
    post: (path, body, headers) => data('POST', path, body, headers),
    put: (path, body) => data('PUT', path, body),
  };
}

/** Nano-units of a decimal amount such as `"9.999983"`, exact. */
export function toNano(amount: unknown): bigint {
  const match = /^(-?)(\d+)\.(\d{2,9})$/.exec(String(amount));
  if (match === null) throw new Error(`no amount: ${String(amount)}`);
  const [, sign, whole = '0', fraction = ''] = match;
  const nano = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}
