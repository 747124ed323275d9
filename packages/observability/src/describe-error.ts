import { types } from 'node:util';
import { AppError } from '@tollgate/core';

/** An error as a log line holds it. */
export interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Absent for failures that the product expects: their place in the code says nothing new. */
  readonly stack?: string;
  readonly cause?: ErrorDescription | string;
  /** Of an aggregate: the first few. */
  readonly errors?: readonly (ErrorDescription | string)[];
}

const CAUSES_MAX = 5;
const ERRORS_MAX = 5;
const TEXT_LENGTH_MAX = 2_000;

/**
 * Only named members are taken: libraries hang requests and documents on their errors, which must
 * not reach a log.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription | string {
  if (!isError(error)) return typeof error === 'string' ? cut(error) : `a thrown ${typeof error}`;
  const expected = error instanceof AppError && error.code !== 'INTERNAL_ERROR';
  const { code } = error as { readonly code?: unknown };
  const described = {
    type: error.name,
    message: cut(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(expected || error.stack === undefined ? {} : { stack: cut(error.stack) }),
  };
  if (depth >= CAUSES_MAX) return described;
  const nested = (item: unknown) => describeError(item, depth + 1);
  return {
    ...described,
    ...(error.cause === undefined ? {} : { cause: nested(error.cause) }),
    ...(error instanceof AggregateError
      ? { errors: error.errors.slice(0, ERRORS_MAX).map(nested) }
      : {}),
  };
}

function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function cut(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}...` : text;
}
