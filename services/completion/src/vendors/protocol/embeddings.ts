import type { Embedding, VendorCompletion } from '../../domain/vendor';
import type { VendorUsage } from '../../domain/vendor-usage';
import { choicePlaceOf } from './answer-form';
import { unreadable } from './failures';

const FLOAT_BYTES = 4;

/** A vector as a vendor gave it: numbers, or the base64 of 32-bit floats; and its place, if any. */
export interface GivenVector {
  readonly index: unknown;
  readonly values: unknown;
}

/** Of a call that asks for no vectors. */
export const NO_TEXTS: Embedding = { dimensions: undefined, inputs: 0 };

/** The longest vectors of the field have half of it. */
const NUMBERS_PER_VECTOR_MAX = 16_384;

/** The values of JSON that an answer to the call may hold: the vectors, and one more for the rest. */
export function vectorValuesMaxOf({ inputs }: Embedding): number {
  return NUMBERS_PER_VECTOR_MAX * (inputs + 1);
}

/** Writes the vectors of an answer in our form; throws VendorFailure unless each text has one. */
export function writeVectors(
  given: readonly GivenVector[],
  { inputs }: Embedding,
  usage: VendorUsage | undefined,
): VendorCompletion {
  if (given.length !== inputs) throw unreadable('the vendor answered another number of vectors');
  const vectors = new Map<number, string>();
  for (const [position, { index, values }] of given.entries()) {
    vectors.set(choicePlaceOf(index, position, inputs), toBase64(values));
  }
  if (vectors.size !== inputs) throw unreadable('the vendor answered a vector twice');
  const ordered = Array.from({ length: inputs }, (_, place) => vectors.get(place));
  const choices = Buffer.from(JSON.stringify(ordered));
  return { choices, text: '', finishReason: 'stop', usage };
}

function toBase64(values: unknown): string {
  const floats = typeof values === 'string' ? floatsIn(values) : floatsOf(values);
  if (floats.length === 0 || !floats.every(Number.isFinite)) {
    throw unreadable('the vendor answered a vector that is none');
  }
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
}

function floatsIn(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % FLOAT_BYTES !== 0) return new Float32Array();
  // A copy, because a pooled buffer may begin at any byte.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function floatsOf(values: unknown): Float32Array {
  const isNumbers = Array.isArray(values) && values.every((value) => typeof value === 'number');
  return isNumbers ? Float32Array.from(values as number[]) : new Float32Array();
}
