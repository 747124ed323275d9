import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { fromFailure } from '@tollgate/rpc';
import type { ByteBound } from '../../bounds/byte-bound';
import {
  type CompletionEnd,
  type CompletionHandle,
  type CompletionListener,
  type CompletionToOpen,
  NO_USAGE,
  NotBegunError,
} from './client';

type ResponseEvent = completionV1.SessionResponseFrame['event'];

/** The session that carries a completion to an instance. */
export interface CompletionCarrier {
  /** Nobody waits for the answer any more: its work ends at once. */
  drop(completion: InFlightCompletion): void;
  /** The reader paused or goes on. */
  setPaused(completion: InFlightCompletion, paused: boolean): void;
}

export interface InFlightCompletionOptions {
  readonly toOpen: CompletionToOpen;
  /** On the monotonic clock, milliseconds. */
  readonly untilMs: number;
  readonly listener: CompletionListener;
  /** Payload bytes that may wait for a paused reader. */
  readonly heldBytesMax: number;
  /** The bytes that all completions together may hold. */
  readonly unreadBytes: ByteBound;
}

/**
 * One request, from its opening to its end.
 *
 * ```
 *            handed to the transport        the last event, or a cut
 *  [waiting] ──────────────────────▶ [sent] ───────────────────────▶ [over]
 *      └──────────────── nothing was begun ─────────────────────────▶ [over]
 * ```
 *
 * Its reader says with every chunk whether it takes more. While it does not, what is on its way by
 * then is held here, up to a bound, and the instance sends no more.
 */
export class InFlightCompletion implements CompletionHandle {
  readonly options: InFlightCompletionOptions;
  /** Within its session. */
  number = 0;
  /** Undefined before a session took it, and after the instance's last word. */
  carrier: CompletionCarrier | undefined;
  /** Called once, at its end; set by whoever keeps it. */
  onOver: () => void = () => {};
  #phase: 'waiting' | 'sent' | 'over' = 'waiting';
  #paused = false;
  #held: (readonly Buffer[])[] = [];
  #heldBytes = 0;
  #heldEnd: CompletionEnd | undefined;

  constructor(options: InFlightCompletionOptions) {
    this.options = options;
  }

  get sent(): boolean {
    return this.#phase === 'sent';
  }

  get over(): boolean {
    return this.#phase === 'over';
  }

  /** All of the answer is here: only its reader is slow. */
  get hasHeldEnd(): boolean {
    return this.#heldEnd !== undefined;
  }

  /** It was handed to the transport: from now on it may have been begun. */
  markSent(): void {
    if (this.#phase === 'waiting') this.#phase = 'sent';
  }

  resume(): void {
    if (this.over || !this.#paused) return;
    this.#paused = false;
    this.#release();
    if (!this.over && !this.#paused) this.carrier?.setPaused(this, false);
  }

  cancel(): void {
    this.cut('the request was taken back');
  }

  /** Ends it because it can go no further. What had not been sent was certainly not begun. */
  cut(internalMessage: string, cause?: unknown): void {
    this.fail(
      this.#phase === 'waiting'
        ? new NotBegunError(internalMessage, cause)
        : new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryable: false, cause }),
    );
  }

  /** Ends it from our side. The listener hears of it after the present call has returned. */
  fail(error: AppError): void {
    if (this.over) return;
    this.carrier?.drop(this);
    this.#finish();
    queueMicrotask(() => this.options.listener.onEnd({ kind: 'failed', error }));
  }

  /** Takes what the instance said; true when that was its last word. */
  accept(event: ResponseEvent): boolean {
    switch (event?.$case) {
      case 'chunk':
        this.#chunk(event.value.choices);
        return false;
      case 'head':
        if (!this.over) this.options.listener.onHead(event.value);
        return false;
      case 'complete':
        this.#endWith({ kind: 'whole', answer: event.value });
        return true;
      case 'end':
        this.#endWith(fromStreamEnd(event.value));
        return true;
      case 'failure':
        this.#endWith({ kind: 'failed', error: fromFailure(event.value) });
        return true;
      case undefined:
        this.fail(new NotBegunError('completion takes nothing more'));
        return true;
    }
  }

  #chunk(events: readonly Buffer[]): void {
    if (this.over) return;
    if (this.#paused) this.#hold(events);
    else if (!this.options.listener.onChunk(events)) this.#pause();
  }

  #pause(): void {
    // The listener may just have cancelled.
    if (this.over) return;
    this.#paused = true;
    this.carrier?.setPaused(this, true);
  }

  #hold(events: readonly Buffer[]): void {
    const bytes = bytesOf(events);
    this.#held.push(events);
    this.#heldBytes += bytes;
    const isWithinAll = this.options.unreadBytes.add(bytes);
    if (isWithinAll && this.#heldBytes <= this.options.heldBytesMax) return;
    this.cut('too much waits for a reader that paused');
  }

  /** Hands out what came while the reader paused, until it pauses again. */
  #release(): void {
    while (!this.#paused) {
      const events = this.#held.shift();
      if (events === undefined) break;
      const bytes = bytesOf(events);
      this.#heldBytes -= bytes;
      this.options.unreadBytes.release(bytes);
      if (!this.options.listener.onChunk(events)) this.#paused = true;
    }
    if (this.#heldEnd !== undefined) this.#endWith(this.#heldEnd);
  }

  /** The instance has nothing more to do with it; a reader that paused hears the end later. */
  #endWith(end: CompletionEnd): void {
    this.carrier = undefined;
    if (this.over) return;
    if (this.#held.length > 0) {
      this.#heldEnd = end;
      return;
    }
    this.#finish();
    this.options.listener.onEnd(end);
  }

  #finish(): void {
    this.#phase = 'over';
    this.#held = [];
    this.options.unreadBytes.release(this.#heldBytes);
    this.#heldBytes = 0;
    this.onOver();
  }
}

function bytesOf(events: readonly Buffer[]): number {
  return events.reduce((sum, each) => sum + each.length, 0);
}

function fromStreamEnd({ amount, failure, usage }: completionV1.StreamEnd): CompletionEnd {
  if (failure !== undefined) return { kind: 'failed', error: fromFailure(failure) };
  return { kind: 'streamed', usage: usage ?? NO_USAGE, amount };
}
