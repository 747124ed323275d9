import { type Clock, delay } from '@tollgate/core';
import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';
import { documentsOf } from './documents';
import { withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

interface JobLeaseDocument {
  readonly _id: string;
  /** The replica; the released name of the member. */
  readonly holder: string;
  readonly fence: bigint;
  readonly beat: bigint;
}

/** Keeps who leads which group of replicas, in one small collection that all services share. */
export function createJobLeaseStore(store: MongoStore): JobLeaseStore {
  const leases = documentsOf<JobLeaseDocument>(store, 'job_leases');

  return {
    async beat(group, replica) {
      const mine = { _id: idOf(group), holder: replica };
      const found = await withDatabaseFailures(() =>
        leases
          .collection()
          .findOneAndUpdate(mine, { $inc: { beat: 1n } }, { returnDocument: 'after' }),
      );
      return found === null ? undefined : fromDocument(found);
    },
    async read(group) {
      const found = await leases.find({ _id: idOf(group) });
      return found && fromDocument(found);
    },
    take(group, next, seen) {
      // False when another replica was faster.
      if (seen === undefined) return leases.insert(toDocument(group, next));
      const { _id, ...$set } = toDocument(group, next);
      return leases.update(toDocument(group, seen), { $set });
    },
    async release(group, replica, fence) {
      const held = { _id: idOf(group), holder: replica, fence };
      await leases.update(held, { $set: { holder: '' } });
    },
  };
}

/**
 * The groups whose leader works, so that their service runs. A leader that ended in order has left
 * its lease, and one that was killed proves nothing any more: only a lease that is held and grows
 * within `waitMs` counts, which must be longer than a third of a leader's time to live.
 */
export async function findRunningGroups(
  store: MongoStore,
  clock: Clock,
  waitMs: number,
): Promise<readonly string[]> {
  const readHeld = async () => {
    const rows = await documentsOf<JobLeaseDocument>(store, 'job_leases').list({});
    return new Map(rows.filter(({ holder }) => holder !== '').map(({ _id, beat }) => [_id, beat]));
  };
  const before = await readHeld();
  if (before.size === 0) return [];
  await delay(clock, waitMs);
  const after = await readHeld();
  const growing = [...after].filter(([id, beat]) => before.get(id) !== beat);
  return growing.map(([id]) => id.replace(/\/.*$/, '')).sort();
}

/** The released name: other versions lead by the same row. */
function idOf(group: string): string {
  return `${group}/shard 0`;
}

function fromDocument({ holder: replica, fence, beat }: JobLeaseDocument): JobLeaseRow {
  return { replica, fence, beat };
}

function toDocument(group: string, { replica, fence, beat }: JobLeaseRow): JobLeaseDocument {
  return { _id: idOf(group), holder: replica, fence, beat };
}
