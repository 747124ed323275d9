import type { Logger } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import type { SessionHandlers, SessionOutput } from '@tollgate/rpc';
import type { AnswerKeeper } from '../operations/answer-resender';
import type { UsageSpool } from '../spool/spool';

/** Bytes of answers that this process holds, over all requests. */
export interface HeldAnswers {
  /** Counts an answer that is complete and still here, until the returned function is called. */
  countComplete(bytes: number): () => void;
  /**
   * `hold` sets how many bytes this answer holds; without room it throws, or the `onCut` of the
   * answer that holds most is called.
   */
  open(onCut: () => void): { hold(bytes: number): void; release(): void };
}

interface Dependencies {
  readonly answers: AnswerKeeper;
  readonly heldAnswers: HeldAnswers;
  readonly logger: Logger;
  readonly spool: Pick<UsageSpool, 'mayChargeRefused' | 'poisonedBy'>;
}

type Call = Parameters<SessionHandlers['complete']>[1];

/** Larger answers are given once and not kept. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const NOT_KEPT = Buffer.alloc(0);

/** The handlers of a session for requests that ask to have their answer kept. */
interface KeepingHandlers {
  complete(
    input: completionV1.CompletionInput,
    call: Call,
  ): ReturnType<SessionHandlers['complete']>;
  stream(input: completionV1.CompletionInput, call: Call, out: SessionOutput): Promise<void>;
}

/**
 * Keeps what the handlers answer. An answer is kept when its record is durable and before its last
 * frame leaves, so that whoever has all of the answer gets it again.
 */
export function keepAnswers(deps: Dependencies, handlers: SessionHandlers): KeepingHandlers {
  return {
    async complete(input, call) {
      const keeping = createKeeping(deps, input);
      try {
        const whole = await handlers.complete(input, keeping.callOf(call));
        await keeping.keep({ $case: 'whole', value: whole });
        return whole;
      } catch (error) {
        await keeping.drop();
        throw error;
      }
    },
    async stream(input, call, out) {
      const keeping = createKeeping(deps, input);
      const { output, release, streamed } = recordStream(deps, out);
      try {
        await handlers.stream(input, keeping.callOf(call), output);
      } catch (error) {
        release();
        await keeping.drop();
        throw error;
      }
      const isRemembered = release();
      if (failedForNothing(deps, streamed.end)) await keeping.drop();
      else await keeping.keep(isRemembered ? { $case: 'streamed', value: streamed } : undefined);
      if (streamed.end !== undefined) out.end(streamed.end);
    },
  };
}

function createKeeping(
  { answers, heldAnswers, logger, spool }: Dependencies,
  input: completionV1.CompletionInput,
) {
  const { requestId, caller } = input;
  const accountId = caller?.accountId ?? '';
  // Its client has the answer or an error anyway; a repetition is told that nothing was kept.
  const note = (error: unknown) => logger.warn({ error, requestId }, 'an answer was not kept');
  return {
    /** With `finish`, a client that leaves does not cancel the call. */
    callOf: (call: Call): Call =>
      input.keeping?.finish === true ? { ...call, signal: new AbortController().signal } : call,
    /** Undefined when too much of it came to be kept. */
    async keep(answer: completionV1.KeptAnswer['answer'] | undefined): Promise<void> {
      const kept = encodeWithin(answer);
      const release = heldAnswers.countComplete(kept.length);
      await answers.keepAnswer(accountId, requestId, kept).catch(note);
      release();
    },
    /**
     * Forgets the request, unless it may still be charged: then its key stays held until the ledger
     * says what became of it, because whoever sends it again would be charged twice.
     */
    async drop(): Promise<void> {
      if (spool.mayChargeRefused) return;
      await answers.dropAnswer(accountId, requestId).catch(note);
    },
  };
}

/** True only when it is certain that nothing was charged: an END without a record tells no charge. */
function failedForNothing({ spool }: Dependencies, end: completionV1.StreamEnd | undefined) {
  if (end?.failure === undefined || end.amount > 0n) return false;
  return end.failure.code !== 'INTERNAL_ERROR' && spool.poisonedBy === undefined;
}

/** Empty when it is larger than what is kept; its text is looked at before anything is copied. */
function encodeWithin(answer: completionV1.KeptAnswer['answer'] | undefined): Buffer {
  const isTooLong = answer?.$case === 'whole' && answer.value.choices.length > ANSWER_BYTES_MAX;
  if (answer === undefined || isTooLong) return NOT_KEPT;
  const bytes = Buffer.from(completionV1.KeptAnswer.encode({ answer }).finish());
  return bytes.length > ANSWER_BYTES_MAX ? NOT_KEPT : bytes;
}

/**
 * Passes a stream on and remembers it, up to the bound and while there is room. Its end is left to
 * whoever asks for this. `release` gives the room back, and is true when all of it was remembered.
 */
function recordStream({ heldAnswers }: Dependencies, out: SessionOutput) {
  const streamed: completionV1.StreamedAnswer = { head: undefined, choices: [], end: undefined };
  let bytes = 0;
  let isRemembered = true;
  const forget = () => {
    isRemembered = false;
    streamed.choices = [];
    held.release();
  };
  const held = heldAnswers.open(forget);
  const remember = (choices: readonly Buffer[]) => {
    for (const each of choices) bytes += each.length;
    streamed.choices.push(...choices);
    try {
      if (bytes > ANSWER_BYTES_MAX) forget();
      else held.hold(bytes);
    } catch {
      forget();
    }
  };
  const output: SessionOutput = {
    head(head) {
      streamed.head = head;
      out.head(head);
    },
    chunk(choices) {
      if (isRemembered) remember(choices);
      return out.chunk(choices);
    },
    drained: () => out.drained(),
    end(end) {
      streamed.end = end;
    },
  };
  const release = () => {
    held.release();
    return isRemembered;
  };
  return { output, release, streamed };
}
