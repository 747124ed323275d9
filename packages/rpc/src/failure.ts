import { AppError, isErrorCode, REJECTION_REASONS } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';

/** A failure as a frame carries it; internal text stays behind. */
export function toFailure(error: AppError): completionV1.Failure {
  return {
    code: error.code,
    message: error.publicMessage,
    param: error.param ?? '',
    retryAfterMs: toUint32(error.retryAfterMs ?? 0),
    retryable: error.retryable,
    rejected: [...error.rejected],
    recorded: error.recorded,
  };
}

/**
 * True when the peer is told all that we know of the failure: its log has a line for it, and one of
 * ours would say the same again.
 */
export function isFullyReported(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') return false;
  if (error.definition.httpStatus < 500) return true;
  return error.cause === undefined && error.message === error.publicMessage;
}

/** A failure must reach the peer whatever somebody put into it. */
export function toUint32(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.ceil(value)), UINT32_MAX);
}

const UINT32_MAX = 0xffff_ffff;

/** The failure that a frame carries, in the words of the error table. */
export function fromFailure(failure: completionV1.Failure): AppError {
  if (!isErrorCode(failure.code)) {
    return new AppError('INTERNAL_ERROR', { internalMessage: `unknown code ${failure.code}` });
  }
  return new AppError(failure.code, {
    ...(failure.message === '' ? {} : { publicMessage: failure.message }),
    ...(failure.param === '' ? {} : { param: failure.param }),
    ...(failure.retryAfterMs === 0 ? {} : { retryAfterMs: failure.retryAfterMs }),
    retryable: failure.retryable,
    recorded: failure.recorded,
    rejected: failure.rejected.flatMap(({ channelId, model, reason: name }) => {
      const reason = REJECTION_REASONS.find((known) => known === name);
      return reason === undefined ? [] : [{ channelId, model, reason }];
    }),
  });
}
