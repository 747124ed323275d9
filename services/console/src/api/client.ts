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

/** A client that shows the access token, when there is one. `onExpired` hears of a 401. */
export function createApiClient(token: string | undefined, onExpired: () => void): ApiClient {
  const call = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as Envelope<Data>;
    if (response.ok) return envelope.data;
    if (response.status === 401 && token !== undefined) onExpired();
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
