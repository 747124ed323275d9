import { createOwnerQueues } from './owner-queues';

interface Item {
  readonly name: string;
}

/** Items are named after their account. */
function setUp(...names: readonly string[]) {
  const queues = createOwnerQueues<Item>();
  const items = new Map(names.map((name): [string, Item] => [name, { name }]));
  for (const [name, item] of items) queues.add(name.slice(0, 1), item);
  const remove = (name: string) =>
    queues.remove(name.slice(0, 1), items.get(name) ?? { name: 'unknown' });
  const takeAll = () => {
    const taken: string[] = [];
    for (let next = queues.take(); next !== undefined; next = queues.take()) taken.push(next.name);
    return taken;
  };
  return { queues, remove, takeAll };
}

test('accounts take turns, and the items of one keep their order', () => {
  const { queues, takeAll } = setUp('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  expect([queues.size, queues.sizeOf('a'), queues.sizeOf('z')]).toEqual([6, 3, 0]);
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(queues.size).toBe(0);
});

test('an owner that may not go keeps its turn', () => {
  const { queues, takeAll } = setUp('a1', 'b1', 'b2', 'c1');
  expect(queues.take((owner) => owner !== 'a')?.name).toBe('b1');
  expect(takeAll()).toEqual(['a1', 'c1', 'b2']);
});

test('an item that was removed is never taken, and its account keeps its place for the others', () => {
  const { queues, remove, takeAll } = setUp('a1', 'a2', 'b1', 'c1');
  expect([remove('a1'), remove('b1'), remove('b1'), remove('z1')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(queues.size).toBe(2);
  expect(takeAll()).toEqual(['a2', 'c1']);
});
