import type { ApiAnswer } from './api';

/** Every failure that the API may answer, with its status. */
const ERROR_STATUS: Readonly<Record<string, number>> = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  INSUFFICIENT_BALANCE: 402,
  KEY_BUDGET_EXCEEDED: 402,
  COST_LIMIT: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMIT_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  DATABASE_ERROR: 500,
  INTERNAL_ERROR: 500,
  UPSTREAM_ERROR: 502,
  SERVICE_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
};

/** The members of a failure: of all paths, and of the format of Anthropic's clients. */
const FORMS = [
  'success,data,error,message code,message,type,param',
  'type,error type,message,code,param',
];

/** What keeps an answer from being a success or a failure of the table; undefined for good ones. */
export function faultOf({ status, body, text }: ApiAnswer): string | undefined {
  if (status < 400) return undefined;
  const error = body?.error;
  if (error === undefined || error === null) return `${status} without an error: ${text}`;
  if (ERROR_STATUS[error.code] !== status) return `${status} with ${error.code}`;
  const members = [Object.keys(body ?? {}), Object.keys(error)].map((keys) => keys.join());
  if (!FORMS.includes(members.join(' '))) return `${status} with members ${members}`;
  const succeeds = 'success' in (body ?? {}) && body?.success !== false;
  return succeeds ? `${status} that calls itself a success` : undefined;
}
