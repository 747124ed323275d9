import { createBoundedMap } from '@tollgate/core';
import type { VendorCall } from '../domain/vendor';
import { inexpressible } from './protocol/failures';

/** How many bytes vectors have in answers, so that nobody pays for vectors that do not fit. */
export interface VectorSizes {
  /** Throws a VendorFailure when the vectors of the call cannot fit into one answer. */
  requireFit(call: VendorCall): void;
  /** So many bytes of an answer to such a call had so many vectors. */
  note(call: VendorCall, bytes: number, vectors: number): void;
}

const MODELS_MAX = 10_000;

/** Knows nothing at first but what a call asks for; `answerBytesMax` is the longest answer. */
export function createVectorSizes(answerBytesMax: number): VectorSizes {
  const bytesOf = createBoundedMap<string, number>(MODELS_MAX);
  return {
    requireFit(call) {
      const { dimensions, inputs = 0 } = call.embedding ?? {};
      const known = bytesOf.get(keyOf(call));
      const bytes = known ?? (dimensions === undefined ? 0 : bytesOfVector(dimensions));
      if (inputs <= 1 || inputs * bytes <= answerBytesMax) return;
      const fitting = Math.max(1, Math.floor(answerBytesMax / bytes));
      throw inexpressible(
        'input',
        `At most ${fitting} texts have vectors that fit into one answer: please ask for fewer at once.`,
      );
    },
    note(call, bytes, vectors) {
      if (vectors === 0) return;
      const key = keyOf(call);
      // The least that was seen: what stands beside the vectors is no part of them.
      bytesOf.set(key, Math.min(bytesOf.get(key) ?? Number.POSITIVE_INFINITY, bytes / vectors));
    },
  };
}

function keyOf({ candidate: { channel, model }, embedding }: VendorCall): string {
  return `${channel.id} ${model.name} ${embedding?.dimensions ?? ''}`;
}

/** As our own answer has it: the base64 of 32-bit floats, in quotes and with a comma. */
function bytesOfVector(numbers: number): number {
  return 4 * Math.ceil((4 * numbers) / 3) + 3;
}
