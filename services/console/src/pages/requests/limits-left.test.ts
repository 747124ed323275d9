import { describeLimitsLeft } from './limits-left';

test('what was left of the limits is said, and nothing where there was none', () => {
  const day = { left: 999, limit: 1000 };
  expect(describeLimitsLeft({ minute: { left: 59, limit: 60 }, day })).toBe(
    '59 of 60 this minute, 999 of 1,000 today',
  );
  expect(describeLimitsLeft({ minute: null, day })).toBe('999 of 1,000 today');
  expect(describeLimitsLeft(null)).toBeUndefined();
});
