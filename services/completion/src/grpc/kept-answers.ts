import type { Logger } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import type { SessionHandlers, SessionOutput } from '@tollgate/rpc';
import type { AnswerKeeper } from '../operations/answer-resender';
import type { UsageSpool } from '../spool/log';

interface Dependencies {
  readonly answers: AnswerKeeper;
  readonly logger: Logger;
  readonly spool: Pick<UsageSpool, 'mayChargeRefused' | 'poisonedBy'>;
}

/** Larger answers are given once and not kept. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const NOT_KEPT = Buffer.alloc(0);

/**
 * The handlers of a session that also keep what they answer, where the request asks for it. An
 * answer is kept when its record is durable and before its last frame leaves, so that whoever has
 * the whole answer gets it again. Other requests go straight through.
 */
export function keepAnswers(deps: Dependencies, handlers: SessionHandlers): SessionHandlers {
  return {
    async complete(input, call) {
      if (input?.keeping === undefined) return handlers.complete(input, call);
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
      if (input?.keeping === undefined) return handlers.stream(input, call, out);
      const keeping = createKeeping(deps, input);
      const recorded = recordStream(out);
      try {
        await handlers.stream(input, keeping.callOf(call), recorded.output);
      } catch (error) {
        await keeping.drop();
        throw error;
      }
      const { streamed } = recorded;
      if (failedForNothing(deps, streamed.end)) await keeping.drop();
      else await keeping.keep({ $case: 'streamed', value: streamed });
      if (streamed.end !== undefined) out.end(streamed.end);
    },
  };
}

type Call = Parameters<SessionHandlers['complete']>[1];

function createKeeping(
  { answers, logger, spool }: Dependencies,
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
    async keep(answer: completionV1.KeptAnswer['answer']): Promise<void> {
      const bytes = Buffer.from(completionV1.KeptAnswer.encode({ answer }).finish());
      const kept = bytes.length > ANSWER_BYTES_MAX ? NOT_KEPT : bytes;
      await answers.keepAnswer(accountId, requestId, kept).catch(note);
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

/** Passes a stream on and remembers it, up to the bound. Its end is left to whoever asks for this. */
function recordStream(out: SessionOutput) {
  const streamed: completionV1.StreamedAnswer = { head: undefined, choices: [], end: undefined };
  let bytes = 0;
  const output: SessionOutput = {
    head(head) {
      streamed.head = head;
      out.head(head);
    },
    chunk(choices) {
      for (const each of choices) {
        // One more than fits tells that it does not.
        if (bytes <= ANSWER_BYTES_MAX) streamed.choices.push(each);
        bytes += each.length;
      }
      return out.chunk(choices);
    },
    drained: () => out.drained(),
    end(end) {
      streamed.end = end;
    },
  };
  return { output, streamed };
}
