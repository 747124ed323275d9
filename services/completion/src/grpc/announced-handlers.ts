import { completionV1 } from '@tollgate/protos';
import type { SessionCall, SessionHandlers, SessionOutput } from '@tollgate/rpc';
import { KEPT_ANSWER_BYTES_MAX } from '../domain/kept-answers';
import {
  type AnnouncedAnswerDependencies,
  type AnnouncedRequest,
  createAnnouncedAnswer,
  type StreamCopy,
} from '../operations/announced-answer';

type KeptAnswer = NonNullable<completionV1.KeptAnswer['answer']>;

/** The handlers of a session for requests that ask to have their answer kept. */
interface AnnouncedHandlers {
  complete(
    input: completionV1.CompletionInput,
    call: SessionCall,
  ): ReturnType<SessionHandlers['complete']>;
  stream(input: completionV1.CompletionInput, call: SessionCall, out: SessionOutput): Promise<void>;
}

/**
 * Keeps what the handlers answer. An answer is kept when its record is durable and before its last
 * frame leaves, so that whoever has all of the answer gets it again.
 */
export function keepAnswers(
  deps: AnnouncedAnswerDependencies,
  handlers: SessionHandlers,
): AnnouncedHandlers {
  return {
    async complete(input, call) {
      const announced = createAnnouncedAnswer(deps, toAnnounced(input));
      try {
        const signal = announced.signalOf(call.signal);
        const whole = await handlers.complete(input, { ...call, signal });
        await announced.keep(encodeWhole(whole));
        return whole;
      } catch (error) {
        await announced.drop();
        throw error;
      }
    },
    async stream(input, call, out) {
      const announced = createAnnouncedAnswer(deps, toAnnounced(input));
      const copy = announced.openCopy();
      const { output, streamed } = copyStream(copy, out);
      try {
        await handlers.stream(input, { ...call, signal: announced.signalOf(call.signal) }, output);
      } catch (error) {
        copy.close();
        await announced.drop();
        throw error;
      }
      const choices = copy.close();
      await announced.keepStreamed(
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
  return { accountId: caller?.accountId ?? '', requestId, goesOnAlone: keeping?.finish === true };
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
