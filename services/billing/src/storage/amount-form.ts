import { type Nano, nano } from '@tollgate/core';
import type { Codec } from '@tollgate/mongo';

/** An amount within a record: an Int64, of which one that a person wrote may be another number. */
const CODEC: Codec<Nano, bigint> = {
  encode: (amount) => amount,
  decode: (stored) => nano(BigInt(stored)),
};

/** How a record's amount is stored. */
export const AMOUNT = { codec: CODEC } as const;
