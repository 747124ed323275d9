import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { type ClientDuplex, FRAME_BYTES_MAX, FrameQueue, payloadOfRequest } from '@tollgate/rpc';
import { NotBegunError } from './completion-client';
import type { CompletionCarrier, CompletionRequest } from './completion-request';

/** The stream that a session runs on. */
export type SessionStream = ClientDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;
type RequestFrame = completionV1.SessionRequestFrame;

/** What a session tells whoever keeps it. */
export interface CompletionSessionListener {
  /** The instance serves it: what waited is sent. */
  onAccept(): void;
  /** Nothing more shall be opened here: the instance drains, or the numbers are used up. */
  onRetire(draining: boolean): void;
  /** Whether the instance takes work, as its last message said. */
  onReadiness(ready: boolean): void;
  /** Called once, after every request of the session was told. */
  onOver(error: AppError | undefined): void;
}

/** Bounds of one session. */
export interface CompletionSessionLimits {
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** The last number that a request may have. */
  readonly numberMax: number;
}

/**
 * Many requests on one stream to one instance. Before the instance accepts the stream they wait, so
 * that it is known that they were not begun if it never does.
 */
export class CompletionSession implements CompletionCarrier {
  readonly #stream: SessionStream;
  readonly #listener: CompletionSessionListener;
  readonly #limits: CompletionSessionLimits;
  readonly #running = new Map<number, CompletionRequest>();
  readonly #queue: FrameQueue<RequestFrame>;
  #number = 0;
  #dropped = false;
  #retired = false;
  #closing = false;
  #over = false;

  constructor(
    stream: SessionStream,
    limits: CompletionSessionLimits,
    listener: CompletionSessionListener,
  ) {
    this.#stream = stream;
    this.#listener = listener;
    this.#limits = limits;
    this.#queue = new FrameQueue<RequestFrame>({
      write: (frames) => this.#write(frames),
      onEmpty: () => this.#closeWhenIdle(),
    });
    this.#queue.hold();
    stream.onAccept(() => {
      if (this.#over) return;
      this.#listener.onAccept();
      this.#queue.resume();
    });
    stream.onMessage((message) => this.#onMessage(message));
    stream.onDrain(() => this.#queue.resume());
    stream.onEnd((error) => this.#finish(error));
  }

  open(request: CompletionRequest): void {
    const { input, stream } = request.options;
    const frame: RequestFrame = {
      number: this.#number + 1,
      action: { $case: 'open', value: { input, stream } },
    };
    const bytes = payloadOfRequest(frame);
    if (bytes > FRAME_BYTES_MAX) {
      request.fail(new AppError('PAYLOAD_TOO_LARGE'));
      return;
    }
    if (this.#over || this.#queue.bytes + bytes > this.#limits.queueBytesMax) {
      request.fail(new NotBegunError('too much waits to be sent to completion'));
      return;
    }
    this.#number += 1;
    request.number = this.#number;
    request.carrier = this;
    this.#running.set(this.#number, request);
    this.#queue.push(frame, bytes);
    if (this.#number >= this.#limits.numberMax) this.#retire(false);
  }

  drop(request: CompletionRequest): void {
    if (!this.#running.delete(request.number)) return;
    if (request.sent) {
      this.#queue.push({ number: request.number, action: { $case: 'cancel', value: true } }, 0);
    } else {
      this.#dropped = true;
    }
    this.#closeWhenIdle();
  }

  setPaused({ number }: CompletionRequest, paused: boolean): void {
    const $case = paused ? 'pause' : 'resume';
    this.#queue.push({ number, action: { $case, value: true } }, 0);
  }

  /** Ends the stream now, and what runs on it. */
  cut(error: AppError | undefined): void {
    this.#queue.flush();
    this.#finish(error);
    this.#stream.cancel();
  }

  #onMessage({ frames, draining, unready }: completionV1.SessionResponse): void {
    for (const { number, event } of frames) {
      const request = this.#running.get(number);
      // Whoever was dropped is not listened to any more.
      if (request === undefined) continue;
      if (request.accept(event)) this.#running.delete(number);
    }
    this.#listener.onReadiness(!unready);
    if (draining) this.#retire(true);
    else this.#closeWhenIdle();
  }

  #write(frames: RequestFrame[]): boolean {
    const wanted = this.#dropped ? frames.filter((frame) => this.#isWanted(frame)) : frames;
    if (this.#dropped && this.#queue.empty) this.#dropped = false;
    if (wanted.length === 0) return true;
    for (const { number, action } of wanted) {
      if (action?.$case !== 'open') continue;
      const request = this.#running.get(number);
      if (request !== undefined) request.sent = true;
    }
    return this.#stream.write({ frames: wanted });
  }

  /** What was dropped before it left need not leave. */
  #isWanted({ number, action }: RequestFrame): boolean {
    return action?.$case === 'cancel' || this.#running.has(number);
  }

  #retire(draining: boolean): void {
    if (this.#retired || this.#over) return;
    this.#retired = true;
    this.#listener.onRetire(draining);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#closing || this.#over) return;
    if (this.#running.size > 0 || !this.#queue.empty) return;
    this.#closing = true;
    this.#stream.end();
  }

  // An instance that ends a session in good order has answered everything that it began.
  #finish(error: AppError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#queue.close();
    const lost = [...this.#running.values()];
    this.#running.clear();
    for (const request of lost) {
      if (error === undefined) request.fail(new NotBegunError('completion ended the session'));
      else request.cut('the session broke', error);
    }
    this.#listener.onOver(error);
  }
}
