import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';

/** Leases of replicas in the memory of one process. */
export function createMemoryJobLeaseStore(): JobLeaseStore {
  const groups = new Map<string, Map<string, JobLeaseRow>>();
  const rowsOf = (group: string) => {
    const rows = groups.get(group) ?? new Map<string, JobLeaseRow>();
    groups.set(group, rows);
    return rows;
  };
  const isAsSeen = (row: JobLeaseRow | undefined, seen: JobLeaseRow | undefined) =>
    row?.replica === seen?.replica && row?.fence === seen?.fence && row?.beat === seen?.beat;
  return {
    async beat(group, replica) {
      const rows = rowsOf(group);
      for (const [id, row] of rows) {
        if (row.replica === replica) rows.set(id, { ...row, beat: row.beat + 1n });
      }
    },
    read: async (group) => [...rowsOf(group).values()],
    async take(group, next, seen) {
      const rows = rowsOf(group);
      if (!isAsSeen(rows.get(next.id), seen)) return false;
      rows.set(next.id, next);
      return true;
    },
    async release(group, id, replica, fence) {
      const row = rowsOf(group).get(id);
      if (row?.replica !== replica || row.fence !== fence) return;
      rowsOf(group).set(id, { ...row, replica: '' });
    },
    async remove(group, removed) {
      for (const seen of removed) {
        if (isAsSeen(rowsOf(group).get(seen.id), seen)) rowsOf(group).delete(seen.id);
      }
    },
  };
}
