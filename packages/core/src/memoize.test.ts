import { memoize } from './memoize';

test('works a value out once for each object, whatever the value is', () => {
  let calls = 0;
  const find = memoize(({ name }: { name?: string }) => {
    calls += 1;
    return name;
  });
  const [named, unnamed] = [{ name: 'a' }, {}];
  expect([find(named), find(named), find(unnamed), find(unnamed)]).toEqual([
    'a',
    'a',
    undefined,
    undefined,
  ]);
  expect(calls).toBe(2);
  find({ name: 'a' });
  expect(calls).toBe(3);
});
