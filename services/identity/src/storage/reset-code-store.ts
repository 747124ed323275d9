import type { MongoStore } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { ResetCodeStore } from '../domain/ports';
import { COLLECTIONS, defineDocuments } from './document-model';

interface ResetCodeDocument {
  /** The code's digest. */
  readonly _id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

export function createResetCodeStore(store: MongoStore): ResetCodeStore {
  const codes = defineDocuments<ResetCodeDocument>(store, COLLECTIONS.resetCodes, {
    userId: String,
    expiresAt: Date,
  });
  return {
    async replace({ digest, userId, expiresAtMs }) {
      await codes.add({ _id: digest, userId, expiresAt: new Date(expiresAtMs) });
      // The new one is there first, so that there is always one; but of two that are made at once
      // each may remove the other, and then another has to be asked for.
      await codes.removeMany({ userId, _id: mongoose.trusted({ $ne: digest }) });
    },
    async find(digest) {
      const found = await codes.find({ _id: digest });
      if (found === undefined) return undefined;
      return { digest, userId: found.userId, expiresAtMs: found.expiresAt.getTime() };
    },
    take: async (digest) => (await codes.take({ _id: digest })) !== undefined,
    removeOf: (userId) => codes.removeMany({ userId }),
  };
}
