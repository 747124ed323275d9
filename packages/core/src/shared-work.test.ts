import { createSharedWork } from './shared-work';

test('who asks for the same while it is under way gets the same promise', async () => {
  const shared = createSharedWork<string>();
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = jest.fn(() => promise);
  const first = shared.run('a', work);
  expect(shared.run('a', work)).toBe(first);
  expect(shared.run('b', () => Promise.resolve('other'))).not.toBe(first);
  expect([shared.has('a'), shared.has('c'), shared.size]).toEqual([true, false, 2]);
  resolve('done');
  await expect(first).resolves.toBe('done');
  expect(work).toHaveBeenCalledTimes(1);
});

test.each([
  ['done', () => Promise.resolve('done')],
  ['failed', () => Promise.reject(new Error('failed'))],
])('work that is %s is begun anew when it is asked for again', async (_name, work) => {
  const shared = createSharedWork<string>();
  await shared.run('a', work).catch(() => undefined);
  expect(shared.size).toBe(0);
  await expect(shared.run('a', () => Promise.resolve('anew'))).resolves.toBe('anew');
});
