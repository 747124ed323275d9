import { nameById, shortenName } from './names';

test.each([
  ['ci', 'ci'],
  ['Search re-ranker for the storefront (staging)', 'Search re-ranker for the'],
  ['a-name-of-one-word-that-is-longer-than-anybody-types', 'a-name-of-one-word-that-is-longe'],
])('to confirm, of the name %s there is typed %s', (name, typed) => {
  expect(shortenName(name)).toBe(typed);
});

test('what is not in a list is called by its id', () => {
  expect(nameById([{ id: 'key_1', name: 'ci' }], 'key_1')).toBe('ci');
  expect(nameById([], 'key_1')).toBe('key_1');
  expect(nameById(undefined, 'key_1')).toBe('key_1');
});
