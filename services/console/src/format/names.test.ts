import { idByName, nameById, partsOfAddress, shortenName, toOptions, withOwnNames } from './names';

test.each([
  ['ci', 'ci'],
  ['Search re-ranker for the storefront (staging)', 'Search re-ranker for the'],
  ['nightly-evaluation-pipeline-eu-central', 'nightly-evaluation-pipeline-eu'],
  ['-oneletterandthenawordofmorethananybodytypes', '-oneletterandthenawordofmorethan'],
  ['a_name_of_one_word_that_is_longer_than_anybody_types', 'a_name_of_one_word_that_is_longe'],
])('to confirm, of the name %s there is typed %s', (name, typed) => {
  expect(shortenName(name)).toBe(typed);
});

test('what is not in a list is called by its id', () => {
  expect(nameById([{ id: 'key_1', name: 'ci' }], 'key_1')).toBe('ci');
  expect(nameById([], 'key_1')).toBe('key_1');
  expect(nameById(undefined, 'key_1')).toBe('key_1');
});

test('a field offers things by name, and nothing while their list is not there', () => {
  expect(toOptions([{ id: 'key_1', name: 'ci' }])).toEqual([{ value: 'key_1', label: 'ci' }]);
  expect(toOptions(undefined)).toEqual([]);
});

test('an address breaks behind its signs, and another name only where it has to', () => {
  expect(partsOfAddress('left@northwind.example')).toEqual(['left@', 'northwind.', 'example']);
  expect(partsOfAddress('nightly.build')).toEqual(['nightly.build']);
});

test('a filter takes a name in any case, or an id of what has none here', () => {
  const list = [{ id: 'usr_1', name: 'mara@north.example' }];
  expect(idByName(list, 'Mara@north.example')).toBe('usr_1');
  expect(idByName(list, 'key_of_another_account')).toBe('key_of_another_account');
});

test('an account and a channel that are called alike are told apart by their ids', () => {
  const list = withOwnNames([
    { id: 'acc_1', name: 'first' },
    { id: 'chn_1', name: 'first' },
    { id: 'chn_2', name: 'second' },
  ]);
  expect(list.map(({ name }) => name)).toEqual(['first (acc_1)', 'first (chn_1)', 'second']);
  expect(idByName(list, 'first (chn_1)')).toBe('chn_1');
});

test('a thing that two lists have stands once, and one of two names that differ in their case twice', () => {
  const first = { id: 'acc_1', name: 'Northwind' };
  const list = withOwnNames([first, first]);
  expect(list).toEqual([first]);
  const both = withOwnNames([first, { id: 'acc_2', name: 'northwind' }]);
  expect(both.map(({ name }) => name)).toEqual(['Northwind (acc_1)', 'northwind (acc_2)']);
  // Neither is taken for the other.
  expect(idByName(both, 'northwind')).toBe('northwind');
});

test('a name with an id behind it is that thing, also when the list does not have it', () => {
  expect(idByName([], 'Northwind (acc_2)')).toBe('acc_2');
  expect(idByName([{ id: 'acc_1', name: 'Northwind (west)' }], 'northwind (west)')).toBe('acc_1');
});
