import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';

const TTL_MS = 6_000;

/** What every store of job leases must do; `open` returns an empty one. */
export function describeJobLeaseStore(title: string, open: () => Promise<JobLeaseStore>): void {
  describe(`${title} as a store of job leases`, () => {
    test('of those who saw the same row one takes it', async () => {
      const store = await open();
      expect(await store.read('jobs')).toBeUndefined();
      expect(await store.take('jobs', row('a'), undefined)).toBe(true);
      expect(await store.take('jobs', row('b'), undefined)).toBe(false);
      const seen = await store.read('jobs');
      expect(await store.take('jobs', row('b', 2n), seen)).toBe(true);
      expect(await store.take('jobs', row('c', 2n), seen)).toBe(false);
      expect(await store.read('jobs')).toEqual(row('b', 2n));
    });

    test('a row whose replica gave a sign of life is not as it was seen', async () => {
      const store = await open();
      await store.take('jobs', row('a'), undefined);
      const seen = await store.read('jobs');
      await store.beat('jobs', 'a');
      expect(await store.take('jobs', row('b', 2n), seen)).toBe(false);
    });

    test('a beat concerns the row of its group that its replica has, and no other', async () => {
      const store = await open();
      await store.take('jobs', row('a'), undefined);
      await store.take('jobs0', row('a'), undefined);
      await store.take('others', row('b'), undefined);
      expect(await store.beat('jobs', 'a')).toEqual({ ...row('a'), beat: 2n });
      expect(await store.beat('others', 'a')).toBeUndefined();
      expect(await store.beat('unknown', 'a')).toBeUndefined();
      const beats = await Promise.all(['jobs', 'jobs0', 'others'].map(store.read));
      expect(beats.map((found) => found?.beat)).toEqual([2n, 1n, 1n]);
    });

    test('only the replica of the present term releases a row', async () => {
      const store = await open();
      await store.take('jobs', row('a'), undefined);
      await store.release('jobs', 'b', 1n);
      await store.release('jobs', 'a', 2n);
      expect(await store.read('jobs')).toMatchObject({ replica: 'a' });
      await store.release('jobs', 'a', 1n);
      expect(await store.read('jobs')).toMatchObject({ replica: '', fence: 1n });
    });
  });
}

function row(replica: string, fence = 1n): JobLeaseRow {
  return { replica, fence, beat: 1n, ttlMs: TTL_MS };
}
