import { AppError } from '@tollgate/core';

/** A provider that cannot be reached or does not answer as it should. */
export function providerFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('UPSTREAM_ERROR', {
    publicMessage: 'The login provider failed to answer.',
    internalMessage: cause instanceof Error ? cause.message : String(cause),
    cause,
  });
}

/** A login that the person or the provider refused, or an answer that does not belong to it. */
export function loginRefused(cause?: unknown): AppError {
  return new AppError('UNAUTHORIZED', {
    publicMessage: 'The login at the provider was not completed. Please start again.',
    internalMessage: cause instanceof Error ? cause.message : 'the provider refused the login',
    cause,
  });
}
