/** A response, read whole. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty when it is no JSON. */
  readonly json: {
    readonly success?: boolean;
    readonly data?: Record<string, unknown>;
    readonly message?: string | null;
    readonly error?: { code: string; message: string; type: string; param: string | null };
  } & Record<string, unknown>;
}

/** What is sent; the body is JSON unless it is text or bytes. */
export interface SentRequest {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to a gateway, redirects not followed. */
export async function sendRequest(
  baseUrl: string,
  method: string,
  path: string,
  { key, body, headers }: SentRequest = {},
): Promise<ReceivedResponse> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (isJson && text !== '' ? JSON.parse(text) : {}) as ReceivedResponse['json'],
  };
}

/** A chat request that is valid. */
export const CHAT = { model: 'small-chat', messages: [{ role: 'user', content: 'hello' }] };
