import type { Clock } from '@tollgate/core';
import type { VendorCall, VendorCompletion } from '../domain/vendor';
import { embeddingFormOf } from '../domain/vendor-abilities';
import { createWorkerThread } from '../usage/worker-thread';
import { NO_TEXTS } from './protocol/embeddings';
import { unreadable } from './protocol/failures';
import type { VectorAnswer, VectorQuestion } from './vectors-thread';

/** Reads long answers of vectors in a thread of its own: eight megabytes take a tenth of a second. */
export interface VectorReader {
  /** Rejects with a VendorFailure when the body is no answer. */
  read(body: Buffer, call: VendorCall): Promise<VendorCompletion>;
  close(): Promise<void>;
}

/** A body of eight megabytes takes a quarter of it. */
const HEAP_MEGABYTES_MAX = 512;

const programPath = () => require.resolve('@tollgate/completion/vectors-thread');

export function createVectorReader(clock: Clock): VectorReader {
  const thread = createWorkerThread<VectorQuestion, VectorAnswer>({
    clock,
    program: programPath(),
    heapMegabytesMax: HEAP_MEGABYTES_MAX,
    does: 'reads vectors',
  });
  return {
    async read(body, { candidate, embedding = NO_TEXTS }) {
      const form = embeddingFormOf(candidate.channel.type);
      if (form === undefined) throw unreadable('the vendor has no embeddings');
      const answer = await thread
        .ask({ form, body, embedding })
        .catch((error: Error): VectorAnswer => ({ fault: error.message }));
      if ('fault' in answer) throw unreadable(answer.fault);
      const { buffer, byteLength, byteOffset } = answer.choices;
      const choices = Buffer.from(buffer, byteOffset, byteLength);
      return { choices, text: '', finishReason: 'stop', usage: answer.usage };
    },
    close: () => thread.close(),
  };
}
