import { createBoundedMap } from './bounded-map';

describe('a bounded map', () => {
  test('forgets the entry that was used longest ago', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([...map.entries()]).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  test('setting an entry again does not push another out', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect(map.size).toBe(2);
    expect(map.get('a')).toBe(1);
  });

  test.each([0, -1, 1.5, Number.NaN])('a bound of %s is refused', (bound) => {
    expect(() => createBoundedMap(bound)).toThrow(RangeError);
  });
});
