import { fitsKey, orderKeys } from './key-list';

const key = (more: Partial<Parameters<typeof fitsKey>[0]> = {}) => ({
  name: 'ci',
  status: 'active' as const,
  spend: '0.00',
  max_budget: '0.01',
  last_used_at: null,
  ...more,
});

test('keys are found by a part of their name and by their state', () => {
  const all = { name: undefined, status: undefined, sort: undefined };
  const used = key({ name: 'Nightly build', spend: '0.01' });
  expect(fitsKey(used, all)).toBe(true);
  expect(fitsKey(used, { ...all, name: 'BUILD ' })).toBe(true);
  expect(fitsKey(used, { ...all, name: 'app' })).toBe(false);
  expect(fitsKey(used, { ...all, status: 'Budget used' })).toBe(true);
  expect(fitsKey(used, { ...all, status: 'Active' })).toBe(false);
});

test('keys stand by their newest use or their spend where that is asked for', () => {
  const keys = [
    key({ name: 'new' }),
    key({ name: 'used', last_used_at: '2026-11-22T10:00:00.000Z', spend: '0.02' }),
    key({ name: 'spent', last_used_at: '2026-11-21T10:00:00.000Z', spend: '9.00' }),
  ];
  const names = (sort: string | undefined) => orderKeys(keys, sort).map(({ name }) => name);
  expect(names(undefined)).toEqual(['new', 'used', 'spent']);
  expect(names('used')).toEqual(['used', 'spent', 'new']);
  expect(names('spend')).toEqual(['spent', 'used', 'new']);
});
