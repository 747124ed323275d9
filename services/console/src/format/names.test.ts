import { nameById, partsOfAddress, shortenName } from './names';

test.each([
  ['ci', 'ci'],
  ['Search re-ranker for the storefront (staging)', 'Search re-ranker for the'],
  ['nightly-evaluation-pipeline-eu-central', 'nightly-evaluation-pipeline-eu'],
  ['a_name_of_one_word_that_is_longer_than_anybody_types', 'a_name_of_one_word_that_is_longe'],
])('to confirm, of the name %s there is typed %s', (name, typed) => {
  expect(shortenName(name)).toBe(typed);
});

test('what is not in a list is called by its id', () => {
  expect(nameById([{ id: 'key_1', name: 'ci' }], 'key_1')).toBe('ci');
  expect(nameById([], 'key_1')).toBe('key_1');
  expect(nameById(undefined, 'key_1')).toBe('key_1');
});

test('an address breaks behind its signs, and another name only where it has to', () => {
  expect(partsOfAddress('left@northwind.example')).toEqual(['left@', 'northwind.', 'example']);
  expect(partsOfAddress('nightly.build')).toEqual(['nightly.build']);
});
