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
 * A process that dies between acquiring and making leaves the number too high. After that long
 * without a change nobody is about to make something: the records are counted anew.
 */
const RECOUNT_AFTER_MS = 60_000;

/** Each request raises the number by one conditional write: parallel ones cannot exceed `max`. */
export function createQuotaStore(store: MongoStore): QuotaStore {
  const quotas = documentsOf<QuotaDocument>(store, COLLECTIONS.quotas);
  return {
    async acquire({ name, max, now, count }) {
      const changedAt = new Date(now);
      const seen = await quotas.find({ _id: name });
      const counted = { taken: await count(), changedAt };
      if (seen === undefined) await quotas.insert({ _id: name, ...counted });
      // Imported keys did not raise it, which leaves it too low.
      else if (seen.taken < counted.taken || seen.changedAt.getTime() + RECOUNT_AFTER_MS <= now) {
        await quotas.update(seen, { $set: counted });
      }
      return quotas.update(
        { _id: name, taken: { $lt: max } },
        { $inc: { taken: 1 }, $set: { changedAt } },
      );
    },
    async release(name, now) {
      await quotas.update(
        { _id: name, taken: { $gt: 0 } },
        { $inc: { taken: -1 }, $set: { changedAt: new Date(now) } },
      );
    },
  };
}
