import { withoutUndefined } from './without-undefined';

test('a member that is undefined is left out and hides nothing; null and empty ones stay', () => {
  const changes = withoutUndefined({ a: undefined, b: null, c: '', d: 0 });
  expect({ a: 1, ...changes }).toStrictEqual({ a: 1, b: null, c: '', d: 0 });
});
