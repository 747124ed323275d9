import { equalText } from './hash';

test('texts are equal when all of them is', () => {
  expect(equalText('abc', 'abcd')).toBe(false);
  expect(equalText('abc', 'abd')).toBe(false);
  expect(equalText('abc', 'abc')).toBe(true);
});
