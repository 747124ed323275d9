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
