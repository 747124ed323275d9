/** The refusal of the API, or the reason why there was no answer at all. */
export class ApiError extends Error {
  /** 0 when nothing answered. */
  readonly status: number;
  readonly code: string;
  /** The field at fault, such as `max_budget` or `models[0].name`. */
  readonly param: string | undefined;
  /** The request's id, for support. */
  readonly requestId: string | undefined;
  /** After how long another try may be answered otherwise, in seconds, where the API says it. */
  readonly retryAfterS: number | undefined;

  constructor(options: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly param?: string | undefined;
    readonly requestId?: string | undefined;
    readonly retryAfterS?: number | undefined;
  }) {
    super(options.message);
    this.name = 'ApiError';
    this.status = options.status;
    this.code = options.code;
    this.param = options.param;
    this.requestId = options.requestId;
    this.retryAfterS = options.retryAfterS;
  }

  /** Whether the same request may work a moment later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 503 || this.status === 504;
  }
}

interface FailureBody {
  readonly error?: { readonly code: string; readonly message: string; readonly param?: unknown };
}

/** The error of an answer that is no success; a body that is not ours is said to be that. */
export function toApiError(response: Response, body: unknown): ApiError {
  const failure = (body as FailureBody | undefined)?.error;
  const param = failure?.param;
  return new ApiError({
    status: response.status,
    code: failure?.code ?? 'INTERNAL_ERROR',
    message: failure?.message ?? `The answer was not understood (HTTP ${response.status}).`,
    param: typeof param === 'string' ? param : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterS: Number(response.headers.get('retry-after')) || undefined,
  });
}

/** Nothing answered: the network, or a product that is not running. */
export function unreachable(): ApiError {
  return new ApiError({
    status: 0,
    code: 'UNREACHABLE',
    message: 'Tollgate does not answer.',
  });
}

/** A button that was pressed. */
export interface Press {
  /** The verb on its button. */
  readonly verb: string;
  /** A second press does no harm. */
  readonly isRepeatable: boolean;
}

/**
 * A change that nothing answered may have been made or not. Says what to do then, while still nothing
 * answers and once that is over. Undefined when something answered.
 */
export function describeUnconfirmed(
  error: Error,
  { verb, isRepeatable }: Press,
  isOver: boolean,
): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 0) return undefined;
  if (isRepeatable) {
    const when = isOver ? '' : ' when it answers';
    return `Not confirmed. Press ${verb} again${when}; it is not done twice.`;
  }
  const check = isOver ? 'Check' : 'When it answers, check';
  return `Not confirmed. ${check} whether it was done before you press ${verb} again.`;
}

/** The field of a form that the API's `param` speaks of; undefined when the form has none. */
export function fieldAtFault(error: Error | null, draft: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.param === undefined) return undefined;
  const path = error.param.replace(/\[.*$/, '').split('.');
  let value = draft;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !(step in value)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return path.join('.');
}
