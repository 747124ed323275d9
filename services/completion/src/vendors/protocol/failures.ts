import { AppError, isOutOfCredit, type JsonObject, readRetryAfterMs } from '@tollgate/core';
import type { FailurePhase, FailureReason } from '@tollgate/egress';
import { VendorFailure } from '../../domain/vendor';
import { aborted } from '../../domain/vendor-failures';
import { errorMemberOf } from './json';
import { forbiddenMeaningOf, requestFaultOf } from './request-faults';
import type { ReadBounds, VendorRefusal } from './vendor-protocol';

const RETRY_AFTER_DEFAULT_MS = 1000;

/** The meaning of a refusal for a call, whatever the vendor. */
export type RefusalKind =
  | 'credential'
  | 'rate_limited'
  | 'request'
  | 'timeout'
  /** Another channel may do better. */
  | 'failure';

/** The meaning of a status where the vendor says nothing that is more exact. */
export function kindOfStatus(status: number): RefusalKind {
  switch (status) {
    case 401:
    case 403:
      return 'credential';
    case 408:
    case 504:
      return 'timeout';
    case 429:
      return 'rate_limited';
    case 400:
    case 413:
    case 422:
      return 'request';
    default:
      return 'failure';
  }
}

/**
 * The failure that a refusal means, of a vendor without words of its own for it: by status, and by
 * what all vendors say in the body (credit, the reason of a 403, the member at fault).
 */
export function refusedByStatus(
  refusal: VendorRefusal,
  bounds: ReadBounds,
  now: number,
): VendorFailure {
  return refused(kindOfStatus(refusal.status), saidIn(refusal, now), bounds);
}

/** What a vendor said when it did not answer: in a refusal, or in an event that ended its stream. */
export interface VendorSaid {
  /** That of an event is the one that its error has in a refusal; undefined where it has none. */
  readonly status: number | undefined;
  /** The `error` member. */
  readonly error: JsonObject | undefined;
  readonly internalMessage: string;
  /** How long the vendor wants to be left alone. */
  readonly retryMs?: number | undefined;
}

export function saidIn({ body, headers, status }: VendorRefusal, now: number): VendorSaid {
  return {
    status,
    error: errorMemberOf(body),
    internalMessage: `the vendor answered ${status}`,
    retryMs: readRetryAfterMs(headers['retry-after'], now),
  };
}

/** The failure of a refused call. The vendor's words are not in it, only what they mean. */
export function refused(
  kind: RefusalKind,
  { error: said, internalMessage, retryMs = RETRY_AFTER_DEFAULT_MS, status }: VendorSaid,
  { retryAfterMsMax }: ReadBounds,
): VendorFailure {
  if (isOutOfCredit(status, said)) {
    const unpaid = `${internalMessage}: our account there is out of credit`;
    return new VendorFailure(withoutCredit(unpaid), 'credential_refused', { retryElsewhere: true });
  }
  const meaning = status === 403 ? forbiddenMeaningOf(said ?? {}) : undefined;
  if (kind === 'request' || meaning === 'request') {
    const fault = requestFaultOf(said ?? {}, internalMessage);
    return new VendorFailure(fault, 'request_refused', { retryElsewhere: false });
  }
  if (meaning === 'unclear') {
    // What one vendor forbids for the sake of the prompt, others would have to forbid as well. It is
    // reported as a refused credential, so that routing looks into it.
    const error = new AppError('UPSTREAM_ERROR', { internalMessage });
    return new VendorFailure(error, 'credential_refused', { retryElsewhere: false });
  }
  switch (kind) {
    case 'credential':
      return upstream('credential_refused', internalMessage);
    case 'failure':
      return upstream('failure', internalMessage);
    case 'timeout':
      return new VendorFailure(new AppError('UPSTREAM_TIMEOUT', { internalMessage }), 'timeout', {
        retryElsewhere: true,
      });
    case 'rate_limited': {
      const limited = rateLimited(internalMessage, Math.min(retryMs, retryAfterMsMax));
      return new VendorFailure(limited, 'rate_limited', { retryElsewhere: true });
    }
  }
}

/** An answer that cannot be understood: work was spent on it, so the client is not told to retry. */
export function unreadable(internalMessage: string): VendorFailure {
  const error = new AppError('UPSTREAM_ERROR', { internalMessage, retryable: false });
  return new VendorFailure(error, 'failure', { retryElsewhere: true });
}

/**
 * A vendor ended its stream by an event with an error. `meaningOf` has its meaning where nothing of
 * the answer had come: afterwards the vendor has spent work on it, whatever it says. Its words are
 * told when they have been looked through.
 */
