import type { Clock } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { EMPTY_HEAD, failureOfEnd } from '../clients/completion/client';
import { createEventStream, type SseBounds } from '../http/sse';
import { type AnswerContext, type ChatOutcome, CLIENT_GONE } from './answer';
import type { ChatFrames } from './format';

interface StreamContext extends AnswerContext {
  readonly includeUsage: boolean;
  readonly clock: Clock;
  readonly bounds: SseBounds;
}

/**
 * Passes one stream on: every chunk from completion is one write to the client, and what the write
 * says goes back as the answer to the chunk. Rejects with the failure while no byte has left, so
 * that it becomes a real HTTP status; later it is a frame.
 */
export function streamAnswer(context: StreamContext): Promise<ChatOutcome> {
  const { answerId, echo, exchange, format, headersOf } = context;
  const framesOf = (head: completionV1.StreamHead) => format.frames(answerId, head, echo);
  return new Promise((resolve, reject) => {
    let frames: ChatFrames | undefined;
    const running = context.open({
      onHead(head) {
        frames = framesOf(head);
        eventStream.open(headersOf(head));
      },
      onChunk: (events) => frames === undefined || eventStream.write(frames.chunk(events)),
      onEnd(end) {
        if (eventStream.phase === 'over') return;
        if (end.kind === 'streamed') {
          frames ??= framesOf(EMPTY_HEAD);
          eventStream.open({});
          eventStream.end(frames.end(context.includeUsage ? end.usage : undefined));
          resolve({ countedIn: 'minute_and_day', ended: 'streamed' });
          return;
        }
        const error = failureOfEnd(end);
        if (eventStream.phase === 'waiting') {
          eventStream.handBack();
          reject(error);
          return;
        }
        frames ??= framesOf(EMPTY_HEAD);
        eventStream.end(frames.fail(error));
        resolve({ countedIn: 'minute_and_day', ended: 'failed', error });
      },
    });
    const listener = {
      onDrain: () => running.resume(),
      onGone() {
        // First of all: the vendor charges for every token that it makes from now on.
        running.cancel();
        resolve(CLIENT_GONE);
      },
    };
    const { clock, bounds } = context;
    const eventStream = createEventStream(exchange, clock, bounds, listener, format.keepAlive);
  });
}
