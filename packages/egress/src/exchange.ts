import type { AppError, Logger } from '@tollgate/core';
import type { Dispatcher } from 'undici';
import {
  EgressFault,
  type FailurePhase,
  type FailureReason,
  failureReason,
  toAppFailure,
} from './failure';

/** Header names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One outbound request. The body is sent with its length, never chunked. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, starting with a slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | readonly Buffer[];
  /** Overrides the pool's bound on the wait for the answer's head; 0 is none. */
  readonly headersTimeoutMs?: number;
  /** Overrides the pool's bound on silence within the answer's body; 0 is none. */
  readonly bodyTimeoutMs?: number;
}

/**
 * Receives one answer: `onHead`, any number of `onData`, then exactly one of `onEnd` and
 * `onFailure`; nothing afterwards. No callback runs before `dispatch` has returned the handle,
 * except that of an `abort`, which runs within it. A callback that throws fails its own exchange:
 * after an `onEnd` that throws comes `onFailure`.
 */
export interface ExchangeObserver {
  /** A connection was free and the request goes out on it: what follows is the vendor's time. */
  onSent?(): void;
  onHead(status: number, headers: ResponseHeaders): void;
  /** The chunk may be kept. Returning false pauses, as `handle.pause()` does. */
  onData(chunk: Buffer): boolean | undefined;
  onEnd(): void;
  onFailure(error: AppError, phase: FailurePhase, reason: FailureReason): void;
}

/** Steers a running exchange. Every call is harmless after its end. */
export interface ExchangeHandle {
  /** Stops reading from the socket; at most one more chunk arrives. */
  pause(): void;
  resume(): void;
  /** Ends the exchange now: `onFailure` with reason `aborted` runs before this returns. */
  abort(reason?: unknown): void;
}

/** What an exchange is run with. */
export interface ExchangeContext {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly logger: Logger;
  /** Called once, when undici holds nothing of the exchange any more. */
  readonly onReleased: () => void;
}

const ENDED_HANDLE: ExchangeHandle = { pause() {}, resume() {}, abort() {} };

/** Refuses an exchange before it starts, with the same order of calls as one that fails later. */
export function refuseExchange(
  context: Pick<ExchangeContext, 'origin' | 'logger'>,
  fault: EgressFault,
  observer: ExchangeObserver,
): ExchangeHandle {
  const error = toAppFailure(fault, 'connect', fault.reason, context.origin);
  queueMicrotask(() => {
    try {
      observer.onFailure(error, 'connect', fault.reason);
    } catch (thrown) {
      reportObserver(context.logger, thrown);
    }
  });
  return ENDED_HANDLE;
}

/** An error thrown into undici's last callbacks would become an uncaught 'error' event. */
function reportObserver(logger: Logger, error: unknown): void {
  logger.error({ err: error }, 'a callback of an outbound exchange threw');
}

/** Mutable because an abort before sending lets go of the body while undici keeps the options. */
interface PendingOptions {
  method: ExchangeRequest['method'];
  path: string;
  headers: Record<string, string> | null;
  body: Buffer | null;
  headersTimeout?: number;
  bodyTimeout?: number;
}

/** Starts an exchange on the dispatcher. */
export function startExchange(
  context: ExchangeContext,
  request: ExchangeRequest,
  observer: ExchangeObserver,
): ExchangeHandle {
  return new Exchange(context, request, observer).start();
}

/**
 *   queued ──onRequestStart──▶ sent ──onResponseStart──▶ body ──onResponseEnd──▶ ended
 *      └───────────────┴── error or abort ──┴──▶ ended
 *
 * A class because it is undici's handler, our handle and their common state in one allocation.
 */
class Exchange implements Dispatcher.DispatchHandler, ExchangeHandle {
  readonly #context: ExchangeContext;
  readonly #observer: ExchangeObserver;
  readonly #options: PendingOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #phase: FailurePhase = 'connect';
  #ended = false;
  #released = false;
  #starting = true;
  #paused = false;

  constructor(context: ExchangeContext, request: ExchangeRequest, observer: ExchangeObserver) {
    this.#context = context;
    this.#observer = observer;
    this.#options = toPendingOptions(request);
  }

  start(): ExchangeHandle {
    this.#context.dispatcher.dispatch(this.#options, this);
    this.#starting = false;
    return this;
  }

  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    // undici's parser must not be re-entered from within another exchange's callback.
    queueMicrotask(() => {
      if (!this.#paused && !this.#ended) this.#controller?.resume();
    });
  }

  abort(reason?: unknown): void {
    if (this.#ended) return;
    const fault = new EgressFault('aborted', 'aborted by its owner', reason);
    this.#fail(fault);
    this.#options.body = null;
    this.#options.headers = null;
    this.#controller?.abort(fault);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A throw here lets go of the request before a byte is written and keeps the socket.
    if (this.#ended) throw new EgressFault('aborted', 'aborted while it waited for a connection');
    this.#controller = controller;
    this.#phase = 'sent';
    if (this.#paused) controller.pause();
    // A connection that waits takes the request within `dispatch`, whose caller has no handle yet.
    if (this.#starting) queueMicrotask(() => this.#tellSent());
    else this.#tellSent();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    // Informational heads such as 103 precede the real one.
    if (status < 200 || this.#ended) return;
    this.#phase = 'body';
    try {
      this.#observer.onHead(status, headers);
    } catch (error) {
      this.#failObserver(error);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    try {
      if (this.#observer.onData(chunk) === false) this.pause();
    } catch (error) {
      this.#failObserver(error);
    }
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#ended) return;
    this.#ended = true;
    try {
      this.#observer.onEnd();
    } catch (error) {
      this.#ended = false;
      this.#failObserver(error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release();
    if (this.#ended) return;
    if (this.#starting) queueMicrotask(() => this.#fail(error));
    else this.#fail(error);
  }

  #tellSent(): void {
    if (this.#ended) return;
    try {
      this.#observer.onSent?.();
    } catch (error) {
      this.#failObserver(error);
    }
  }

  #failObserver(error: unknown): void {
    reportObserver(this.#context.logger, error);
    const fault = new EgressFault('observer', 'a callback threw', error);
    this.#fail(fault);
    // After its end the connection may carry another exchange already.
    if (!this.#released) this.#controller?.abort(fault);
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const phase = this.#phase;
    const reason = failureReason(error, phase);
    try {
      this.#observer.onFailure(
        toAppFailure(error, phase, reason, this.#context.origin),
        phase,
        reason,
      );
    } catch (thrown) {
      reportObserver(this.#context.logger, thrown);
    }
  }

  #release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#context.onReleased();
  }
}

function toPendingOptions(request: ExchangeRequest): PendingOptions {
  const { body } = request;
  const options: PendingOptions = {
    method: request.method,
    path: request.path,
    headers: request.headers ?? null,
    body: body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.concat(body),
  };
  if (request.headersTimeoutMs !== undefined) options.headersTimeout = request.headersTimeoutMs;
  if (request.bodyTimeoutMs !== undefined) options.bodyTimeout = request.bodyTimeoutMs;
  return options;
}
