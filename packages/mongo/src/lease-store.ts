import type { LeaseRow, LeaseStore } from '@tollgate/jobs';
import { databaseFailure, isDuplicateKey, withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

interface LeaseDocument {
  /** Group and row, so that the rows of a group stand together in the index of ids. */
  readonly _id: string;
  readonly holder: string;
  readonly fence: bigint;
  readonly beat: bigint;
}

/** Keeps which replica works on what, in one small collection that all services share. */
export function createLeaseStore(store: MongoStore): LeaseStore {
  const leases = () => store.connection.collection<LeaseDocument>('job_leases');

  const insert = async (group: string, { id, ...row }: LeaseRow): Promise<boolean> => {
    try {
      await leases().insertOne({ _id: idOf(group, id), ...row });
      return true;
    } catch (error) {
      // Another replica was faster.
      if (isDuplicateKey(error)) return false;
      throw databaseFailure(error);
    }
  };

  return {
    async beat(group, holder) {
      const mine = { _id: inGroup(group), holder };
      await withDatabaseFailures(() => leases().updateMany(mine, { $inc: { beat: 1n } }));
    },
    async read(group) {
      const rows = await withDatabaseFailures(() =>
        leases()
          .find({ _id: inGroup(group) })
          .toArray(),
      );
      return rows.map(({ _id, ...row }) => ({ ...row, id: _id.slice(group.length + 1) }));
    },
    async take(group, next, seen) {
      if (seen === undefined) return insert(group, next);
      const { id: _, ...$set } = next;
      const taken = await withDatabaseFailures(() =>
        leases().updateOne(asSeen(group, seen), { $set }),
      );
      return taken.matchedCount === 1;
    },
    async release(group, id, holder, fence) {
      const held = { _id: idOf(group, id), holder, fence };
      await withDatabaseFailures(() => leases().updateOne(held, { $set: { holder: '' } }));
    },
    async remove(group, rows) {
      for (const row of rows) {
        await withDatabaseFailures(() => leases().deleteOne(asSeen(group, row)));
      }
    },
  };
}

function idOf(group: string, id: string): string {
  return `${group}/${id}`;
}

/** Every id of a group: `0` is the character after the separator. */
function inGroup(group: string): { readonly $gt: string; readonly $lt: string } {
  return { $gt: `${group}/`, $lt: `${group}0` };
}

function asSeen(group: string, { id, holder, fence, beat }: LeaseRow) {
  return { _id: idOf(group, id), holder, fence, beat };
}
