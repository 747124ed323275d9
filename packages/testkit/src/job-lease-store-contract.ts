import type { JobLeaseRow, JobLeaseStore } from '@tollgate/jobs';

/** What every store of leases must do; `open` answers an empty one. */
export function describeJobLeaseStore(title: string, open: () => Promise<JobLeaseStore>): void {
  describe(`${title} as a store of leases`, () => {
    test('of those who saw the same row one takes it', async () => {
      const store = await open();
      expect(await store.take('jobs', row('shard 0', 'a'), undefined)).toBe(true);
      expect(await store.take('jobs', row('shard 0', 'b'), undefined)).toBe(false);
      const [seen] = await store.read('jobs');
      expect(await store.take('jobs', row('shard 0', 'b', 2n), seen)).toBe(true);
      expect(await store.take('jobs', row('shard 0', 'c', 2n), seen)).toBe(false);
      expect(await store.read('jobs')).toEqual([row('shard 0', 'b', 2n)]);
    });

    test('a row whose replica gave a sign of life is not as it was seen', async () => {
      const store = await open();
      await store.take('jobs', row('shard 0', 'a'), undefined);
      const [seen] = await store.read('jobs');
      await store.beat('jobs', 'a');
      expect(await store.take('jobs', row('shard 0', 'b', 2n), seen)).toBe(false);
    });

    test('a beat concerns every row of its replica in its group, and no other', async () => {
      const store = await open();
      for (const [group, id, replica] of ROWS) {
        await store.take(group, row(id, replica), undefined);
      }
      await store.beat('jobs', 'a');
      const beats = async (group: string) =>
        Object.fromEntries((await store.read(group)).map(({ id, beat }) => [id, beat]));
      expect(await beats('jobs')).toEqual({ 'shard 0': 2n, 'shard 1': 1n, 'shard 2': 2n });
      expect(await beats('jobs0')).toEqual({ 'shard 0': 1n });
    });

    test('only the replica of the present term releases a row', async () => {
      const store = await open();
      await store.take('jobs', row('shard 0', 'a'), undefined);
      await store.release('jobs', 'shard 0', 'b', 1n);
      await store.release('jobs', 'shard 0', 'a', 2n);
      expect(await store.read('jobs')).toMatchObject([{ replica: 'a' }]);
      await store.release('jobs', 'shard 0', 'a', 1n);
      expect(await store.read('jobs')).toMatchObject([{ replica: '', fence: 1n }]);
    });

    test('a row is removed as long as it is as it was seen', async () => {
      const store = await open();
      await store.take('jobs', row('member a', 'a'), undefined);
      await store.take('jobs', row('member b', 'b'), undefined);
      const seen = await store.read('jobs');
      await store.beat('jobs', 'b');
      await store.remove('jobs', seen);
      expect(await store.read('jobs')).toMatchObject([{ id: 'member b' }]);
    });
  });
}

function row(id: string, replica: string, fence = 1n): JobLeaseRow {
  return { id, replica, fence, beat: 1n };
}

const ROWS = [
  ['jobs', 'shard 0', 'a'],
  ['jobs', 'shard 1', 'b'],
  ['jobs', 'shard 2', 'a'],
  ['jobs0', 'shard 0', 'a'],
] as const;
