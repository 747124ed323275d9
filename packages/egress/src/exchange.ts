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
  /** Who shares a pool's connections with others, such as an account; all without one are one. */
  readonly owner?: string;
}

/**
 * Receives one answer: `onHead`, any number of `onData`, then exactly one of `onEnd` and
 * `onFailure`; nothing afterwards. No callback runs before `dispatch` has returned the handle,
 * except that of an `abort`, which runs within it. A callback that throws fails its own exchange:
 * after an `onEnd` that throws comes `onFailure`.
 */
export interface ExchangeObserver {
  /** It had to wait and leaves the queue of its owner: a connection is looked for from now on. */
  onTurn?(): void;
  /** A connection was free and the request goes out on it: what follows is the vendor's time. */
  onSent?(): void;
  onHead(status: number, headers: ResponseHeaders): void;
  /** The chunk may be kept. Whoever has enough calls `handle.pause()`. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  onFailure(error: AppError, phase: FailurePhase, reason: FailureReason): void;
}

/** Steers a running exchange. Every call is harmless after its end. */
export interface ExchangeHandle {
  /** False while it waits in the queue of its owner, and when it was refused. */
  readonly hasTurn: boolean;
  /** Stops reading from the socket; at most one more chunk arrives. */
  pause(): void;
  resume(): void;
  /** Ends the exchange now: `onFailure` with reason `aborted` runs before this returns. */
  abort(reason?: unknown): void;
}

/** An exchange that may begin later. */
export interface QueuedExchange extends ExchangeHandle {
  readonly owner: string;
  /** `hasWaited` when it stood in a queue: then its observer hears of its turn, and may abort it. */
  start(hasWaited: boolean): void;
}

export interface ExchangeContext {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly logger: Logger;
  /** Called once, when undici holds nothing of the exchange any more, or it ended before `start`. */
  readonly onReleased: (exchange: QueuedExchange) => void;
}

const ENDED_HANDLE: ExchangeHandle = { hasTurn: false, pause() {}, resume() {}, abort() {} };

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
  logger.error({ error }, 'a callback of an outbound exchange threw');
}

/** Mutable because an abort before sending lets go of the body while undici keeps the options. */
interface PendingOptions {
  method: ExchangeRequest['method'];
  path: string;
  headers: Record<string, string> | null;
  body: Buffer | null;
}

/** Starts an exchange on the dispatcher. */
export function startExchange(
  context: ExchangeContext,
  request: ExchangeRequest,
  observer: ExchangeObserver,
): ExchangeHandle {
  const exchange = createExchange(context, request, observer);
  exchange.start(false);
  return exchange;
}

/** Makes an exchange that does nothing before `start`, but may be aborted. */
export function createExchange(
  context: ExchangeContext,
  request: ExchangeRequest,
  observer: ExchangeObserver,
): QueuedExchange {
  return new Exchange(context, request, observer);
}

/**
 *   connect ──onRequestStart──▶ sent ──onResponseStart──▶ body ──onResponseEnd───▶ released
 *      └────────────┴── abort ──┴──▶ ended ──undici lets go──▶ released
 *
 * A class because it is undici's handler, our handle and their common state in one allocation.
 */
class Exchange implements Dispatcher.DispatchHandler, QueuedExchange {
  readonly owner: string;
  readonly #context: ExchangeContext;
  readonly #observer: ExchangeObserver;
  /** Until it is started: what waits is not copied. */
  #request: ExchangeRequest | undefined;
  #options: PendingOptions | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** `ended`: the observer heard its last word while undici still holds the exchange. */
  #state: FailurePhase | 'ended' | 'released' = 'connect';
  #hasTurn = false;
  #starting = false;
  #paused = false;

  constructor(context: ExchangeContext, request: ExchangeRequest, observer: ExchangeObserver) {
    this.#context = context;
    this.#observer = observer;
    this.owner = request.owner ?? '';
    this.#request = request;
  }

  get hasTurn(): boolean {
    return this.#hasTurn;
  }

  start(hasWaited: boolean): void {
    this.#hasTurn = true;
    if (hasWaited) this.#tell(() => this.#observer.onTurn?.());
    if (this.#request === undefined) return;
    this.#options = toPendingOptions(this.#request);
    this.#request = undefined;
    this.#starting = true;
    this.#context.dispatcher.dispatch(this.#options, this);
    this.#starting = false;
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
      if (!this.#paused && !this.#isOver) this.#controller?.resume();
    });
  }

  abort(reason?: unknown): void {
    if (this.#isOver) return;
    this.#giveUp(new EgressFault('aborted', 'aborted by its owner', reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A throw here lets go of the request before a byte is written and keeps the socket.
    if (this.#isOver) throw new EgressFault('aborted', 'aborted while it waited for a connection');
    this.#controller = controller;
    this.#state = 'sent';
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
    if (status < 200 || this.#isOver) return;
    this.#state = 'body';
    this.#tell(() => this.#observer.onHead(status, headers));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#observer.onData(chunk);
    } catch (error) {
      this.#failObserver(error);
    }
  }

  onResponseEnd(): void {
    const phase = this.#release();
    if (phase === undefined) return;
    try {
      this.#observer.onEnd();
    } catch (error) {
      reportObserver(this.#context.logger, error);
      this.#tellFailure(new EgressFault('observer', 'a callback threw', error), phase);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const phase = this.#release();
    if (phase === undefined) return;
    if (this.#starting) queueMicrotask(() => this.#tellFailure(error, phase));
    else this.#tellFailure(error, phase);
  }

  get #isOver(): boolean {
    return this.#state === 'ended' || this.#state === 'released';
  }

  #tellSent(): void {
    if (!this.#isOver) this.#tell(() => this.#observer.onSent?.());
  }

  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#failObserver(error);
    }
  }

  #failObserver(error: unknown): void {
    reportObserver(this.#context.logger, error);
    this.#giveUp(new EgressFault('observer', 'a callback threw', error));
  }

  #giveUp(fault: EgressFault): void {
    this.#fail(fault);
    this.#request = undefined;
    if (this.#options === undefined) {
      this.#release();
      return;
    }
    this.#options.body = null;
    this.#options.headers = null;
    this.#controller?.abort(fault);
  }

  /** Tells the observer of a fault of ours; undici still holds the exchange. */
  #fail(fault: EgressFault): void {
    const phase = this.#state;
    if (phase === 'ended' || phase === 'released') return;
    this.#state = 'ended';
    this.#tellFailure(fault, phase);
  }

  #tellFailure(error: unknown, phase: FailurePhase): void {
    const { logger, origin } = this.#context;
    const reason = failureReason(error, phase);
    try {
      this.#observer.onFailure(toAppFailure(error, phase, reason, origin), phase, reason);
    } catch (thrown) {
      reportObserver(logger, thrown);
    }
  }

  /** Undici lets go: answers how far it was when nobody has told the observer of an end. */
  #release(): FailurePhase | undefined {
    const state = this.#state;
    if (state === 'released') return undefined;
    this.#state = 'released';
    this.#context.onReleased(this);
    return state === 'ended' ? undefined : state;
  }
}

function toPendingOptions(request: ExchangeRequest): PendingOptions {
  const { body, headers = null, method, path } = request;
  const bytes = body === undefined ? null : Buffer.isBuffer(body) ? body : Buffer.concat(body);
  return { method, path, headers, body: bytes };
}
