import {
  AppError,
  type Clock,
  type Logger,
  type Timer,
  TurnoverMap,
  toAppError,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { CallContext, CallInfo } from '../call-info';
import { isFullyReported, toFailure } from '../error-mapping';
import type { ServerDuplex } from '../server';
import { FRAME_BYTES_MAX, payloadOfResponse } from './codec';
import { FrameQueue } from './frame-queue';

/** A request of a session besides its input. */
export interface SessionCall extends CallContext {
  /** Milliseconds that the peer still waits; Infinity when it did not say. */
  readonly deadlineMs: number;
  /** Aborts when the peer cancels, or when the session breaks. */
  readonly signal: AbortSignal;
  /** Calls the listener when the last frame of the answer has been written, or never will be. */
  readonly onLeft: (listener: () => void) => void;
}

/** Where a streamed answer is written: a head, chunks, one end. */
export interface SessionOutput {
  head(head: completionV1.StreamHead): void;
  /** False when the reader is slow: stop until `drained` resolves. */
  chunk(choices: readonly Buffer[]): boolean;
  /** Resolves when the reader takes more, or when the request is over. */
  drained(): Promise<void>;
  end(end: completionV1.StreamEnd): void;
}

/** Answers the requests of a session. What is thrown becomes the failure of that request alone. */
export interface SessionHandlers {
  complete(
    input: completionV1.CompletionInput | undefined,
    call: SessionCall,
  ): Promise<completionV1.CompleteResponse>;
  stream(
    input: completionV1.CompletionInput | undefined,
    call: SessionCall,
    out: SessionOutput,
  ): Promise<void>;
}

export interface SessionOptions {
  readonly handlers: SessionHandlers;
  /** Aborts when the service begins to drain, beside the server's own signal. */
  readonly draining: AbortSignal;
  /** Whether the service takes work now; its peers hear of a change within half a second. */
  readonly ready: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Stream = ServerDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;
type ResponseFrame = completionV1.SessionResponseFrame;

/** Answers that wait for a peer that does not read; beyond them its requests are not read either. */
const QUEUE_BYTES_MAX = 8 * 1024 * 1024;

const READY_CHECK_MS = 500;

/**
 * Serves many requests on one long-lived stream. Frames of one tick of the event loop leave in one
 * message, which makes a session cheaper than a call per request. A reader that is slow pauses its
 * own request only.
 *
 * A session whose service drains takes nothing more: a request that comes nevertheless is answered
 * by a frame without an event, which says that nothing was begun. The session ends when what runs
 * has ended, so that whoever got no answer before an orderly end was not begun either.
 */
export function serveSession(
  call: CallInfo,
  stream: Stream,
  options: SessionOptions,
): Promise<void> {
  const signals = [call.draining, options.draining];
  // An end in good order that was never accepted: the peer comes again later, or goes elsewhere.
  if (signals.some((signal) => signal.aborted)) return Promise.resolve();
  const session = new Session(stream, options);
  const onDraining = () => session.drain();
  for (const signal of signals) signal.addEventListener('abort', onDraining, { once: true });
  // A stream that is cut may look like one that was closed; only the call's signal tells.
  const onGone = () => session.breakOff();
  if (call.signal.aborted) onGone();
  else call.signal.addEventListener('abort', onGone, { once: true });
  stream.accept();
  session.watchReadiness();
  return session.ended.finally(() => {
    session.close();
    call.signal.removeEventListener('abort', onGone);
    for (const signal of signals) signal.removeEventListener('abort', onDraining);
  });
}

class Session {
  readonly #stream: Stream;
  readonly #handlers: SessionHandlers;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #ready: () => boolean;
  readonly #answers = new TurnoverMap<number, SessionAnswer>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #queue: FrameQueue<ResponseFrame>;
  #draining = false;
  /** As the peer was told last. */
  #toldReady = true;
  #readyTimer: Timer | undefined;
  /** The peer closed its side or is gone, or we drain. */
  #noMoreRequests = false;
  #reading = true;

  constructor(stream: Stream, { handlers, logger, clock, ready }: SessionOptions) {
    this.#stream = stream;
    this.#handlers = handlers;
    this.#logger = logger;
    this.#clock = clock;
    this.#ready = ready;
    this.#queue = new FrameQueue<ResponseFrame>({
      write: (frames) => this.#write(frames),
      onEmpty: () => this.#endWhenIdle(),
    });
    stream.onMessage(({ frames }) => {
      for (const frame of frames) this.#onFrame(frame);
    });
    stream.onDrain(() => this.#onDrain());
    stream.onEnd(() => {
      // A peer that closed its side still reads what it asked for.
      this.#noMoreRequests = true;
      this.#endWhenIdle();
    });
  }

  /** Resolves when nothing more comes and the last request has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Tells the peer within half a second when the service takes no work, or takes it again. */
  watchReadiness(): void {
    if (this.#toldReady !== this.#ready()) this.#write([]);
    this.#readyTimer = this.#clock.schedule(READY_CHECK_MS, () => this.watchReadiness());
  }

  close(): void {
    this.#readyTimer?.cancel();
  }

  /** The peer is gone: nobody reads what runs for it. */
  breakOff(): void {
    this.#queue.close();
    this.#noMoreRequests = true;
    for (const answer of this.#answers.values()) answer.cancel();
    this.#endWhenIdle();
  }

  drain(): void {
    this.#draining = true;
    this.#noMoreRequests = true;
    this.#write([]);
    this.#endWhenIdle();
  }

  /**
   * False when the event is larger than a message may be, which would end the session. `onWritten` is
   * called when it was written, or never will be.
   */
  send(number: number, event: ResponseFrame['event'], onWritten?: () => void): boolean {
    const frame = { number, event };
    const bytes = payloadOfResponse(frame);
    if (bytes > FRAME_BYTES_MAX) {
      this.#logger.error({ bytes }, 'no frame can carry an answer');
      return false;
    }
    this.#queue.push(frame, bytes, onWritten);
    if (this.#reading && this.#queue.bytes > QUEUE_BYTES_MAX) {
      this.#reading = false;
      this.#stream.pause();
    }
    return true;
  }

  get flowing(): boolean {
    return this.#queue.flowing;
  }

  #write(frames: ResponseFrame[]): boolean {
    this.#toldReady = this.#ready();
    return this.#stream.write({ frames, draining: this.#draining, unready: !this.#toldReady });
  }

  #onFrame({ number, action }: completionV1.SessionRequestFrame): void {
    switch (action?.$case) {
      case 'open':
        void this.#open(number, action.value);
        return;
      case 'cancel':
        this.#answers.get(number)?.cancel();
        return;
      case 'pause':
        this.#answers.get(number)?.pause();
        return;
      case 'resume':
        this.#answers.get(number)?.resume();
        return;
      case undefined:
        return;
    }
  }

  async #open(number: number, { input, stream }: completionV1.OpenFrame): Promise<void> {
    if (this.#draining) {
      this.send(number, undefined);
      return;
    }
    if (this.#answers.has(number)) return;
    const answer = new SessionAnswer(this, number);
    this.#answers.set(number, answer);
    try {
      const call = toCall(input, answer);
      if (stream) {
        await this.#handlers.stream(input, call, answer);
        if (!answer.over) throw new AppError('INTERNAL_ERROR', { internalMessage: 'no end frame' });
      } else {
        const value = await this.#handlers.complete(input, call);
        answer.finish({ $case: 'complete', value });
      }
    } catch (error) {
      if (!answer.over) this.#report(input, error);
      answer.finish({ $case: 'failure', value: toFailure(toAppError(error)) });
    } finally {
      this.#answers.delete(number);
      this.#endWhenIdle();
    }
  }

  #onDrain(): void {
    this.#queue.resume();
    if (!this.#queue.flowing) return;
    for (const answer of this.#answers.values()) answer.wake();
    if (this.#reading) return;
    this.#reading = true;
    this.#stream.resume();
  }

  #endWhenIdle(): void {
    if (this.#noMoreRequests && this.#answers.size === 0 && this.#queue.empty)
      this.#ended.resolve();
  }

  /** Faults are ours to see; refusals are the peer's business. */
  #report(input: completionV1.CompletionInput | undefined, error: unknown): void {
    if (isFullyReported(error)) return;
    this.#logger.warn({ requestId: input?.requestId, error }, 'call failed');
  }
}

/** The answer to one request of a session, while it is made. */
class SessionAnswer implements SessionOutput {
  readonly #session: Session;
  readonly #number: number;
  readonly #controller = new AbortController();
  #paused = false;
  #over = false;
  #waiting: (() => void)[] = [];
  #leftListeners: (() => void)[] = [];

  constructor(session: Session, number: number) {
    this.#session = session;
    this.#number = number;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Its last frame waits to be written, or nobody waits for it any more. */
  get over(): boolean {
    return this.#over;
  }

  head(value: completionV1.StreamHead): void {
    if (!this.#over) this.#send({ $case: 'head', value });
  }

  chunk(choices: readonly Buffer[]): boolean {
    if (this.#over) return true;
    this.#send({ $case: 'chunk', value: { choices: [...choices] } });
    return this.#over || this.#flowing;
  }

  drained(): Promise<void> {
    if (this.#over || this.#flowing) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  end(value: completionV1.StreamEnd): void {
    this.finish({ $case: 'end', value });
  }

  /** Sends the last frame of the answer. */
  finish(event: ResponseFrame['event']): void {
    if (this.#over) {
      this.#leave();
      return;
    }
    this.#send(event, this.#leave);
    this.#over = true;
  }

  readonly onLeft = (listener: () => void): void => {
    this.#leftListeners.push(listener);
  };

  readonly #leave = () => {
    for (const listener of this.#leftListeners.splice(0)) listener();
  };

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller.abort('cancelled');
    this.wake();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.wake();
  }

  /** Lets the writer go on, if nothing holds it any more. */
  wake(): void {
    if (this.#waiting.length === 0 || !(this.#over || this.#flowing)) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** A frame that cannot be carried fails its own request, and ends the work on it. */
  #send(event: ResponseFrame['event'], onWritten?: () => void): void {
    if (this.#session.send(this.#number, event, onWritten)) return;
    const internalMessage = 'the answer is larger than a frame';
    const failure = toFailure(new AppError('INTERNAL_ERROR', { internalMessage }));
    this.#session.send(this.#number, { $case: 'failure', value: failure }, onWritten);
    this.cancel();
  }

  get #flowing(): boolean {
    return !this.#paused && this.#session.flowing;
  }
}

function toCall(
  input: completionV1.CompletionInput | undefined,
  { onLeft, signal }: Pick<SessionCall, 'onLeft' | 'signal'>,
): SessionCall {
  const deadlineMs = input?.deadlineMs ?? 0;
  return {
    requestId: input?.requestId ?? '',
    accountId: input?.caller?.accountId ?? '',
    traceparent: input?.traceparent ?? '',
    deadlineMs: deadlineMs > 0 ? deadlineMs : Number.POSITIVE_INFINITY,
    signal,
    onLeft,
  };
}
