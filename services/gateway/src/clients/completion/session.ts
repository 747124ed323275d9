import { type AppError, TurnoverMap } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { type ClientDuplex, FRAME_BYTES_MAX, FrameQueue, payloadOfRequest } from '@tollgate/rpc';
import { NotBegunError, QueueFullError, RequestTooLongError } from './client';
import type { CompletionCarrier, InFlightCompletion } from './in-flight-completion';

/** The stream that a session runs on. */
export type SessionStream = ClientDuplex<completionV1.SessionRequest, completionV1.SessionResponse>;
type RequestFrame = completionV1.SessionRequestFrame;

/** The events of a session for its keeper. */
interface CompletionSessionListener {
  /** The instance serves it: what waited is sent. */
  onAccept(): void;
  /** Nothing more shall be opened here: the instance drains, or the numbers are used up. */
  onLeave(draining: boolean): void;
  /** Whether the instance takes work, as its last message said. */
  onReadiness(ready: boolean): void;
  /** Called once, after every request of the session has ended. */
  onOver(error: AppError | undefined): void;
}

/** Bounds of one session. */
interface CompletionSessionBounds {
  /** Payload bytes of requests that wait to be sent. */
  readonly queueBytesMax: number;
  /** The last number that a request may have. */
  readonly numberMax: number;
}

/**
 * Many requests on one stream to one instance. Before the instance accepts the stream they wait, so
 * that it is known that they were not begun if it never does.
 *
 * ```
 *            drains, or numbers used up      nothing runs
 *  [serving] ─────────────────────────▶ [leaving] ─────▶ [closing] ──▶ [over]
 *      └──────────────── the stream broke, or was cut ─────────────────▶ [over]
 * ```
 */
export class CompletionSession implements CompletionCarrier {
  readonly #stream: SessionStream;
  readonly #listener: CompletionSessionListener;
  readonly #bounds: CompletionSessionBounds;
  readonly #running = new TurnoverMap<number, InFlightCompletion>();
  readonly #queue: FrameQueue<RequestFrame>;
  #number = 0;
  #phase: 'serving' | 'leaving' | 'closing' | 'over' = 'serving';

  constructor(
    stream: SessionStream,
    bounds: CompletionSessionBounds,
    listener: CompletionSessionListener,
  ) {
    this.#stream = stream;
    this.#listener = listener;
    this.#bounds = bounds;
    this.#queue = new FrameQueue<RequestFrame>({
      write: (frames) => this.#write(frames),
      onEmpty: () => this.#closeWhenIdle(),
    });
    this.#queue.hold();
    stream.onAccept(() => {
      if (this.#phase === 'over') return;
      this.#listener.onAccept();
      this.#queue.resume();
    });
    stream.onMessage((message) => this.#onMessage(message));
    stream.onDrain(() => this.#queue.resume());
    stream.onEnd((error) => this.#finish(error));
  }

  open(completion: InFlightCompletion): void {
    const frame: RequestFrame = {
      number: this.#number + 1,
      action: { $case: 'open', value: completion.options.toOpen },
    };
    const bytes = payloadOfRequest(frame);
    if (bytes > FRAME_BYTES_MAX) {
      completion.fail(new RequestTooLongError());
      return;
    }
    if (this.#phase === 'over') {
      completion.fail(new NotBegunError('the session with completion is over'));
      return;
    }
    if (this.#queue.bytes + bytes > this.#bounds.queueBytesMax) {
      completion.fail(new QueueFullError());
      return;
    }
    this.#number += 1;
    completion.number = this.#number;
    completion.carrier = this;
    this.#running.set(this.#number, completion);
    this.#queue.push(frame, bytes);
    if (this.#number >= this.#bounds.numberMax) this.#leave(false);
  }

  drop(completion: InFlightCompletion): void {
    const { number, sent } = completion;
    if (!this.#running.delete(number)) return;
    if (sent) this.#queue.push({ number, action: { $case: 'cancel', value: true } }, 0);
    this.#closeWhenIdle();
  }

  setPaused({ number }: InFlightCompletion, paused: boolean): void {
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
      const completion = this.#running.get(number);
      // Whoever was dropped is not listened to any more.
      if (completion === undefined) continue;
      if (completion.accept(event)) this.#running.delete(number);
    }
    this.#listener.onReadiness(!unready);
    if (draining) this.#leave(true);
    else this.#closeWhenIdle();
  }

  #write(frames: RequestFrame[]): boolean {
    const wanted = frames.filter((frame) => this.#leaves(frame));
    return wanted.length === 0 || this.#stream.write({ frames: wanted });
  }

  /** A request that was dropped before it left need not leave. */
  #leaves({ number, action }: RequestFrame): boolean {
    if (action?.$case === 'cancel') return true;
    const completion = this.#running.get(number);
    if (action?.$case === 'open') completion?.markSent();
    return completion !== undefined;
  }

  #leave(draining: boolean): void {
    if (this.#phase !== 'serving') return;
    this.#phase = 'leaving';
    this.#listener.onLeave(draining);
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#phase !== 'leaving' || this.#running.size > 0 || !this.#queue.empty) return;
    this.#phase = 'closing';
    this.#stream.end();
  }

  // An instance that ends a session in good order has answered everything that it began.
  #finish(error: AppError | undefined): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#queue.close();
    const lost = [...this.#running.values()];
    this.#running.clear();
    for (const completion of lost) {
      if (error === undefined) completion.fail(new NotBegunError('completion ended the session'));
      else completion.cut('the session broke', error);
    }
    this.#listener.onOver(error);
  }
}
