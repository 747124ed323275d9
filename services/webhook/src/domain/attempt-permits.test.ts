import { createAttemptPermits } from './attempt-permits';

function permitsOf(total: number, perEndpoint: number) {
  const permits = createAttemptPermits({ total, perEndpoint });
  const take = (accountId: string, id: string, consecutiveFailures = 0) =>
    permits.take({ accountId, id, consecutiveFailures });
  return { permits, take };
}

test('no endpoint has more than its permits, and failing ones at most half of all', () => {
  const { permits, take } = permitsOf(8, 2);
  const release = take('A', 'a', 1);
  expect(take('B', 'b', 1)).toBeDefined();
  expect(take('C', 'c', 1)).toBeDefined();
  expect(take('D', 'd', 1)).toBeDefined();
  expect(take('E', 'e', 1)).toBeUndefined();
  expect(permits.failingAreFull).toBe(true);
  expect(take('E', 'f')).toBeDefined();
  release?.();
  release?.();
  expect(permits.taken).toBe(4);
  expect(take('E', 'f')).toBeDefined();
  expect(take('E', 'f')).toBeUndefined();
  expect(permits.saturated().endpoints).toEqual(['f']);
});

test('an account that has its share of the permits for failing endpoints gets others', () => {
  const { permits, take } = permitsOf(8, 1);
  const failing = ['a', 'b', 'c'].map((id) => take('A', id, 1) !== undefined);
  expect(failing).toEqual([true, true, false]);
  expect(permits.failingAreFull).toBe(false);
  expect(permits.saturated()).toMatchObject({ accounts: [], accountsOfFailing: ['A'] });
  expect(take('A', 'd')).toBeDefined();
});

test('an account gets at most as many permits as it leaves free, and a newcomer always gets one', () => {
  const { permits, take } = permitsOf(8, 1);
  const taken = (account: string) =>
    Array.from({ length: 20 }, (_, index) => take(account, `${account}${index}`)).filter(
      (release) => release !== undefined,
    );
  const first = taken('A');
  expect(first).toHaveLength(4);
  expect([taken('B').length, taken('C').length, taken('D').length]).toEqual([2, 1, 1]);
  expect(permits.isFull).toBe(true);
  expect(permits.saturated().accounts).toContain('A');
  for (const release of first) release();
  // Who has its share already waits for those who have less.
  expect([taken('E').length, taken('B').length]).toEqual([2, 0]);
});
