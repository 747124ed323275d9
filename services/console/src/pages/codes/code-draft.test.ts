import { CODE_RULES, EMPTY_CODES, toNewCodes } from './code-draft';

test('what is written becomes one batch; without a time its codes do not end', () => {
  const draft = { ...EMPTY_CODES, amount: ' 2.50 ', count: '3', note: ' A fair ' };
  expect(toNewCodes(draft)).toEqual({ amount: '2.50', count: 3, note: 'A fair', expires_at: null });
  const ends = toNewCodes({ ...draft, expires_at: '2030-01-31T12:00' }).expires_at ?? '';
  expect(Date.parse(ends)).toBe(Date.parse('2030-01-31T12:00'));
});

test('an amount of nothing, too many codes and a time that was are told beside their fields', () => {
  expect(CODE_RULES.amount('0')).not.toBeNull();
  expect(CODE_RULES.count('1001')).not.toBeNull();
  expect(CODE_RULES.expires_at('2020-01-31T12:00')).not.toBeNull();
  expect(CODE_RULES.amount('0.01')).toBeNull();
  expect(CODE_RULES.count('1000')).toBeNull();
  expect(CODE_RULES.expires_at('')).toBeNull();
});
