import { type AppError, type Nano, type Timer, ZERO_NANO } from '@tollgate/core';
import type { AnswerHead, AnswerUsage, CompletionRequest } from '../domain/completion-request';
import type { VendorUsage } from '../domain/usage';
import type { FinishReason, VendorFailure, VendorFrame, VendorStream } from '../domain/vendor';
import { brokenOff } from '../domain/vendor-failures';
import type { CompletionDependencies } from './dependencies';
import { endReasonOf } from './ending';
import { Run } from './run';

/** Where a stream is written: a head, then chunks, then one end. */
export interface StreamOutput {
  head(head: AnswerHead): void;
  /** One `choices` array per frame. False when the reader is slow: wait for `drained`. */
  chunk(choices: readonly Buffer[]): boolean;
  drained(): Promise<void>;
  end(usage: AnswerUsage, amount: Nano, failure: AppError | undefined): void;
}

/**
 * Answers as a stream. Rejects with the AppError to show while nothing has left; a later failure is
 * the `failure` of the end.
 */
export async function streamCompletion(
  deps: CompletionDependencies,
  request: CompletionRequest,
  out: StreamOutput,
): Promise<void> {
  const run = await Run.open(deps, request, true);
  let stream: VendorStream;
  try {
    stream = await run.attempt((call) => deps.vendors.stream(call, run.controller.signal));
    await run.begun;
  } catch (error) {
    run.controller.abort();
    throw await run.fail(error);
  }
  out.head(run.head);
  const relay = new Relay(deps, run, stream, out);
  const failure = await relay.finished;
  await conclude(run, relay, failure, out);
}

const NO_USAGE: AnswerUsage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

function stopped(_: unknown, index: number): Buffer {
  return Buffer.from(`[{"index":${index},"delta":{},"finish_reason":"stop"}]`);
}

async function conclude(
  run: Run,
  relay: Relay,
  failure: unknown,
  out: StreamOutput,
): Promise<void> {
  const whole = failure === undefined;
  const shown = whole ? undefined : run.failureOf(failure);
  try {
    const { entry, usage } = await run.end({
      reason: whole ? relay.finishReason : endReasonOf(run.stopReason, failure, true),
      status: whole ? 'succeeded' : 'failed',
      errorCode: shown?.code ?? null,
      usage: relay.trustedUsage,
      delivered: whole || run.delivered.bytes > 0,
      cut: !whole,
    });
    // END is durable: only now may the answer's last bytes leave.
    if (whole) out.chunk(relay.lastChoices);
    out.end(usage, entry.amount, shown);
  } catch (error) {
    out.end(NO_USAGE, ZERO_NANO, run.failureOf(error));
  }
}

/**
 * Passes a vendor's frames on as they come, except those that end a choice: they are the last bytes
 * and wait for the record.
 */
class Relay {
  readonly #deps: CompletionDependencies;
  readonly #run: Run;
  readonly #stream: VendorStream;
  readonly #out: StreamOutput;
  readonly #finished = Promise.withResolvers<unknown>();
  readonly #last: Buffer[] = [];
  #finishReason: FinishReason | undefined;
  #usage: VendorUsage | undefined;
  /** Runs while the stream is paused: a gateway that went silent does not resume it. */
  #silence: Timer | undefined;
  #done = false;
  #over = false;

  constructor(deps: CompletionDependencies, run: Run, stream: VendorStream, out: StreamOutput) {
    this.#deps = deps;
    this.#run = run;
    this.#stream = stream;
    this.#out = out;
    const { signal } = run.controller;
    const onAbort = () => this.#finish(signal.reason ?? new Error('stopped'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stream.attach({
      onFrames: (frames) => this.#onFrames(frames),
      onEnd: () => this.#onEnd(),
      onFailure: (failure) => this.#onFailure(failure),
    });
  }

  /** Resolves with what went wrong, or undefined for a whole answer. */
  get finished(): Promise<unknown> {
    return this.#finished.promise;
  }

  get finishReason(): FinishReason {
    return this.#finishReason ?? 'stop';
  }

  /** The vendor's counts of the whole answer; those of a part of it say too little. */
  get trustedUsage(): VendorUsage | undefined {
    return this.#isWhole || this.#done ? this.#usage : undefined;
  }

  /** The frames that end each choice; a vendor that sent none is taken to have stopped. */
  get lastChoices(): readonly Buffer[] {
    if (this.#last.length > 0) return this.#last;
    return Array.from({ length: this.#run.request.choices }, stopped);
  }

  /** Every answer that was asked for has come to its end. */
  get #isWhole(): boolean {
    return this.#last.length >= this.#run.request.choices;
  }

  #onFrames(frames: readonly VendorFrame[]): boolean {
    if (this.#over) return true;
    const choices: Buffer[] = [];
    for (const frame of frames) {
      switch (frame.kind) {
        case 'delta':
          choices.push(frame.choices);
          this.#run.delivered.add(frame.text, frame.choice);
          break;
        case 'finish':
          this.#last.push(frame.choices);
          this.#finishReason ??= frame.reason;
          break;
        case 'usage':
          this.#usage = frame.usage;
          break;
        case 'done':
          this.#done = true;
          break;
      }
    }
    const flowing = choices.length === 0 || this.#out.chunk(choices);
    if (choices.length > 0) this.#run.noteDelivered(this.#done);
    if (this.#done) this.#finish(undefined);
    else if (!flowing) this.#waitForReader();
    return flowing;
  }

  #onEnd(): void {
    // Without [DONE] only its finish reasons tell a whole answer from a cut one.
    if (this.#isWhole) this.#finish(undefined);
    else this.#finish(brokenOff());
  }

  #onFailure(failure: VendorFailure): void {
    // The answer was whole when the connection broke: only its bookkeeping was lost.
    const whole = this.#isWhole && failure.outcome !== 'aborted';
    this.#finish(whole ? undefined : failure);
  }

  #waitForReader(): void {
    const { clock, limits } = this.#deps;
    // The bound counts from the first pause; a chunk that was on its way does not extend it.
    this.#silence ??= clock.schedule(limits.stalledReaderMs, () => this.#run.stop('client_gone'));
    void this.#out.drained().then(() => {
      this.#cancelSilence();
      if (!this.#over) this.#stream.resume();
    });
  }

  #cancelSilence(): void {
    this.#silence?.cancel();
    this.#silence = undefined;
  }

  #finish(failure: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelSilence();
    this.#finished.resolve(failure);
  }
}
