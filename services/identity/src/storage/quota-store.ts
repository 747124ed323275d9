import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import mongoose from 'mongoose';
import type { QuotaStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { defineModel } from './define-model';
import { insertOnce } from './insert-once';

interface QuotaDocument {
  readonly _id: string;
  readonly taken: number;
  readonly changedAt: Date;
}

/**
 * A process that dies between taking a place and filling it leaves a place too many taken, never
 * one too few. After that long without a change nobody is about to fill one: the places are counted
 * anew.
 */
const RECOUNT_AFTER_MS = 60_000;

/** Places are taken by one conditional write each, so that parallel takers share no last place. */
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
    async take({ name, placesMax, now, countFilled }) {
      const changedAt = new Date(now);
      const takeOne = () =>
        write(
          { _id: name, taken: mongoose.trusted({ $lt: placesMax }) },
          { $inc: { taken: 1 }, $set: { changedAt } },
        );
      if (await takeOne()) return true;
      const present = await withDatabaseFailures(() =>
        quotas.findOne({ _id: name }).lean<QuotaDocument>(),
      );
      if (present === null) {
        await insertOnce(quotas, { _id: name, taken: await countFilled(), changedAt });
        return takeOne();
      }
      if (present.changedAt.getTime() + RECOUNT_AFTER_MS > now) return false;
      const { taken, changedAt: seenAt } = present;
      const recounted = { $set: { taken: await countFilled(), changedAt } };
      await write({ _id: name, taken, changedAt: seenAt }, recounted);
      return takeOne();
    },
    async giveBack(name, now) {
      await write(
        { _id: name, taken: mongoose.trusted({ $gt: 0 }) },
        { $inc: { taken: -1 }, $set: { changedAt: new Date(now) } },
      );
    },
  };
}
