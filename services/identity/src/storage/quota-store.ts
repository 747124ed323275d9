import { documentsOf, type MongoStore } from '@tollgate/mongo';
import type { QuotaStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

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
  const quotas = documentsOf<QuotaDocument>(store, COLLECTIONS.quotas);
  return {
    async acquire({ name, max, now, count }) {
      const changedAt = new Date(now);
      const raise = () =>
        quotas.update(
          { _id: name, taken: { $lt: max } },
          { $inc: { taken: 1 }, $set: { changedAt } },
        );
      if (await raise()) return true;
      const present = await quotas.find({ _id: name });
      if (present === undefined) {
        await quotas.insert({ _id: name, taken: await count(), changedAt });
        return raise();
      }
      if (present.changedAt.getTime() + RECOUNT_AFTER_MS > now) return false;
      const { taken, changedAt: seenAt } = present;
      const recounted = { $set: { taken: await count(), changedAt } };
      await quotas.update({ _id: name, taken, changedAt: seenAt }, recounted);
      return raise();
    },
    async release(name, now) {
      await quotas.update(
        { _id: name, taken: { $gt: 0 } },
        { $inc: { taken: -1 }, $set: { changedAt: new Date(now) } },
      );
    },
  };
}