export function streamEnded(
  said: VendorSaid,
  begun: boolean,
  meaningOf: (said: VendorSaid) => VendorFailure,
): VendorFailure {
  const failure = begun ? unreadable(said.internalMessage) : meaningOf(said);
  failure.untoldError = said.error;
  return failure;
}

/** What did not come within its bound, in words for operators. */
const MISSING = {
  head: 'the vendor took the request and answered nothing',
  'first event': 'the vendor began a stream and sent nothing of the answer',
  end: 'the vendor did not end its answer',
} as const;

export type MissingPart = keyof typeof MISSING;

/**
 * A bound of ours has passed. The vendor may have worked: the client is not told to try again. By the
 * words about the time `tollgate request` knows it (`describe-request.ts` of all-in-one).
 */
export function timedOut(
  missing: MissingPart,
  withinMs: number,
  retryElsewhere: boolean,
): VendorFailure {
  const internalMessage = `${MISSING[missing]} within ${withinMs} ms`;
  const error = new AppError('UPSTREAM_TIMEOUT', { internalMessage, retryable: false });
  return new VendorFailure(error, 'timeout', { retryElsewhere });
}

/** How an exchange failed, and whether another channel is worth a call after a time-out. */
export function failureOfExchange(
  error: AppError,
  phase: FailurePhase,
  reason: FailureReason,
  afterTimeout: boolean,
): VendorFailure {
  const details = { internalMessage: error.message, cause: error, retryable: phase === 'connect' };
  switch (reason) {
    case 'aborted':
      return aborted(phase !== 'connect');
    // A fault of ours in reading the answer says nothing about the vendor.
    case 'observer':
      return new VendorFailure(error, 'aborted', { retryElsewhere: false });
    case 'body_timeout': {
      const told = { ...details, internalMessage: 'the vendor fell silent within its answer' };
      return new VendorFailure(new AppError('UPSTREAM_TIMEOUT', told), 'timeout', {
        retryElsewhere: afterTimeout,
      });
    }
    case 'connect_timeout':
      return new VendorFailure(new AppError('UPSTREAM_TIMEOUT', details), 'timeout', {
        retryElsewhere: afterTimeout,
      });
    case 'refused':
    case 'invalid':
    case 'overloaded':
    case 'closed':
      return new VendorFailure(new AppError('SERVICE_UNAVAILABLE', details), 'not_sent', {
        retryElsewhere: true,
      });
    default: {
      const failure = new AppError('UPSTREAM_ERROR', details);
      return new VendorFailure(failure, 'failure', {
        retryElsewhere: true,
        retryHere: phase === 'connect',
      });
    }
  }
}

/**
 * The vendor's protocol has no way to say what the request asks; a channel of another vendor may
 * have one.
 */
export function inexpressible(param: string, sentence: string): VendorFailure {
  const error = new AppError('VALIDATION_ERROR', { param, publicMessage: sentence });
  return new VendorFailure(error, 'not_sent', { retryElsewhere: true });
}

function upstream(
  outcome: 'credential_refused' | 'failure',
  internalMessage: string,
): VendorFailure {
  return new VendorFailure(new AppError('UPSTREAM_ERROR', { internalMessage }), outcome, {
    retryElsewhere: true,
  });
}

// The client is told that waiting does not help, and not that the operator's credit there is used up.
function withoutCredit(internalMessage: string): AppError {
  return new AppError('UPSTREAM_ERROR', {
    publicMessage:
      'The model vendor does not serve this service at the moment. Whoever runs the service has to ' +
      'mend that; trying again shortly does not help.',
    internalMessage,
    retryable: false,
  });
}

// The vendor limits us, not our client: this is 503, not 429.
function rateLimited(internalMessage: string, retryAfterMs: number): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The model vendor is at its limit. Please try again shortly.',
    internalMessage,
    retryAfterMs,
  });
}

/** The vendor's stream ended before its answer did. */
export function brokenOff(): VendorFailure {
  const error = new AppError('UPSTREAM_ERROR', {
    publicMessage: 'The model vendor broke the answer off.',
    internalMessage: 'the stream ended without a finish reason',
    retryable: false,
  });
  return new VendorFailure(error, 'failure', { retryElsewhere: false });
}

/**
 * The failure that was thrown while an answer was read. A fault of our own is thrown on, to the egress
 * client that called us with what it received: it ends such an exchange as failed.
 */
export function vendorFailureIn(error: unknown): VendorFailure {
  if (error instanceof VendorFailure) return error;
  throw error;
}
