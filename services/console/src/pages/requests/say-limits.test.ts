import { sayLimits } from './say-limits';

test('what was left of the limits is said, and nothing where there was none', () => {
  const day = { left: 999, limit: 1000 };
  expect(sayLimits({ minute: { left: 59, limit: 60 }, day })).toBe(
    '59 of 60 this minute, 999 of 1,000 today',
  );
  expect(sayLimits({ minute: null, day })).toBe('999 of 1,000 today');
  expect(sayLimits(null)).toBeUndefined();
});
