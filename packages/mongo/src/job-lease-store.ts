import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';
import { databaseFailure, isDuplicateKey, withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

interface JobLeaseDocument {
  /** Group and row, so that the rows of a group stand together in the index of ids. */
  readonly _id: string;
  /** The replica; the released name of the member. */
  readonly holder: string;
  readonly fence: bigint;
  readonly beat: bigint;
}

/** Keeps which replica works on what, in one small collection that all services share. */
export function createJobLeaseStore(store: MongoStore): JobLeaseStore {
  const leases = () => store.connection.collection<JobLeaseDocument>('job_leases');

  const insert = async (group: string, row: JobLeaseRow): Promise<boolean> => {
    try {
      await leases().insertOne(toDocument(group, row));
      return true;
    } catch (error) {
      // Another replica was faster.
      if (isDuplicateKey(error)) return false;
      throw databaseFailure(error);
    }
  };

  return {
    async beat(group, replica) {
      const mine = { _id: inGroup(group), holder: replica };
      await withDatabaseFailures(() => leases().updateMany(mine, { $inc: { beat: 1n } }));
    },
    async read(group) {
      const rows = await withDatabaseFailures(() =>
        leases()
          .find({ _id: inGroup(group) })
          .toArray(),
      );
      return rows.map(({ _id, holder, fence, beat }) => ({
        ...{ id: _id.slice(group.length + 1), replica: holder, fence, beat },
      }));
    },
    async take(group, next, seen) {
      if (seen === undefined) return insert(group, next);
      const { _id, ...$set } = toDocument(group, next);
      const taken = await withDatabaseFailures(() =>
        leases().updateOne(toDocument(group, seen), { $set }),
      );
      return taken.matchedCount === 1;
    },
    async release(group, id, replica, fence) {
      const held = { _id: idOf(group, id), holder: replica, fence };
      await withDatabaseFailures(() => leases().updateOne(held, { $set: { holder: '' } }));
    },
    async remove(group, rows) {
      for (const row of rows) {
        await withDatabaseFailures(() => leases().deleteOne(toDocument(group, row)));
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

function toDocument(group: string, row: JobLeaseRow): JobLeaseDocument {
  const { id, replica, fence, beat } = row;
  return { _id: idOf(group, id), holder: replica, fence, beat };
}
