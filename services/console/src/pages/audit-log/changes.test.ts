import { listChanges } from './changes';

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
