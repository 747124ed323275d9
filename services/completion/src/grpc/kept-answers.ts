import { completionV1 } from '@tollgate/protos';
import type { SessionHandlers, SessionOutput } from '@tollgate/rpc';
import {
  type AnnouncedRequest,
  createAnswerKeeping,
  KEPT_ANSWER_BYTES_MAX,
  type KeepingDependencies,
  type StreamCopy,
} from '../operations/announced-answer';

type Call = Parameters<SessionHandlers['complete']>[1];
type KeptAnswer = NonNullable<completionV1.KeptAnswer['answer']>;

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
export function keepAnswers(deps: KeepingDependencies, handlers: SessionHandlers): KeepingHandlers {
  return {
    async complete(input, call) {
      const keeping = createAnswerKeeping(deps, toAnnounced(input));
      try {
        const signal = keeping.signalOf(call.signal);
        const whole = await handlers.complete(input, { ...call, signal });
        await keeping.keep(encodeWhole(whole));
        return whole;
      } catch (error) {
        await keeping.drop();
        throw error;
      }
    },
    async stream(input, call, out) {
      const keeping = createAnswerKeeping(deps, toAnnounced(input));
      const copy = keeping.openCopy();
      const { output, streamed } = copyStream(copy, out);
      try {
        await handlers.stream(input, { ...call, signal: keeping.signalOf(call.signal) }, output);
      } catch (error) {
        copy.close();
        await keeping.drop();
        throw error;
      }
      const choices = copy.close();
      await keeping.keepStreamed(
        streamed.end,
        () =>
          choices && encode({ $case: 'streamed', value: { ...streamed, choices: [...choices] } }),
      );
      if (streamed.end !== undefined) out.end(streamed.end);
    },
  };
}

function toAnnounced({
  caller,
  keeping,
  requestId,
}: completionV1.CompletionInput): AnnouncedRequest {
  return { accountId: caller?.accountId ?? '', requestId, finishes: keeping?.finish === true };
}

/** Undefined when its text alone is too long: it is looked at before anything is copied. */
function encodeWhole(whole: completionV1.CompleteResponse): Buffer | undefined {
  if (whole.choices.length > KEPT_ANSWER_BYTES_MAX) return undefined;
  return encode({ $case: 'whole', value: whole });
}

function encode(answer: KeptAnswer): Buffer {
  return Buffer.from(completionV1.KeptAnswer.encode({ answer }).finish());
}

/** Passes a stream on with a copy of it; its end is left to whoever asks for this. */
function copyStream(copy: StreamCopy, out: SessionOutput) {
  const streamed: completionV1.StreamedAnswer = { head: undefined, choices: [], end: undefined };
  const output: SessionOutput = {
    head(head) {
      streamed.head = head;
      out.head(head);
    },
    chunk(choices) {
      copy.add(choices);
      return out.chunk(choices);
    },
    drained: () => out.drained(),
    end(end) {
      streamed.end = end;
    },
  };
  return { output, streamed };
}
