import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { ResetCodeStore } from '../domain/ports';
import { COLLECTIONS, defineModel } from './document-model';

interface ResetCodeDocument {
  /** The code's digest. */
  readonly _id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

export function createResetCodeStore(store: MongoStore): ResetCodeStore {
  const codes = defineModel<ResetCodeDocument>(store, COLLECTIONS.resetCodes, {
    userId: String,
    expiresAt: Date,
  });
  return {
    async replace({ digest, userId, expiresAtMs }) {
      const document = { _id: digest, userId, expiresAt: new Date(expiresAtMs) };
      await withDatabaseFailures(() => codes.create([document]));
      // The new one is there first: at no time is there none that was told.
      const earlier = { userId, _id: mongoose.trusted({ $ne: digest }) };
      await withDatabaseFailures(() => codes.deleteMany(earlier));
    },
    async find(digest) {
      const found = await withDatabaseFailures(() =>
        codes.findOne({ _id: digest }).lean<ResetCodeDocument>(),
      );
      if (found === null) return undefined;
      return { digest, userId: found.userId, expiresAtMs: found.expiresAt.getTime() };
    },
    async take(digest) {
      const taken = await withDatabaseFailures(() =>
        codes.findOneAndDelete({ _id: digest }).lean(),
      );
      return taken !== null;
    },
    async removeOf(userId) {
      await withDatabaseFailures(() => codes.deleteMany({ userId }));
    },
  };
}
