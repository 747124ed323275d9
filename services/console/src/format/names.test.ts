import { shortenName } from './names';

test.each([
  ['ci', 'ci'],
  ['Search re-ranker for the storefront (staging)', 'Search re-ranker for the'],
  ['a-name-of-one-word-that-is-longer-than-anybody-types', 'a-name-of-one-word-that-is-longe'],
])('to confirm, of the name %s there is typed %s', (name, typed) => {
  expect(shortenName(name)).toBe(typed);
});
