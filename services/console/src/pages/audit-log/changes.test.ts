import { describeChanges, listChanges, nameIn } from './changes';

test('a change shows what differs and nothing else', () => {
  const before = { name: 'ci', models: ['a'], max_budget: null, scopes: ['keys'] };
  const after = { name: 'build', models: ['a'], max_budget: '5.00', scopes: ['keys', 'stats'] };
  expect(listChanges(before, after)).toEqual([
    { name: 'name', before: 'ci', after: 'build' },
    { name: 'max_budget', before: '–', after: '5.00' },
    { name: 'scopes', before: '["keys"]', after: '["keys","stats"]' },
  ]);
});

test('what was made had nothing before, and what was deleted has nothing after', () => {
  expect(listChanges(null, { name: 'ci' })).toEqual([{ name: 'name', before: '–', after: 'ci' }]);
  expect(listChanges({ name: 'ci' }, null)).toEqual([{ name: 'name', before: 'ci', after: '–' }]);
  expect(listChanges(null, null)).toEqual([]);
});

test('a small change is said in the sentence, and a large one stands in the table alone', () => {
  const said = (before: object, after: object) =>
    describeChanges(listChanges({ name: 'first', ...before }, { name: 'first', ...after }));
  expect(said({ priority: 0 }, { priority: 10 })).toBe('priority 0 → 10');
  expect(said({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 })).toBe('');
  expect(said({ note: 'x' }, { note: 'x'.repeat(99) })).toBe('');
  expect(nameIn(null, { name: 'first' })).toBe('first');
  expect(nameIn({ id: 'chn_1' }, null)).toBeUndefined();
});
