import { type AppError, type FinishReason, type Nano, ZERO_NANO } from '@tollgate/core';
import { type FinishPiece, finishOf, type VendorStream } from '../domain/vendor';
import { aborted } from '../domain/vendor-failures';
import type { VendorUsage } from '../domain/vendor-usage';
import { endReasonOf, endRun, failRun, failureOf } from './ending';
import type { AnswerHead, AnswerUsage, CompletionRequest } from './request';
import { Run, type RunDependencies } from './run';

/** Where a stream is written: a head, then chunks, then one end. */
export interface StreamOutput {
  head(head: AnswerHead): void;
  /** Events that came together. False when the reader is slow: wait for `drained`. */
  chunk(choices: readonly Buffer[]): boolean;
  drained(): Promise<void>;
  end(usage: AnswerUsage, amount: Nano, failure: AppError | undefined): void;
}

/**
 * Answers as a stream. Rejects with the AppError to show while nothing has left; a later failure is
 * the `failure` of the end.
 */
export async function streamCompletion(
  deps: RunDependencies,
  request: CompletionRequest,
  out: StreamOutput,
): Promise<void> {
  const run = await Run.open(deps, request, true);
  let stream: VendorStream;
  try {
    stream = await run.callVendors((call, signal) => deps.vendors.stream(call, signal));
    await run.begun;
  } catch (error) {
    run.controller.abort();
    throw await failRun(deps, run, error);
  }
  out.head(run.head);
  const answer: ForwardedAnswer = {
    last: [],
    reason: undefined,
    prompt: undefined,
    usage: undefined,
    isPastAsked: false,
  };
  const cut = await forwardPieces(deps, { run, stream, out }, answer).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await conclude(deps, run, { answer, cut }, out);
}

/** The part of an answer that waits for its record, and the members of that record. */
interface ForwardedAnswer {
  /** The pieces that end a choice: they are the last bytes. */
  readonly last: FinishPiece[];
  reason: FinishReason | undefined;
  /** What the vendor counted before the answer was complete: of it only the prompt is used. */
  prompt: VendorUsage | undefined;
  usage: VendorUsage | undefined;
  /** The vendor went on past the tokens that were asked for, and counts them too. */
  isPastAsked: boolean;
}

interface ForwardingEnd {
  readonly answer: ForwardedAnswer;
  /** Absent when the vendor's stream came to its end. */
  readonly cut: { readonly error: unknown } | undefined;
}

/** Passes pieces on as fast as the reader takes them; rejects when the answer is cut. */
async function forwardPieces(
  deps: RunDependencies,
  {
    run,
    stream,
    out,
  }: { readonly run: Run; readonly stream: VendorStream; readonly out: StreamOutput },
  answer: ForwardedAnswer,
): Promise<void> {
  for (let pieces = await stream.next(); pieces !== undefined; pieces = await stream.next()) {
    const choices: Buffer[] = [];
    for (const piece of pieces) {
      switch (piece.kind) {
        case 'delta':
          if (isLost(run)) throw aborted(true);
          choices.push(piece.choices);
          run.deliveredText.add(piece.text, piece.choice);
          break;
        case 'finish':
          answer.last.push(piece);
          answer.reason ??= piece.reason;
          break;
        case 'past_asked':
          answer.isPastAsked = true;
          break;
        case 'prompt':
        case 'usage':
          answer[piece.kind] = piece.usage;
          break;
      }
    }
    const flowing = choices.length === 0 || out.chunk(choices);
    run.noteDelivered(!flowing || awaitsCounts(run, answer));
    if (!flowing) await readerTakesMore(deps, run, out);
  }
}

/**
 * True when nobody gets the text that comes now: the client left. Text may come all the same, which
 * its vendor had sent and the client was too slow to take.
 */
function isLost({ request, stopReason }: Run): boolean {
  return stopReason === 'client_gone' && request.isKept !== true;
}

/** Every answer that was asked for has come to its end. */
function isComplete(run: Run, { last }: ForwardedAnswer): boolean {
  return last.length >= run.request.choices;
}

/** All of it has come but the vendor's counts, for which END waits; it follows them at once. */
function awaitsCounts(run: Run, answer: ForwardedAnswer): boolean {
  return answer.usage === undefined && isComplete(run, answer);
}

/** A gateway that takes nothing for so long never takes more: its request is given up. */
async function readerTakesMore(
  { clock, bounds }: RunDependencies,
  run: Run,
  out: StreamOutput,
): Promise<void> {
  const { signal } = run.controller;
  run.hasSlowReader = true;
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  const stall = clock.schedule(bounds.stalledReaderMs, () => run.stop('client_gone'));
  signal.addEventListener('abort', onAbort, { once: true });
  out.drained().then(resolve, resolve);
  await promise;
  stall.cancel();
  signal.removeEventListener('abort', onAbort);
}

const NO_USAGE: AnswerUsage = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  promptAudioTokens: 0,
  completionAudioTokens: 0,
};

async function conclude(
  deps: RunDependencies,
  run: Run,
  { answer, cut }: ForwardingEnd,
  out: StreamOutput,
): Promise<void> {
  const shown = cut === undefined ? undefined : failureOf(run, cut.error);
  const reason = answer.reason ?? 'stop';
  // A vendor's count from before the answer was complete is not all of it, and one past the tokens
  // that were asked for is of more.
  const { isPastAsked, prompt, usage: counted } = answer;
  const isOfAnswer = !isPastAsked && (cut === undefined || isComplete(run, answer));
  try {
    const { record, usage } = await endRun(deps, run, {
      reason: cut === undefined ? reason : endReasonOf(run.stopReason, cut.error, true),
      status: cut === undefined ? 'succeeded' : 'failed',
      errorCode: shown?.code,
      usage: isOfAnswer ? counted : undefined,
      partUsage: isOfAnswer ? prompt : (counted ?? prompt),
      mayHaveWorked: true,
      isDelivered: cut === undefined || run.deliveredText.bytes > 0,
      cut: cut !== undefined,
      cutBy: cut?.error,
    });
    // END is durable: only now may the answer's last bytes leave.
    if (cut === undefined) out.chunk(lastChoicesOf(run, answer));
    out.end(usage, record.amount, shown);
  } catch (error) {
    out.end(NO_USAGE, ZERO_NANO, failureOf(run, error));
  }
}

/** The pieces that end each choice; one that its vendor did not end is taken to have stopped. */
function lastChoicesOf({ request }: Run, { last }: ForwardedAnswer): readonly Buffer[] {
  const ended = last.map(({ choices }) => choices);
  if (last.length >= request.choices) return ended;
  const places = new Set(last.map(({ choice = 0 }) => choice));
  for (let index = 0; index < request.choices; index += 1) {
    if (places.has(index)) continue;
    ended.push(finishOf(index, 'stop').choices);
  }
  return ended;
}
