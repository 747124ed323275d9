import { documentsOf, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
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

  return {
    async count(key, windowMs, now) {
      const expiresAt = new Date((Math.floor(now / windowMs) + 1) * windowMs);
      const update = { $inc: { attempts: 1 }, $setOnInsert: { expiresAt } };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const counted = await withDatabaseFailures(() =>
        records
          .collection()
          .findOneAndUpdate({ _id: windowId(key, windowMs, now) }, update, options),
      );
      return counted?.attempts ?? 1;
    },
    async clear(key, windowMs, now) {
      await records.remove({ _id: windowId(key, windowMs, now) });
    },
    remember: (key, untilAtMs) =>
      records.upsert({ _id: key }, { $set: { expiresAt: new Date(untilAtMs) } }),
    async isRemembered(key, now) {
      const filter = { _id: key, expiresAt: { $gt: new Date(now) } };
      return (await records.find(filter)) !== undefined;
    },
  };
}

function windowId(key: string, windowMs: number, now: number): string {
  return `${key}:${Math.floor(now / windowMs)}`;
}
