import { silentLogger } from '@tollgate/core';
import { createLastUseTracker } from './last-use';

test('a report of more keys than one write takes loses none of them', async () => {
  const touched: ReadonlyMap<string, number>[] = [];
  const touch = async (batch: ReadonlyMap<string, number>) => void touched.push(batch);
  const tracker = createLastUseTracker({ keys: { touch }, logger: silentLogger });
  for (let at = 0; at < 25_000; at += 1) tracker.record(`key_${at}`, at);
  await tracker.flush();
  expect(touched.map(({ size }) => size)).toEqual([10_000, 10_000, 5_000]);
  expect(touched[0]?.get('key_0')).toBe(0);
});

test('a store that does not answer holds a few writes, and later uses are dropped', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let touched = 0;
  const touch = async (batch: ReadonlyMap<string, number>) => {
    await promise;
    touched += batch.size;
  };
  const tracker = createLastUseTracker({ keys: { touch }, logger: silentLogger });
  for (let at = 0; at < 200_000; at += 1) tracker.record(`key_${at}`, at);
  resolve();
  await tracker.flush();
  expect(touched).toBe(50_000);
});
