import { AppError } from '@tollgate/core';
import { isolate, isolateOne } from './index';

const faults: string[] = [];
const calls: (readonly string[])[] = [];

beforeEach(() => {
  faults.length = 0;
  calls.length = 0;
});

function isolating(items: readonly string[], failure: Error): Promise<void> {
  const work = async (some: readonly string[]) => {
    calls.push(some);
    if (some.includes('bad')) throw failure;
  };
  return isolate(items, work, (item) => faults.push(item));
}

test('items that all are well are worked on together', async () => {
  await isolating(['a', 'b'], new Error('never'));
  expect(calls).toEqual([['a', 'b']]);
});

test('one that fails alone is named, and the others are done', async () => {
  await isolating(['a', 'bad', 'b'], new TypeError('no such member'));
  expect(calls.slice(1)).toEqual([['a', 'bad'], ['a'], ['bad'], ['b']]);
  expect(faults).toEqual(['bad']);
});

test('one bad item among 500 costs 19 tries, and not 501', async () => {
  const items = Array.from({ length: 500 }, (_, index) => (index === 321 ? 'bad' : `${index}`));
  await isolating(items, new TypeError('no such member'));
  expect(calls.length).toBeLessThanOrEqual(19);
  expect(faults).toEqual(['bad']);
});

test('a single item that fails is not worked on twice', async () => {
  await isolating(['bad'], new AppError('INTERNAL_ERROR'));
  expect(calls).toEqual([['bad']]);
  expect(faults).toEqual(['bad']);
});

test.each(['SERVICE_UNAVAILABLE', 'DATABASE_ERROR'] as const)(
  '%s is the fault of no item',
  async (code) => {
    await expect(isolating(['a', 'bad'], new AppError(code))).rejects.toMatchObject({ code });
    expect(faults).toEqual([]);
  },
);

test('one of many tells of a failure of its own, and rejects with one that may pass', async () => {
  const told: unknown[] = [];
  const working = (error: Error) =>
    isolateOne(
      () => Promise.reject(error),
      (own) => told.push(own),
    );
  const own = new TypeError('no such member');
  await working(own);
  expect(told).toEqual([own]);
  const passing = new AppError('SERVICE_UNAVAILABLE');
  await expect(working(passing)).rejects.toBe(passing);
  expect(told).toEqual([own]);
});

test('a store that finds a document at fault says that no other time helps', async () => {
  await isolating(['a', 'bad'], new AppError('DATABASE_ERROR', { retryable: false }));
  expect(faults).toEqual(['bad']);
});
