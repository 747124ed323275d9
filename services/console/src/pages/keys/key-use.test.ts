import { describeKeyUse } from './key-use';

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const BEFORE = '2026-11-22T11:57:00Z';

test.each([
  [BEFORE, 1, 'It was used 1 time in the last 24 hours: whatever uses it will fail.'],
  [BEFORE, 0, 'Last used 3 min ago; 0 requests served in 24 hours.'],
  [null, 0, 'It was not used yet.'],
])(
  'of a key last used %s with %s requests in 24 hours it is said',
  (lastUsedAt, requests, said) => {
    expect(describeKeyUse(lastUsedAt, requests, NOW_MS)).toBe(said);
  },
);

test('while nobody has counted the requests no count is said', () => {
  expect(describeKeyUse(BEFORE, undefined, NOW_MS)).toBe('Last used 3 min ago.');
  expect(describeKeyUse(null, undefined, NOW_MS)).toBe('');
});
