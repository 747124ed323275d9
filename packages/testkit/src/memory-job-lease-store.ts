import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';

/** Job leases in the memory of one process. */
export function createMemoryJobLeaseStore(): JobLeaseStore {
  const rows = new Map<string, JobLeaseRow>();
  const isAsSeen = (row: JobLeaseRow | undefined, seen: JobLeaseRow | undefined) =>
    row?.replica === seen?.replica && row?.fence === seen?.fence && row?.beat === seen?.beat;
  return {
    async beat(group, replica) {
      const row = rows.get(group);
      if (row?.replica !== replica) return undefined;
      const next = { ...row, beat: row.beat + 1n };
      rows.set(group, next);
      return next;
    },
    read: async (group) => rows.get(group),
    async take(group, next, seen) {
      if (!isAsSeen(rows.get(group), seen)) return false;
      rows.set(group, next);
      return true;
    },
    async release(group, replica, fence) {
      const row = rows.get(group);
      if (row?.replica === replica && row.fence === fence) rows.set(group, { ...row, replica: '' });
    },
  };
}
