import { AppError, type Clock, createTurnsByKey } from '@tollgate/core';
import { type VendorCall, type VendorCompletion, VendorFailure } from '../domain/vendor';
import { embeddingFormOf } from '../domain/vendor-abilities';
import type { ThreadAnswer } from '../threads/serve-thread';
import { createWorkerThread } from '../threads/worker-thread';
import { NO_TEXTS } from './protocol/embeddings';
import { unreadable } from './protocol/failures';
import type { VectorQuestion, Vectors } from './vectors-thread';

/** Reads long answers of vectors in a thread of its own: eight megabytes take a tenth of a second. */
export interface VectorReader {
  /**
   * Rejects with a VendorFailure when the body is no answer. The accounts take turns. An aborted
   * signal takes the body out of the queue; a VendorFailure that is its reason is what rejects.
   */
  read(body: Buffer, call: VendorCall, signal: AbortSignal): Promise<VendorCompletion>;
  close(): Promise<void>;
}

/** A body of eight megabytes takes a quarter of it. */
const HEAP_MEGABYTES_MAX = 512;

/** What waits is bounded by the bytes that all answers may hold, before it is so many. */
const TURNS = { atOnceMax: 1, waitingMax: 1024, waitingPerKeyMax: 256 };
const WAIT_MS_MAX = 5_000;

const programPath = () => require.resolve('@tollgate/completion/vectors-thread');

export function createVectorReader(clock: Clock): VectorReader {
  const thread = createWorkerThread<VectorQuestion, ThreadAnswer<Vectors>>({
    clock,
    program: programPath(),
    heapMegabytesMax: HEAP_MEGABYTES_MAX,
    does: 'reads vectors',
  });
  const inTurn = createTurnsByKey({ clock, ...TURNS });
  return {
    async read(body, { accountId, candidate, embedding = NO_TEXTS }, signal) {
      const form = embeddingFormOf(candidate.channel.type);
      if (form === undefined) throw unreadable('the vendor has no embeddings');
      const ask = () => thread.ask({ form, body, embedding });
      const patience = { waitMsMax: WAIT_MS_MAX, signal };
      const answer = await inTurn(accountId, ask, patience).catch((error: Error) => {
        throw signal.reason instanceof VendorFailure ? signal.reason : notRead(error);
      });
      if ('fault' in answer) throw unreadable(answer.fault);
      const { choices, usage } = answer.result;
      const { buffer, byteLength, byteOffset } = choices;
      const written = Buffer.from(buffer, byteOffset, byteLength);
      return { choices: written, text: '', finishReason: 'stop', usage };
    },
    close: () => thread.close(),
  };
}

/** A fault of our own: the vendor is paid for its answer, and another would be paid once more. */
function notRead(cause: Error): VendorFailure {
  const internalMessage = cause.message;
  const error = new AppError('SERVICE_UNAVAILABLE', { internalMessage, retryable: false, cause });
  return new VendorFailure(error, 'aborted', { retryElsewhere: false });
}
