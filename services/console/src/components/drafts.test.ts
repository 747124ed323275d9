import { changedFields, describeLimits, fromLimit, toIsoTime, toLimit } from './drafts';

test('a limit is a number, none at all, or undefined where the form leaves it open', () => {
  expect(['', ' 600 ', 'none'].map(toLimit)).toEqual([undefined, 600, null]);
  expect([undefined, 600, null].map(fromLimit)).toEqual(['', '600', 'none']);
});

test('a time is sent with its zone', () => {
  expect(toIsoTime('')).toBeNull();
  expect(Date.parse(toIsoTime('2030-01-31T12:00') ?? '')).toBe(Date.parse('2030-01-31T12:00'));
});

test('a change sends the fields that differ, lists and objects by what is in them', () => {
  const before = {
    name: 'one',
    groups: ['a'],
    limits: { rpm: 1 },
    budget: '1.00' as string | null,
  };
  expect(changedFields(before, structuredClone(before))).toEqual({});
  const after = { ...before, groups: ['a', 'b'], budget: null };
  expect(changedFields(before, after)).toEqual({ groups: ['a', 'b'], budget: null });
});

test('limits are told with their unit, each that is set', () => {
  expect(describeLimits({ concurrent_requests: 200 })).toBe('200 requests at once');
  expect(describeLimits({ requests_per_minute: 1000, requests_per_day: null })).toBe(
    '1,000 requests a minute, no limit of requests a day',
  );
  expect(describeLimits({})).toBe('');
});
