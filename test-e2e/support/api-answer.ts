/** An answer as HTTP gave it. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: ApiBody | undefined;
}

/** The envelope; `data` is whatever the endpoint answers. */
export interface ApiBody {
  readonly success?: boolean;
  readonly data?: ApiData;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
  };
}

/** Loosely typed on purpose: a black-box test checks shapes, it does not assume them. */
export type ApiData = Readonly<Record<string, unknown>>;

/** Undefined of what is not JSON. */
export function parseBody(text: string): ApiBody | undefined {
  try {
    return JSON.parse(text) as ApiBody;
  } catch {
    return undefined;
  }
}

/** The data of the frames of a stream, without its end marker and its comments. */
export function eventsOf({ text }: ApiAnswer): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}
