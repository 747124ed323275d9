/**
 * The closed table of everything that Tollgate can answer when it fails. Both edges (HTTP in the
 * gateway, gRPC in packages/rpc) map from this table and nowhere else; `docs/errors/<CODE>.md` has
 * one page per row.
 */

/** The error families that OpenAI-compatible client libraries read from `error.type`. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'insufficient_quota'
  | 'rate_limit_error'
  | 'upstream_error'
  | 'server_error';

/** gRPC status names, as in google.golang.org/grpc/codes. */
export type GrpcStatusName =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'UNIMPLEMENTED'
  | 'OUT_OF_RANGE'
  | 'DATA_LOSS';

/** One row of the table. */
export interface ErrorDefinition {
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatusName;
  readonly type: ErrorType;
  /** Whether the same request may succeed later without a change by the client. */
  readonly retryable: boolean;
  /** The sentence a client sees when the place that failed has nothing more exact to say. */
  readonly publicMessage: string;
  /** OpenAI's name of it: `error.code` in the formats whose client libraries know that one. */
  readonly openaiCode?: string;
}

/** Binds every row to the shape while it keeps the literal key names. */
function defineErrors<Code extends string>(
  table: Record<Code, ErrorDefinition>,
): Readonly<Record<Code, ErrorDefinition>> {
  return Object.freeze(table);
}

export const ERROR_CODES = defineErrors({
  VALIDATION_ERROR: {
    httpStatus: 400,
    grpcStatus: 'INVALID_ARGUMENT',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The request is not valid.',
  },
  CONTEXT_LENGTH_EXCEEDED: {
    httpStatus: 400,
    grpcStatus: 'OUT_OF_RANGE',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: "The messages are longer than the model's context.",
    openaiCode: 'context_length_exceeded',
  },
  CONTENT_POLICY: {
    httpStatus: 400,
    grpcStatus: 'FAILED_PRECONDITION',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: "The model vendor's content policy does not allow this request.",
    openaiCode: 'content_policy_violation',
  },
  UNAUTHORIZED: {
    httpStatus: 401,
    grpcStatus: 'UNAUTHENTICATED',
    type: 'authentication_error',
    retryable: false,
    publicMessage: 'The API key or access token is missing or not valid.',
  },
  INVALID_CREDENTIALS: {
    httpStatus: 401,
    grpcStatus: 'UNAUTHENTICATED',
    type: 'authentication_error',
    retryable: false,
    publicMessage: 'The email or password is wrong.',
  },
  INSUFFICIENT_BALANCE: {
    httpStatus: 402,
    grpcStatus: 'FAILED_PRECONDITION',
    type: 'insufficient_quota',
    retryable: false,
    publicMessage: 'The balance is too low for this request. Please top up and try again.',
  },
  KEY_BUDGET_EXCEEDED: {
    httpStatus: 402,
    grpcStatus: 'FAILED_PRECONDITION',
    type: 'insufficient_quota',
    retryable: false,
    publicMessage: 'The budget of this API key is used up for its current period.',
  },
  COST_LIMIT: {
    httpStatus: 402,
    grpcStatus: 'FAILED_PRECONDITION',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The request would cost more than X-Tollgate-Max-Cost allows.',
  },
  FORBIDDEN: {
    httpStatus: 403,
    grpcStatus: 'PERMISSION_DENIED',
    type: 'permission_error',
    retryable: false,
    publicMessage: 'You are not allowed to do this.',
  },
  NOT_FOUND: {
    httpStatus: 404,
    grpcStatus: 'NOT_FOUND',
    type: 'not_found_error',
    retryable: false,
    publicMessage: 'This resource does not exist.',
  },
  METHOD_NOT_ALLOWED: {
    httpStatus: 405,
    grpcStatus: 'UNIMPLEMENTED',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'This path does not support this method.',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    grpcStatus: 'DEADLINE_EXCEEDED',
    type: 'invalid_request_error',
    retryable: true,
    publicMessage: 'The request did not arrive in time. Please send it again.',
  },
  CONFLICT: {
    httpStatus: 409,
    grpcStatus: 'ALREADY_EXISTS',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The request conflicts with the present state of the resource.',
  },
  PAYLOAD_TOO_LARGE: {
    httpStatus: 413,
    grpcStatus: 'OUT_OF_RANGE',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The request body is too large.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    httpStatus: 415,
    grpcStatus: 'INVALID_ARGUMENT',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The request body must be JSON: send Content-Type: application/json.',
  },
  IDEMPOTENCY_MISMATCH: {
    httpStatus: 422,
    grpcStatus: 'FAILED_PRECONDITION',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'This Idempotency-Key was used before with another request.',
  },
  RATE_LIMIT_EXCEEDED: {
    httpStatus: 429,
    grpcStatus: 'RESOURCE_EXHAUSTED',
    type: 'rate_limit_error',
    retryable: true,
    publicMessage: 'A rate limit is reached. Please wait and try again.',
  },
  HEADERS_TOO_LARGE: {
    httpStatus: 431,
    grpcStatus: 'OUT_OF_RANGE',
    type: 'invalid_request_error',
    retryable: false,
    publicMessage: 'The headers of the request are too large.',
  },
  DATABASE_ERROR: {
    httpStatus: 500,
    grpcStatus: 'DATA_LOSS',
    type: 'server_error',
    retryable: true,
    publicMessage: 'The database answered with an error. Please try again.',
  },
  INTERNAL_ERROR: {
    httpStatus: 500,
    grpcStatus: 'INTERNAL',
    type: 'server_error',
    retryable: true,
    publicMessage: 'An internal error occurred. Please try again.',
  },
  UPSTREAM_ERROR: {
    httpStatus: 502,
    grpcStatus: 'ABORTED',
    type: 'upstream_error',
    retryable: true,
    publicMessage: 'The model vendor failed to answer.',
  },
  SERVICE_UNAVAILABLE: {
    httpStatus: 503,
    grpcStatus: 'UNAVAILABLE',
    type: 'server_error',
    retryable: true,
    publicMessage: 'The service is temporarily unavailable. Please try again shortly.',
  },
  UPSTREAM_TIMEOUT: {
    httpStatus: 504,
    grpcStatus: 'DEADLINE_EXCEEDED',
    type: 'upstream_error',
    retryable: true,
    publicMessage: 'The model vendor did not answer in time.',
  },
});

/** A code of the closed table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Narrows text from the wire; an unknown code from a newer peer is not ours to invent. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}
