import {
  describeKeyStatus,
  describeKeyUse,
  describeOutranked,
  describeSwitch,
} from './describe-key';

type Known = Parameters<typeof describeKeyStatus>[0];

const label = (more: Partial<Known>) =>
  describeKeyStatus({ status: 'active', spend: '0.00', max_budget: '0.01', ...more }).label;

test('a key that is refused for its budget does not look healthy', () => {
  expect(label({ spend: '0.0099' })).toBe('Budget nearly used');
  expect(label({ spend: '0.01' })).toBe('Budget used');
  expect(label({ status: 'exhausted', spend: '0.01' })).toBe('Budget used');
  expect(label({ spend: '0.0079' })).toBe('Active');
  expect(label({ spend: '9.00', max_budget: null })).toBe('Active');
  expect(label({ status: 'disabled', spend: '0.01' })).toBe('Disabled');
});

test('a key that an operator disabled is not offered to be enabled', () => {
  const off = (disabled_by: 'operator' | 'account') =>
    describeSwitch({ status: 'disabled', disabled_by });
  expect(off('account')).toEqual({ verb: 'Enable', note: undefined });
  expect(off('operator').verb).toBeUndefined();
  expect(off('operator').note).toContain('only they can enable it');
  expect(describeSwitch({ status: 'active', disabled_by: null }).verb).toBe('Disable');
});

test('who has fewer rights than the maker of a key is told so before trying to give it any', () => {
  expect(describeOutranked('owner', 'admin')).toContain('ask an owner to rotate it');
  expect(describeOutranked('operator', 'owner')).toContain('was made by an operator');
  expect(describeOutranked('owner', 'owner')).toBeUndefined();
  expect(describeOutranked('member', 'admin')).toBeUndefined();
  expect(describeOutranked(undefined, 'admin')).toBeUndefined();
});

const NOW_MS = Date.parse('2026-11-22T12:00:00Z');
const BEFORE = '2026-11-22T11:57:00Z';

test.each([
  [BEFORE, 1, 'It was used 1 time in the last 24 hours: whatever uses it will fail.'],
  [BEFORE, 0, 'Last used 3\u00a0min ago; 0 requests served in 24 hours.'],
  [null, 0, 'It was not used yet.'],
])(
  'of a key last used %s with %s requests in 24 hours it is said',
  (lastUsedAt, requests, said) => {
    expect(describeKeyUse(lastUsedAt, requests, NOW_MS)).toBe(said);
  },
);

test('while nobody has counted the requests no count is said', () => {
  expect(describeKeyUse(BEFORE, undefined, NOW_MS)).toBe('Last used 3\u00a0min ago.');
  expect(describeKeyUse(null, undefined, NOW_MS)).toBe('');
});
