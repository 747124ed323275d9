import { documentsOf, type MongoStore, retryChange } from '@tollgate/mongo';
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

/**
 * Each request raises the counter by one conditional write, so that parallel ones cannot exceed
 * `max`. Legacy keys do not raise it: a counter that is below what there is gets corrected first,
 * and when anything else changes it meanwhile, the correction is decided anew.
 */
export function createQuotaStore(mongo: MongoStore): QuotaStore {
  const quotas = documentsOf<QuotaDocument>(mongo, COLLECTIONS.quotas);
  return {
    async acquire({ name, max, now, count }) {
      const changedAt = new Date(now);
      await retryChange('account', async () => {
        const seen = await quotas.find({ _id: name });
        const counted = { taken: await count(), changedAt };
        if (seen !== undefined && isRight(seen, counted)) return true;
        const isWritten =
          seen === undefined
            ? await quotas.insert({ _id: name, ...counted })
            : await quotas.update(seen, { $set: counted });
        return isWritten || undefined;
      });
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

/** Not below what there is, and changed so lately that it may say what is being made. */
function isRight(seen: QuotaDocument, counted: Omit<QuotaDocument, '_id'>): boolean {
  const ageMs = counted.changedAt.getTime() - seen.changedAt.getTime();
  return seen.taken >= counted.taken && ageMs < RECOUNT_AFTER_MS;
}
