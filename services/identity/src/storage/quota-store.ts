import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { QuotaStore } from '../domain/ports';
import { COLLECTIONS, defineModel, insertOnce } from './document-model';

interface QuotaDocument {
  readonly _id: string;
  /** How many there are, or are being made. */
  readonly taken: number;
  readonly changedAt: Date;
}

/**
 * A process that dies between acquiring and making leaves the number too high, never too low. After
 * that long without a change nobody is about to make something: the records are counted anew.
 */
const RECOUNT_AFTER_MS = 60_000;

/** Each request raises the number by one conditional write: parallel ones cannot exceed `max`. */
export function createQuotaStore(store: MongoStore): QuotaStore {
  const quotas = defineModel<QuotaDocument>(store, COLLECTIONS.quotas, {
    taken: Number,
    changedAt: Date,
  });
  const write = async (filter: Record<string, unknown>, update: Record<string, unknown>) => {
    const result = await withDatabaseFailures(() => quotas.updateOne(filter, update));
    return result.matchedCount === 1;
  };

  return {
    async acquire({ name, max, now, count }) {
      const changedAt = new Date(now);
      const raise = () =>
        write(
          { _id: name, taken: mongoose.trusted({ $lt: max }) },
          { $inc: { taken: 1 }, $set: { changedAt } },
        );
      if (await raise()) return true;
      const present = await withDatabaseFailures(() =>
        quotas.findOne({ _id: name }).lean<QuotaDocument>(),
      );
      if (present === null) {
        await insertOnce(quotas, { _id: name, taken: await count(), changedAt });
        return raise();
      }
      if (present.changedAt.getTime() + RECOUNT_AFTER_MS > now) return false;
      const { taken, changedAt: seenAt } = present;
      const recounted = { $set: { taken: await count(), changedAt } };
      await write({ _id: name, taken, changedAt: seenAt }, recounted);
      return raise();
    },
    async release(name, now) {
      await write(
        { _id: name, taken: mongoose.trusted({ $gt: 0 }) },
        { $inc: { taken: -1 }, $set: { changedAt: new Date(now) } },
      );
    },
  };
}
