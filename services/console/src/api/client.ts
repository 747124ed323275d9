/** What the API says when it refuses. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

interface Envelope<Data> {
  readonly success: boolean;
  readonly data: Data;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Calls the API of the origin that served the console. */
export interface ApiClient {
  get<Data>(path: string): Promise<Data>;
  post<Data>(path: string, body: unknown): Promise<Data>;
  remove(path: string): Promise<void>;
}

/** Where a client has its access token from. */
export interface TokenSource {
  /** One that is still valid for a while; undefined when nobody is logged in. */
  current(): Promise<string | undefined>;
  /** Another one in place of a token that was refused; undefined when the session is over. */
  replace(refused: string): Promise<string | undefined>;
}

/** A client that shows the access token, when there is one, and asks once for another on a 401. */
export function createApiClient(tokens: TokenSource): ApiClient {
  const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const send = (token: string | undefined): Promise<Response> => {
      const headers: Record<string, string> = {};
      if (token !== undefined) headers.authorization = `Bearer ${token}`;
      if (body === undefined) return fetch(path, { method, headers });
      headers['content-type'] = 'application/json';
      return fetch(path, { method, headers, body: JSON.stringify(body) });
    };
    const token = await tokens.current();
    let response = await send(token);
    if (response.status === 401 && token !== undefined) {
      const another = await tokens.replace(token);
      if (another !== undefined) response = await send(another);
    }
    const envelope = (await response.json()) as Envelope<Data>;
    if (response.ok) return envelope.data;
    const { code, message } = envelope.error ?? { code: 'INTERNAL_ERROR', message: 'No answer.' };
    throw new ApiError(response.status, code, message);
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    remove: async (path) => {
      await call('DELETE', path);
    },
  };
}
