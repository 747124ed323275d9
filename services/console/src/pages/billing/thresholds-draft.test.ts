import { THRESHOLDS_RULES, toThresholds, toThresholdsDraft } from './thresholds-draft';

const STORED = {
  amounts: ['10.00', '2.50'],
  days: [7],
  suspend_below: null,
  source: 'account',
  daily_spend: '0.40',
  suspended: false,
} as const;

test('what is stored comes back as it was, with a limit only where one was written', () => {
  const stored = { ...STORED, amounts: [...STORED.amounts], days: [7] };
  const draft = toThresholdsDraft(stored);
  expect(toThresholds(draft, stored)).toEqual({
    amounts: ['10.00', '2.50'],
    days: [7],
    suspend_below: null,
  });
  expect(toThresholds({ ...draft, suspend_below: ' 1.00 ' }, stored)).toMatchObject({
    suspend_below: '1.00',
  });
});

test('the default stands in no field, and its amount of now is sent until another is written', () => {
  const stored = { ...STORED, amounts: ['0.30'], days: [], source: 'default' as const };
  const draft = toThresholdsDraft(stored);
  expect(draft).toEqual({ amounts: [], days: [], suspend_below: '' });
  expect(toThresholds({ ...draft, suspend_below: '1.00' }, stored)).toEqual({
    amounts: ['0.30'],
    days: [],
    suspend_below: '1.00',
  });
  expect(toThresholds({ ...draft, days: ['7'] }, stored)).toMatchObject({ amounts: [], days: [7] });
  // Without a credit the default is nothing, which the API does not take for an amount.
  expect(toThresholds(draft, { ...stored, amounts: ['0.00'] })).toMatchObject({ amounts: [] });
});

test('a wrong amount or day is said', () => {
  expect(THRESHOLDS_RULES.amounts(['1.00', 'much'])).toContain('An amount');
  expect(THRESHOLDS_RULES.amounts(['0'])).toBe('More than zero');
  expect(THRESHOLDS_RULES.days(['7', '0'])).toContain('at least 1');
  expect(THRESHOLDS_RULES.days(['7', '1.5'])).toContain('at least 1');
  expect(THRESHOLDS_RULES.days(['7', '90'])).toBeNull();
  expect(THRESHOLDS_RULES.suspend_below('')).toBeNull();
  expect(THRESHOLDS_RULES.amounts(['1.00'])).toBeNull();
});
