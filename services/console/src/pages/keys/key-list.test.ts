import { describeKeyStatus, describeKeyUse, describeSwitch, fitsKey, orderKeys } from './key-list';

const key = (more: Partial<Parameters<typeof fitsKey>[0]> = {}) => ({
  name: 'ci',
  status: 'active' as const,
  spend: '0.00',
  max_budget: '0.01',
  last_used_at: null,
  ...more,
});
const label = (more: Parameters<typeof key>[0]) => describeKeyStatus(key(more)).label;

test('a key that is refused for its budget does not look healthy', () => {
  expect(label({ spend: '0.0099' })).toBe('Budget nearly used');
  expect(label({ spend: '0.01' })).toBe('Budget used');
  expect(label({ status: 'exhausted', spend: '0.01' })).toBe('Budget used');
  expect(label({ spend: '0.0079' })).toBe('Active');
  expect(label({ spend: '9.00', max_budget: null })).toBe('Active');
  expect(label({ status: 'disabled', spend: '0.01' })).toBe('Suspended');
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

test('a key that an operator disabled is not offered to be resumed', () => {
  const off = (disabled_by: 'operator' | 'account') =>
    describeSwitch({ status: 'disabled', disabled_by });
  expect(off('account')).toEqual({ verb: 'Resume', status: 'active', note: undefined });
  expect(off('operator').verb).toBeUndefined();
  expect(off('operator').note).toContain('only they can enable it');
  expect(describeSwitch({ status: 'active', disabled_by: null }).verb).toBe('Suspend');
});

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
