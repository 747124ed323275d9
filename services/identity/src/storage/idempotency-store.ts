import {
  type AnswerCodec,
  createIdempotencyStore,
  type IdempotencyStore,
  type MongoStore,
} from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

export function createIdentityIdempotencyStore(mongo: MongoStore): IdempotencyStore {
  return createIdempotencyStore(mongo, {
    collection: COLLECTIONS.idempotency,
    answers: answerCodec,
  });
}

/** Answers as JSON: amounts survive it, fields that are undefined stay out. */
export const answerCodec: AnswerCodec = {
  encode: (answer) =>
    JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === 'bigint' ? { [BIGINT]: value.toString() } : value,
    ),
  decode: (kept) =>
    JSON.parse(String(kept), (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null || !(BIGINT in value)) return value;
      const digits = value[BIGINT];
      return typeof digits === 'string' ? BigInt(digits) : value;
    }) as object,
};

const BIGINT = '$bigint';
