import { AS_IS, dated, ID, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { ResetCodeStore } from '../domain/ports';
import type { ResetCode } from '../domain/reset-code';
import { COLLECTIONS } from './collections';

const CODE = {
  digest: ID,
  userId: AS_IS,
  expiresAtMs: dated('expiresAt'),
} satisfies RecordForm<ResetCode>;

export function createResetCodeStore(mongo: MongoStore): ResetCodeStore {
  const codes = recordsOf<ResetCode, typeof CODE>(mongo, COLLECTIONS.resetCodes, CODE);
  return {
    async write(code) {
      await codes.insertOrReject(code);
      // The new one is there first, so that there is always one; but of two that are made at once
      // each may remove the other, and then another has to be asked for.
      await codes.removeMany({ userId: code.userId, _id: { $ne: code.digest } });
    },
    find: (digest) => codes.find({ _id: digest }),
    take: (digest) => codes.remove({ _id: digest }),
    removeOf: (userId) => codes.removeMany({ userId }),
  };
}
