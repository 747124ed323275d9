import { AppError } from '@tollgate/core';
import { errors } from 'undici';
import { AddressRefusedError } from './address-guard';

/**
 * How far a failed exchange had come, which decides whether it may be sent again:
 * `connect`: the vendor has certainly not seen the request;
 * `sent`: it may have seen it, no answer head arrived;
 * `body`: the answer had begun.
 */
export type FailurePhase = 'connect' | 'sent' | 'body';

/** The cause that ended the exchange; for metrics, breakers and the choice of what to do next. */
export type FailureReason =
  | 'refused'
  | 'unreachable'
  | 'connect_timeout'
  | 'body_timeout'
  | 'total_timeout'
  | 'reset'
  | 'protocol'
  | 'aborted'
  | 'overloaded'
  | 'closed'
  | 'invalid'
  | 'observer';

/** Raised inside this package where the reason is already known. */
export class EgressFault extends Error {
  override readonly name = 'EgressFault';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

const REASON_BY_CODE: Readonly<Record<string, FailureReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_BODY_TIMEOUT: 'body_timeout',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_INVALID_ARG: 'invalid',
  UND_ERR_NOT_SUPPORTED: 'invalid',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'connect_timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
};

/** Classifies whatever the transport raised. */
export function failureReason(error: unknown, phase: FailurePhase): FailureReason {
  if (error instanceof EgressFault) return error.reason;
  if (error instanceof AddressRefusedError) return 'refused';
  const code = errorCode(error);
  const known = REASON_BY_CODE[code];
  if (known === 'reset' && phase === 'connect') return 'unreachable';
  // The connection came about: its host was lost later.
  if (known === 'connect_timeout' && phase !== 'connect') return 'reset';
  if (known !== undefined) return known;
  if (error instanceof errors.HTTPParserError) return 'protocol';
  return phase === 'connect' ? 'unreachable' : 'reset';
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * The failure as the rest of the product sees it; addresses stay in the internal text, of which
 * `tollgate request` reads reason and phase (`describe-request.ts` of all-in-one).
 */
export function toAppFailure(
  error: unknown,
  phase: FailurePhase,
  reason: FailureReason,
  origin: string,
): AppError {
  const text = error instanceof Error ? error.message : String(error);
  const details = {
    internalMessage: `egress to ${origin}: ${reason} in phase ${phase}: ${text}`,
    cause: error,
    // Once the request may have been seen, sending it again may be paid for twice.
    retryable: phase === 'connect',
  };
  switch (reason) {
    case 'connect_timeout':
    case 'body_timeout':
    case 'total_timeout':
      return new AppError('UPSTREAM_TIMEOUT', {
        ...details,
        publicMessage: 'The remote server did not answer in time.',
      });
    case 'overloaded':
    case 'closed':
      return new AppError('SERVICE_UNAVAILABLE', details);
    case 'invalid':
    case 'observer':
      return new AppError('INTERNAL_ERROR', { ...details, retryable: false });
    case 'refused':
      return new AppError('UPSTREAM_ERROR', {
        ...details,
        retryable: false,
        publicMessage: 'The remote server cannot be used.',
      });
    default:
      return new AppError('UPSTREAM_ERROR', {
        ...details,
        publicMessage: 'The remote server could not be reached or broke off.',
      });
  }
}
