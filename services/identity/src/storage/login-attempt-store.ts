import {
  databaseFailure,
  documentsOf,
  isDuplicateKey,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { LoginAttemptStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

interface LoginAttemptDocument {
  /** A counter and its window, or a known network. */
  readonly _id: string;
  readonly attempts?: number;
  readonly expiresAt: Date;
}

/** Counters of fixed windows; a counter's record is deleted when its window is over. */
export function createLoginAttemptStore(mongo: MongoStore): LoginAttemptStore {
  const records = documentsOf<LoginAttemptDocument>(mongo, COLLECTIONS.loginAttempts);

  const increment = async (id: string, expiresAt: Date): Promise<number> => {
    const counted = await records
      .collection()
      .findOneAndUpdate(
        { _id: id },
        { $inc: { attempts: 1 }, $setOnInsert: { expiresAt } },
        { upsert: true, returnDocument: 'after' },
      );
    return counted?.attempts ?? 1;
  };

  return {
    async count(key, windowMs, now) {
      const expiresAt = new Date((Math.floor(now / windowMs) + 1) * windowMs);
      const id = windowId(key, windowMs, now);
      try {
        return await increment(id, expiresAt);
      } catch (error) {
        if (!isDuplicateKey(error)) throw databaseFailure(error);
        // Two first attempts raced to make the record: it is there now.
        return withDatabaseFailures(() => increment(id, expiresAt));
      }
    },
    async clear(key, windowMs, now) {
      await records.remove({ _id: windowId(key, windowMs, now) });
    },
    async remember(key, untilAtMs) {
      const update = { $set: { expiresAt: new Date(untilAtMs) } };
      try {
        await records.collection().updateOne({ _id: key }, update, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw databaseFailure(error);
      }
    },
    async isRemembered(key, now) {
      const filter = { _id: key, expiresAt: { $gt: new Date(now) } };
      return (await records.find(filter)) !== undefined;
    },
  };
}

function windowId(key: string, windowMs: number, now: number): string {
  return `${key}:${Math.floor(now / windowMs)}`;
}
