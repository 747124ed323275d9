import { type Clock, delay } from '@tollgate/core';
import {
  type JobLeaseRow,
  type JobLeaseStore,
  LEADER_TTL_MS_MAX,
  LOOKS_PER_TTL,
} from '@tollgate/jobs';
import { documentsOf } from './documents';
import { withDatabaseFailures } from './failures';
import type { MongoStore } from './store';

interface JobLeaseDocument {
  readonly _id: string;
  /** The replica; the released name of the member. */
  readonly holder: string;
  readonly fence: bigint;
  readonly beat: bigint;
  /** Where a version leads that does not know it: absent, or that of the leader before it. */
  readonly ttl_ms?: number;
}

/** How much later than it is due a beat may be in the store. */
const BEAT_DELAY_MS_MAX = 1_000;

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
      const { ttlMs: ttl_ms } = next;
      const taken = { ...toDocument(group, next), ...(ttl_ms === undefined ? {} : { ttl_ms }) };
      // False when another replica was faster.
      if (seen === undefined) return leases.insert(taken);
      const { _id, ...$set } = taken;
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
 * within the wait counts. `onWait` hears how long that is: until each of the leaders must beat.
 */
export async function findRunningGroups(
  store: MongoStore,
  clock: Clock,
  onWait: (waitMs: number) => void,
): Promise<readonly string[]> {
  const listHeld = () =>
    documentsOf<JobLeaseDocument>(store, 'job_leases').list({ holder: { $ne: '' } });
  const before = await listHeld();
  if (before.length === 0) return [];
  const ttlMs = Math.max(...before.map(({ ttl_ms = LEADER_TTL_MS_MAX }) => ttl_ms));
  const waitMs = Math.ceil(ttlMs / LOOKS_PER_TTL) + BEAT_DELAY_MS_MAX;
  onWait(waitMs);
  await delay(clock, waitMs);
  const beats = new Map(before.map(({ _id, beat }) => [_id, beat]));
  const growing = (await listHeld()).filter(({ _id, beat }) => beats.get(_id) !== beat);
  return growing.map(({ _id }) => _id.replace(/\/.*$/, '')).sort();
}

/** The released name: other versions lead by the same row. */
function idOf(group: string): string {
  return `${group}/shard 0`;
}

function fromDocument(document: JobLeaseDocument): JobLeaseRow {
  const { holder: replica, fence, beat, ttl_ms: ttlMs } = document;
  return { replica, fence, beat, ttlMs };
}

/** What a row is recognised by: without `ttl_ms`, which older versions do not write. */
function toDocument(group: string, { replica, fence, beat }: JobLeaseRow): JobLeaseDocument {
  return { _id: idOf(group), holder: replica, fence, beat };
}
