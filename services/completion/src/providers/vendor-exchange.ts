import { AppError, type Clock, type Timer } from '@tollgate/core';
import type {
  ExchangeHandle,
  ExchangeObserver,
  FailurePhase,
  FailureReason,
  ResponseHeaders,
} from '@tollgate/egress';
import { type VendorCall, VendorFailure } from '../domain/vendor';
import { aborted, notSent } from '../domain/vendor-failures';
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

/** Bounds of one exchange, milliseconds. Silence within the body is bounded by the connection. */
export interface ExchangeTimeouts {
  /** From the call to the moment when a connection takes the request. */
  readonly connectionMs: number;
  /** From sending to the head of the answer. */
  readonly headMs: number;
  /** From sending to the first event; undefined for an answer that is not streamed. */
  readonly firstEventMs: number | undefined;
  /** From the call to the last byte. */
  readonly totalMs: number;
}

/** What an exchange is run with. */
export interface ExchangeParts {
  readonly connection: ChannelConnection;
  readonly protocol: VendorProtocol;
  readonly clock: Clock;
  readonly limits: ReadLimits;
  readonly timeouts: ExchangeTimeouts;
  readonly signal: AbortSignal;
  /** Called once, whatever happens. */
  readonly onOver: () => void;
}

/** What is read of a refusal's body to keep its connection, and for how long. */
const DRAIN_BYTES_MAX = 64 * 1024;
const DRAIN_MS_MAX = 1000;

/**
 * One HTTP exchange with a vendor.
 *
 *   waiting ──a connection is free──▶ sent ──good head──▶ answering ──end──▶ over
 *      └────────────────────────────────┴── bad head, time, abort, reset ───▶ over
 *
 * After a bad head it is over for its caller, while the body is drained in bounds: a connection for
 * each refusal would answer a vendor that limits us with a storm of handshakes.
 */
export class VendorExchange implements ExchangeObserver {
  readonly #parts: ExchangeParts;
  readonly #sink: BodySink;
  readonly #stream: boolean;
  readonly #head = Promise.withResolvers<void>();
  readonly #handle: ExchangeHandle;
  /** The bound of the present phase. */
  #phaseTimer: Timer;
  readonly #totalTimer: Timer;
  readonly #onAbort = () => this.#stop(aborted());
  readonly #onTimeout = () => this.#stop(timedOut(this.#mayTryElsewhere));
  #sentMs: number | undefined;
  #answering = false;
  #over = false;
  #drainedBytes = 0;

  constructor(parts: ExchangeParts, call: VendorCall, sink: BodySink) {
    const { clock, connection, protocol, signal, timeouts } = parts;
    this.#parts = parts;
    this.#sink = sink;
    this.#stream = call.stream;
    // Before anything that has to be ended: a request that cannot be built leaves nothing behind.
    const request = protocol.buildRequest(call);
    this.#totalTimer = clock.schedule(timeouts.totalMs, this.#onTimeout);
    this.#phaseTimer = clock.schedule(timeouts.connectionMs, () =>
      this.#stop(notSent('no connection to the channel was free in time')),
    );
    signal.addEventListener('abort', this.#onAbort, { once: true });
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
    this.#phaseTimer.cancel();
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

  /** Ends the call with a failure that its own bytes did not cause. */
  cut(failure: VendorFailure): void {
    this.#stop(failure);
  }

  /** Lets a body that says nothing more come to its end, so that its connection can be used again. */
  linger(lingerMs: number): void {
    if (this.#over) return;
    this.#bound(lingerMs, this.#onAbort);
  }

  onSent(): void {
    if (this.#over) return;
    const { clock, timeouts } = this.#parts;
    this.#sentMs = clock.monotonicMs();
    this.#bound(timeouts.headMs, this.#onTimeout);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    if (this.#over) return;
    const { clock, protocol, limits } = this.#parts;
    const verdict = protocol.checkHead(status, headers, this.#stream);
    if (verdict === 'good') this.#begin();
    else if (verdict === 'bad') {
      this.#drain(protocol.toFailure(status, headers, limits, clock.now()));
    } else {
      const internalMessage = `the vendor answered ${status} with an unexpected content type`;
      this.#drain(new VendorFailure(brokenAnswer(internalMessage), 'failure', true));
    }
  }

  onData(chunk: Buffer): boolean {
    if (this.#over) {
      this.#drainedBytes += chunk.length;
      if (this.#drainedBytes > DRAIN_BYTES_MAX) this.#handle.abort('a refusal is too long');
      return true;
    }
    try {
      return this.#sink.onData(chunk);
    } catch (error) {
      if (!(error instanceof VendorFailure)) throw error;
      this.#stop(error);
      return true;
    }
  }

  onEnd(): void {
    this.#phaseTimer.cancel();
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
    this.#phaseTimer.cancel();
    this.#fail(toVendorFailure(error, phase, reason, this.#mayTryElsewhere));
  }

  /**
   * After a time-out. A vendor that got the request works on a whole answer until it sends it, so
   * another one would be paid for the same work.
   */
  get #mayTryElsewhere(): boolean {
    return this.#stream || this.#sentMs === undefined;
  }

  #begin(): void {
    const { clock, timeouts } = this.#parts;
    this.#answering = true;
    if (timeouts.firstEventMs === undefined) this.#phaseTimer.cancel();
    else {
      const nowMs = clock.monotonicMs();
      const takenMs = nowMs - (this.#sentMs ?? nowMs);
      this.#bound(Math.max(0, timeouts.firstEventMs - takenMs), this.#onTimeout);
    }
    this.#head.resolve();
  }

  #drain(failure: VendorFailure): void {
    this.#fail(failure);
    this.#bound(DRAIN_MS_MAX, () => this.#handle.abort('a refusal does not end'));
  }

  #bound(delayMs: number, onTimeout: () => void): void {
    this.#phaseTimer.cancel();
    this.#phaseTimer = this.#parts.clock.schedule(delayMs, onTimeout);
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
    this.#phaseTimer.cancel();
    this.#totalTimer.cancel();
    this.#parts.signal.removeEventListener('abort', this.#onAbort);
    this.#parts.onOver();
  }
}

// The vendor may have worked and will charge us: the caller is not told to try again.
function timedOut(retryElsewhere: boolean): VendorFailure {
  const error = new AppError('UPSTREAM_TIMEOUT', { retryable: false });
  return new VendorFailure(error, 'timeout', retryElsewhere);
}

function brokenAnswer(internalMessage: string): AppError {
  return new AppError('UPSTREAM_ERROR', { internalMessage, retryable: false });
}

function toVendorFailure(
  error: AppError,
  phase: FailurePhase,
  reason: FailureReason,
  afterTimeout: boolean,
): VendorFailure {
  const details = { internalMessage: error.message, cause: error, retryable: phase === 'connect' };
  switch (reason) {
    case 'aborted':
      return aborted();
    // A fault of ours in reading the answer says nothing about the vendor.
    case 'observer':
      return new VendorFailure(error, 'aborted', false);
    case 'connect_timeout':
    case 'headers_timeout':
    case 'body_timeout':
    case 'total_timeout':
      return new VendorFailure(new AppError('UPSTREAM_TIMEOUT', details), 'timeout', afterTimeout);
    case 'refused':
    case 'invalid':
    case 'overloaded':
    case 'closed':
      return new VendorFailure(new AppError('SERVICE_UNAVAILABLE', details), 'not_sent', true);
    default:
      return new VendorFailure(new AppError('UPSTREAM_ERROR', details), 'failure', true);
  }
}
