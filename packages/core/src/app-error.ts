import { ERROR_CODES, type ErrorCode, type ErrorDefinition } from './error-codes';
import type { Nano } from './money';

/** Details of a failure besides its code. Public and internal text never mix. */
export interface AppErrorDetails {
  /** Shown to the client; the table's sentence when absent. Never holds a secret or a foreign id. */
  readonly publicMessage?: string;
  /** For logs only. */
  readonly internalMessage?: string;
  /** The request field at fault, as clients read it in `error.param`. */
  readonly param?: string;
  /** How long the client should wait, milliseconds, at least 0. */
  readonly retryAfterMs?: number;
  /** Overrides the table, for example when work may already have been spent at a vendor. */
  readonly retryable?: boolean;
  /** For operators only: why no channel could take the request. */
  readonly rejected?: readonly RejectedCandidate[];
  /** A vendor was asked: the request has a usage record, which tells its story. */
  readonly recorded?: boolean;
  /** What the account has, reserved or not, where a refusal for want of money knows it. */
  readonly balance?: Nano;
  /** The account has less than it keeps by `suspend_below`: it spends nothing, whatever it has. */
  readonly spendingSuspended?: boolean;
  readonly cause?: unknown;
}

/** A channel that was passed over, with its model. */
export interface RejectedCandidate {
  readonly channelId: string;
  readonly model: string;
  readonly reason: RejectionReason;
  /** How long its vendor still wanted to be left alone; absent when it did not. */
  readonly retryAfterMs?: number;
}

/**
 * `failing`: the breaker of the model at the channel is open; `cooling_down`: the vendor limits us;
 * `busy`: the concurrency of the channel is used up; `gone`: it cannot be called; `too_dear`: the
 * answer would cost more than the client allows; `unfit`: it cannot serve such a request at all.
 */
export const REJECTION_REASONS = [
  'failing',
  'cooling_down',
  'busy',
  'gone',
  'too_dear',
  'unfit',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Named for one request at most. */
export const REJECTED_MAX = 10;

/** The one error class that crosses layers: a row of the error table plus what happened here. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryable: boolean;
  readonly rejected: readonly RejectedCandidate[];
  readonly recorded: boolean;
  /** Between services only. */
  readonly spendingSuspended: boolean;
  /** Private: a logger that writes members would throw at a bigint, which JSON does not have. */
  readonly #balance: Nano | undefined;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    const definition = ERROR_CODES[code];
    const publicMessage = details.publicMessage ?? definition.publicMessage;
    super(
      details.internalMessage ?? publicMessage,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.publicMessage = publicMessage;
    this.param = details.param;
    this.retryAfterMs = details.retryAfterMs;
    this.retryable = details.retryable ?? definition.retryable;
    this.rejected = details.rejected ?? [];
    this.recorded = details.recorded ?? false;
    this.spendingSuspended = details.spendingSuspended ?? false;
    this.#balance = details.balance;
  }

  /** Between services only: a key without the scope billing may not read it. */
  get balance(): Nano | undefined {
    return this.#balance;
  }

  /** The table row: HTTP status, gRPC status and type. */
  get definition(): ErrorDefinition {
    return ERROR_CODES[this.code];
  }
}

/** Everything was published but the events of these keys. */
export class EventKeysRefused extends AppError {
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>, details: AppErrorDetails) {
    super('SERVICE_UNAVAILABLE', details);
    this.keys = keys;
  }
}

/** A refusal that names the request field at fault. */
export function invalid(param: string, publicMessage: string): AppError {
  return new AppError('VALIDATION_ERROR', { param, publicMessage });
}

/** Whether the failure has this code of the table. */
export function isCode(error: unknown, code: ErrorCode): error is AppError {
  return error instanceof AppError && error.code === code;
}

/**
 * A store or a service is away or busy: all of the work is tried again later. Any other failure, an
 * INTERNAL_ERROR included, is the fault of one item and comes again with it.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof AppError && error.retryable && error.code !== 'INTERNAL_ERROR';
}

/** Passes an AppError through and wraps anything else as INTERNAL_ERROR with the cause kept. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const internalMessage = error instanceof Error ? error.message : String(error);
  return new AppError('INTERNAL_ERROR', { internalMessage, cause: error });
}

/** Ends an exhaustive switch: a new variant is a compile error here, and a crash if one slips in. */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`);
}
