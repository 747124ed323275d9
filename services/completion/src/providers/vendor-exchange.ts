import { AppError, type Clock, type Timer } from '@tollgate/core';
import type {
  ExchangeHandle,
  ExchangeObserver,
  FailurePhase,
  FailureReason,
  ResponseHeaders,
} from '@tollgate/egress';
import { type VendorCall, VendorFailure } from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import type { ChannelConnection } from './channel-pools';
import type { ReadLimits, VendorProtocol } from './protocol';

/** What becomes of a good answer's body. */
export interface BodySink {
  /** False pauses the vendor. Throws VendorFailure when the body makes no sense. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  /** The call failed after its head was good. */
  onFailure(failure: VendorFailure): void;
}

/** What an exchange is run with. */
export interface ExchangeParts {
  readonly connection: ChannelConnection;
  readonly protocol: VendorProtocol;
  readonly clock: Clock;
  readonly limits: ReadLimits;
  /** From sending to the first event of a stream; the whole of an answer that is none. */
  readonly answerTimeoutMs: number;
  /** From sending to the last byte. */
  readonly totalTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Called once, whatever happens. */
  readonly onOver: () => void;
}

/**
 * One HTTP exchange with a vendor.
 *
 *   sent ──good head──▶ answering ──end──▶ over
 *     └─────bad head, time, abort, reset──────▶ over
 */
export class VendorExchange implements ExchangeObserver {
  readonly #parts: ExchangeParts;
  readonly #sink: BodySink;
  readonly #stream: boolean;
  readonly #head = Promise.withResolvers<void>();
  readonly #handle: ExchangeHandle;
  #answerTimer: Timer | undefined;
  readonly #totalTimer: Timer;
  readonly #onAbort = () => this.#stop(aborted());
  #answering = false;
  #over = false;

  constructor(parts: ExchangeParts, call: VendorCall, sink: BodySink) {
    const { clock, connection, protocol, signal } = parts;
    this.#parts = parts;
    this.#sink = sink;
    this.#stream = call.stream;
    const onTimeout = () => this.#stop(timedOut());
    this.#totalTimer = clock.schedule(parts.totalTimeoutMs, onTimeout);
    if (parts.answerTimeoutMs < parts.totalTimeoutMs) {
      this.#answerTimer = clock.schedule(parts.answerTimeoutMs, onTimeout);
    }
    signal.addEventListener('abort', this.#onAbort, { once: true });
    const request = protocol.buildRequest(call);
    this.#handle = connection.pool.dispatch(
      {
        method: 'POST',
        path: `${connection.basePath}${request.path}`,
        headers: request.headers,
        body: request.body,
      },
      this,
    );
  }

  /** Resolves when the head promises an answer; rejects with VendorFailure. */
  get head(): Promise<void> {
    return this.#head.promise;
  }

  /** The first event is here: from now on only silence and the total count. */
  markAnswered(): void {
    this.#answerTimer?.cancel();
    this.#answerTimer = undefined;
  }

  pause(): void {
    this.#handle.pause();
  }

  resume(): void {
    this.#handle.resume();
  }

  abort(): void {
    this.#stop(aborted());
  }

  /** Lets a body that says nothing more come to its end, so that its connection can be used again. */
  linger(lingerMs: number): void {
    if (this.#over) return;
    this.#answerTimer?.cancel();
    this.#answerTimer = this.#parts.clock.schedule(lingerMs, () => this.#stop(aborted()));
  }

  onHead(status: number, headers: ResponseHeaders): void {
    const { protocol, limits } = this.#parts;
    const verdict = protocol.checkHead(status, headers, this.#stream);
    if (verdict === 'good') {
      this.#answering = true;
      this.#head.resolve();
    } else if (verdict === 'bad') this.#stop(protocol.toFailure(status, headers, limits));
    else {
      const internalMessage = `the vendor answered ${status} with an unexpected content type`;
      this.#stop(new VendorFailure(brokenAnswer(internalMessage), 'failure', true));
    }
  }

  onData(chunk: Buffer): boolean {
    if (this.#over) return true;
    try {
      return this.#sink.onData(chunk);
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      this.#stop(error);
      return true;
    }
  }

  onEnd(): void {
    if (this.#over) return;
    try {
      this.#sink.onEnd();
      this.#finish();
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      this.#fail(error);
    }
  }

  onFailure(error: AppError, phase: FailurePhase, reason: FailureReason): void {
    this.#fail(toVendorFailure(error, phase, reason));
  }

  #stop(failure: VendorFailure): void {
    this.#fail(failure);
    this.#handle.abort(failure);
  }

  #fail(failure: VendorFailure): void {
    if (this.#over) return;
    this.#finish();
    if (this.#answering) this.#sink.onFailure(failure);
    else this.#head.reject(failure);
  }

  #finish(): void {
    this.#over = true;
    this.#answerTimer?.cancel();
    this.#totalTimer.cancel();
    this.#parts.signal.removeEventListener('abort', this.#onAbort);
    this.#parts.onOver();
  }
}

// The vendor may have worked and will charge us: the caller is not told to try again.
function timedOut(): VendorFailure {
  const error = new AppError('UPSTREAM_TIMEOUT', { retryable: false });
  return new VendorFailure(error, 'timeout', true);
}

function brokenAnswer(internalMessage: string): AppError {
  return new AppError('UPSTREAM_ERROR', { internalMessage, retryable: false });
}

function toVendorFailure(
  error: AppError,
  phase: FailurePhase,
  reason: FailureReason,
): VendorFailure {
  const details = { internalMessage: error.message, cause: error, retryable: phase === 'connect' };
  switch (reason) {
    case 'aborted':
      return aborted();
    case 'connect_timeout':
    case 'headers_timeout':
    case 'body_timeout':
    case 'total_timeout':
      return new VendorFailure(new AppError('UPSTREAM_TIMEOUT', details), 'timeout', true);
    case 'refused':
    case 'invalid':
    case 'overloaded':
    case 'closed':
      return new VendorFailure(new AppError('SERVICE_UNAVAILABLE', details), 'not_sent', true);
    default:
      return new VendorFailure(new AppError('UPSTREAM_ERROR', details), 'failure', true);
  }
}
