import { AppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { fromFailure } from '@tollgate/rpc';
import type { ByteBudget } from '../limits/byte-budget';
import { type CompletionStream, NotBegunError, type StreamOutcome } from './completion-client';

type ResponseEvent = completionV1.SessionResponseFrame['event'];

/** Who hears what becomes of a request; exactly one of `onAnswer` and `onEnd`, as the last call. */
export interface CompletionReceiver {
  onHead(head: completionV1.StreamHead): void;
  onChunk(choices: readonly Buffer[]): void;
  onEnd(outcome: StreamOutcome): void;
  onAnswer(answer: completionV1.CompleteResponse): void;
}

/** What carries a request to an instance. */
export interface CompletionCarrier {
  /** Nobody waits for the request any more: its work ends at once. */
  drop(request: CompletionRequest): void;
  /** The reader paused or goes on. */
  setPaused(request: CompletionRequest, paused: boolean): void;
}

/** What a request needs to know of its surroundings. */
export interface CompletionRequestOptions {
  readonly input: completionV1.CompletionInput;
  readonly stream: boolean;
  /** On the monotonic clock, milliseconds. */
  readonly deadlineMs: number;
  readonly receiver: CompletionReceiver;
  /** Payload bytes that may wait for a paused reader. */
  readonly heldBytesMax: number;
  /** What all streams together may hold. */
  readonly readers: ByteBudget;
  readonly onOver: (request: CompletionRequest) => void;
}

/**
 * One request, from where it is made to where its outcome is told.
 *
 * ```
 *            carried                sent                last event
 *  [waiting] ───────▶ [in a queue] ──────▶ [maybe begun] ─────────▶ [over]
 *      └──────────────────┴── nothing was begun ──▶ [over]
 * ```
 */
export class CompletionRequest implements CompletionStream {
  readonly options: CompletionRequestOptions;
  /** Within its session. */
  number = 0;
  /** It was handed to the transport: from now on it may have been begun. */
  sent = false;
  carrier: CompletionCarrier | undefined;
  #over = false;
  #paused = false;
  #held: (readonly Buffer[])[] = [];
  #heldBytes = 0;
  #heldOutcome: StreamOutcome | undefined;

  constructor(options: CompletionRequestOptions) {
    this.options = options;
  }

  get over(): boolean {
    return this.#over;
  }

  pause(): void {
    if (this.#over || this.#paused) return;
    this.#paused = true;
    this.carrier?.setPaused(this, true);
  }

  resume(): void {
    if (this.#over || !this.#paused) return;
    this.#paused = false;
    this.#release();
    if (!this.#over && !this.#paused) this.carrier?.setPaused(this, false);
  }

  cancel(): void {
    if (this.#over) return;
    this.cut('the request was taken back');
  }

  /** Ends it from our side. The receiver hears of it after the present call has returned. */
  fail(error: AppError): void {
    if (this.#over) return;
    this.#finish();
    this.carrier?.drop(this);
    queueMicrotask(() => this.options.receiver.onEnd({ ok: false, error }));
  }

  /** Ends it because it can go no further. What had not been sent was certainly not begun. */
  cut(internalMessage: string, cause?: unknown): void {
    this.fail(
      this.sent
        ? new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryable: false, cause })
        : new NotBegunError(internalMessage, cause),
    );
  }

  /** Takes what the instance said; true when that was its last word. */
  accept(event: ResponseEvent): boolean {
    switch (event?.$case) {
      case 'chunk':
        this.#chunk(event.value.choices);
        return false;
      case 'head':
        if (!this.#over) this.options.receiver.onHead(event.value);
        return false;
      case 'complete':
        this.carrier = undefined;
        if (this.#over) return true;
        this.#finish();
        this.options.receiver.onAnswer(event.value);
        return true;
      case 'end':
        this.carrier = undefined;
        this.#end(fromStreamEnd(event.value));
        return true;
      case 'failure':
        this.carrier = undefined;
        this.#end({ ok: false, error: fromFailure(event.value) });
        return true;
      case undefined:
        this.fail(new NotBegunError('completion takes nothing more'));
        return true;
    }
  }

  #chunk(choices: readonly Buffer[]): void {
    if (this.#over) return;
    if (!this.#paused) {
      this.options.receiver.onChunk(choices);
      return;
    }
    const bytes = bytesOf(choices);
    this.#held.push(choices);
    this.#heldBytes += bytes;
    const isWithinAll = this.options.readers.count(bytes);
    if (isWithinAll && this.#heldBytes <= this.options.heldBytesMax) return;
    this.cut('too much waits for a reader that paused');
  }

  #end(outcome: StreamOutcome): void {
    if (this.#over) return;
    if (this.#held.length > 0) {
      this.#heldOutcome = outcome;
      return;
    }
    this.#finish();
    this.options.receiver.onEnd(outcome);
  }

  /** Hands out what came while the reader paused, until it pauses again. */
  #release(): void {
    while (!this.#paused && !this.#over) {
      const choices = this.#held.shift();
      if (choices === undefined) break;
      this.#letGo(bytesOf(choices));
      this.options.receiver.onChunk(choices);
    }
    if (this.#heldOutcome !== undefined && this.#held.length === 0) this.#end(this.#heldOutcome);
  }

  #letGo(bytes: number): void {
    this.#heldBytes -= bytes;
    this.options.readers.release(bytes);
  }

  #finish(): void {
    this.#over = true;
    this.#held = [];
    this.#letGo(this.#heldBytes);
    this.options.onOver(this);
  }
}

function bytesOf(choices: readonly Buffer[]): number {
  return choices.reduce((sum, each) => sum + each.length, 0);
}

const NO_USAGE: completionV1.Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cachedTokens: 0,
};

function fromStreamEnd(end: completionV1.StreamEnd): StreamOutcome {
  if (end.failure !== undefined) return { ok: false, error: fromFailure(end.failure) };
  return { ok: true, usage: end.usage ?? NO_USAGE, amount: end.amount };
}
