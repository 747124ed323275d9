import { AppError } from '@tollgate/core';

/** No other time helps: it fails until somebody mends the document. */
export function damaged(internalMessage: string, cause?: unknown): AppError {
  return new AppError('INTERNAL_ERROR', { internalMessage, cause });
}
