import type { LeaseRow, LeaseStore } from '@tollgate/jobs';

/** Leases of replicas in the memory of one process. */
export function createMemoryLeaseStore(): LeaseStore {
  const groups = new Map<string, Map<string, LeaseRow>>();
  const rowsOf = (group: string) => {
    const rows = groups.get(group) ?? new Map<string, LeaseRow>();
    groups.set(group, rows);
    return rows;
  };
  const isAsSeen = (row: LeaseRow | undefined, seen: LeaseRow | undefined) =>
    row?.holder === seen?.holder && row?.fence === seen?.fence && row?.beat === seen?.beat;
  return {
    async beat(group, holder) {
      const rows = rowsOf(group);
      for (const [id, row] of rows) {
        if (row.holder === holder) rows.set(id, { ...row, beat: row.beat + 1n });
      }
    },
    read: async (group) => [...rowsOf(group).values()],
    async take(group, next, seen) {
      const rows = rowsOf(group);
      if (!isAsSeen(rows.get(next.id), seen)) return false;
      rows.set(next.id, next);
      return true;
    },
    async release(group, id, holder, fence) {
      const row = rowsOf(group).get(id);
      if (row?.holder !== holder || row.fence !== fence) return;
      rowsOf(group).set(id, { ...row, holder: '' });
    },
    async remove(group, removed) {
      for (const seen of removed) {
        if (isAsSeen(rowsOf(group).get(seen.id), seen)) rowsOf(group).delete(seen.id);
      }
    },
  };
}
