import { AppError } from '@tollgate/core';

/** A refusal that names the request field at fault, as callers read it in `error.param`. */
export function invalid(param: string, publicMessage: string): AppError {
  return new AppError('VALIDATION_ERROR', { param, publicMessage });
}
