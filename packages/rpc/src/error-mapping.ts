import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import {
  AppError,
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  nano,
  REJECTION_REASONS,
  toAppError,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { toUint32 } from './wire-values';

/**
 * Errors of calls, as they cross gRPC; those of a session travel in frames, see below. The status
 * carries the nearest gRPC code for tools that know nothing of Tollgate; the trailers carry the exact
 * row of the error table. Internal text stays behind: only the public sentence travels.
 */

const CODE = 'tollgate-code';
const PARAM = 'tollgate-param';
const RETRY_AFTER_MS = 'tollgate-retry-after-ms';
const RETRYABLE = 'tollgate-retryable';
const BALANCE = 'tollgate-balance';
const SPENDING_SUSPENDED = 'tollgate-spending-suspended';

/** The status and metadata of a failed call, for grpc-js. */
export function toStatus(error: unknown): StatusObject {
  const failure = toAppError(error);
  const metadata = new Metadata();
  metadata.set(CODE, failure.code);
  if (failure.param !== undefined) metadata.set(PARAM, encodeURIComponent(failure.param));
  if (failure.retryAfterMs !== undefined) {
    metadata.set(RETRY_AFTER_MS, String(toUint32(failure.retryAfterMs)));
  }
  metadata.set(RETRYABLE, String(failure.retryable));
  if (failure.balance !== undefined) metadata.set(BALANCE, String(failure.balance));
  if (failure.spendingSuspended) metadata.set(SPENDING_SUSPENDED, 'true');
  return {
    code: status[failure.definition.grpcStatus],
    // gRPC percent-encodes the status message on the wire itself.
    details: failure.publicMessage,
    metadata,
  };
}

/** Silence: no handler answered, because the peer is away or too slow. */
export class UnansweredError extends AppError {}

/**
 * What a call that ended says of its peer. A call that was cancelled says nothing of it, and a
 * broken connection is the library's to mend.
 */
export function peerStateOf(
  code: number,
  trailers: Metadata | undefined,
): 'answered' | 'silent' | 'unknown' {
  if (text(trailers, CODE) !== undefined) return 'answered';
  if (code === status.DEADLINE_EXCEEDED) return 'silent';
  return code === status.CANCELLED || code === status.UNAVAILABLE ? 'unknown' : 'answered';
}

/** The meaning of a failed call of ours, in the words of the error table. */
export function fromStatus(received: StatusObject & { readonly message?: string }): AppError {
  const code = text(received.metadata, CODE);
  const internalMessage = received.message ?? received.details;
  if (code === undefined || !isErrorCode(code)) {
    const details = {
      internalMessage: `gRPC ${status[received.code] ?? received.code}: ${internalMessage}`,
    };
    // All else comes from a peer that is there, or from this end: cancelled, or too large to send.
    const isSilence =
      received.code === status.UNAVAILABLE || received.code === status.DEADLINE_EXCEEDED;
    const Failure = isSilence ? UnansweredError : AppError;
    return new Failure(fromTransportCode(received.code), details);
  }
  const param = text(received.metadata, PARAM);
  const retryAfter = text(received.metadata, RETRY_AFTER_MS);
  const balance = text(received.metadata, BALANCE);
  return new AppError(code, {
    publicMessage: received.details || ERROR_CODES[code].publicMessage,
    internalMessage,
    ...(param === undefined ? {} : { param: decodeURIComponent(param) }),
    ...(retryAfter === undefined ? {} : { retryAfterMs: Number(retryAfter) }),
    retryable: text(received.metadata, RETRYABLE) === 'true',
    ...(balance === undefined ? {} : { balance: nano(BigInt(balance)) }),
    spendingSuspended: text(received.metadata, SPENDING_SUSPENDED) === 'true',
  });
}

/**
 * Failures that no handler of ours produced: the peer is away, too slow or of another version, or
 * the message is larger than either end takes.
 */
function fromTransportCode(code: number): ErrorCode {
  switch (code) {
    case status.UNAVAILABLE:
    case status.DEADLINE_EXCEEDED:
    case status.CANCELLED:
    case status.RESOURCE_EXHAUSTED:
      return 'SERVICE_UNAVAILABLE';
    default:
      return 'INTERNAL_ERROR';
  }
}

function text(metadata: Metadata | undefined, key: string): string | undefined {
  const value = metadata?.get(key)[0];
  return typeof value === 'string' ? value : undefined;
}

/** A failure as a frame carries it; internal text stays behind. */
export function toFailure(error: AppError): completionV1.Failure {
  return {
    code: error.code,
    message: error.publicMessage,
    param: error.param ?? '',
    retryAfterMs: toUint32(error.retryAfterMs ?? 0),
    retryable: error.retryable,
    rejected: error.rejected.map(({ retryAfterMs = 0, ...one }) => ({
      ...one,
      retryAfterMs: toUint32(retryAfterMs),
    })),
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
    rejected: failure.rejected.flatMap(({ channelId, model, reason: name, retryAfterMs }) => {
      const reason = REJECTION_REASONS.find((known) => known === name);
      if (reason === undefined) return [];
      const one = { channelId, model, reason };
      return [retryAfterMs === 0 ? one : { ...one, retryAfterMs }];
    }),
  });
}
