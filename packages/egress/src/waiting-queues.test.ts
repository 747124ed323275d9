import { createWaitingQueues } from './waiting-queues';

/** Items are named after their owner. */
function setUp(waitingMax: number, ...names: readonly string[]) {
  const queues = createWaitingQueues<{ readonly owner: string; readonly name: string }>(waitingMax);
  const items = names.map((name) => ({ owner: name.slice(0, 1), name }));
  const joined = items.filter((item) => queues.join(item)).map(({ name }) => name);
  const leave = (name: string) => {
    const item = items.find((each) => each.name === name);
    return item !== undefined && queues.leave(item);
  };
  const take = (...owners: readonly string[]) =>
    queues.take((owner) => owners.length === 0 || owners.includes(owner))?.name;
  return { joined, leave, take };
}

test('owners take turns, and the oldest of each goes first', () => {
  const { take } = setUp(100, 'a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  const taken = Array.from({ length: 7 }, () => take());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('an owner that may not go keeps its turn', () => {
  const { take } = setUp(100, 'a1', 'b1', 'b2', 'c1');
  expect([take('b', 'c'), take('c'), take(), take(), take()]).toEqual([
    'b1',
    'c1',
    'a1',
    'b2',
    undefined,
  ]);
});

test('an owner waits with as many as it leaves room for, and with more once some are gone', () => {
  const { joined, leave, take } = setUp(4, 'a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1');
  expect(joined).toEqual(['a1', 'a2', 'b1', 'c1']);
  expect(['a1', 'a1', 'a3', 'b2', 'd1'].map(leave)).toEqual([true, false, false, false, false]);
  expect([take(), take(), take(), take()]).toEqual(['a2', 'b1', 'c1', undefined]);
});

test('what was taken or left gives its room to others', () => {
  const queues = createWaitingQueues<{ readonly owner: string }>(1);
  const [first, second, third] = [{ owner: 'a' }, { owner: 'b' }, { owner: 'c' }];
  expect([queues.join(first), queues.join(second)]).toEqual([true, false]);
  expect(queues.take(() => true)).toBe(first);
  expect(queues.leave(first)).toBe(false);
  expect([queues.join(second), queues.leave(second), queues.join(third)]).toEqual([
    true,
    true,
    true,
  ]);
});
