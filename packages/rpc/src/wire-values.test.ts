import {
  fromProtoName,
  fromProtoOptionalTime,
  fromProtoPeriod,
  fromProtoTime,
  toProtoLimit,
  toProtoName,
  toProtoPeriod,
  toProtoTime,
} from './wire-values';

test('a time comes back as it was sent, and an absent one is empty text', () => {
  expect(fromProtoTime(toProtoTime(0), 'start')).toBe(0);
  expect(toProtoTime(undefined)).toBe('');
  expect(fromProtoOptionalTime('', 'start')).toBeUndefined();
});

test.each([
  ['', fromProtoTime],
  ['soon', fromProtoOptionalTime],
])('%j is no time that there has to be, and is refused by its parameter', (text, read) => {
  expect(() => read(text, 'start')).toThrow('start must be a time in ISO-8601.');
});

test('a limit travels as it is, null as -1, and an absent one is absent', () => {
  expect([0, 5, null, undefined].map(toProtoLimit)).toEqual([0, 5, -1, undefined]);
});

test('a word travels in capitals behind its prefix, and a name that is none of the words is none', () => {
  const words = ['active', 'auto_disabled'] as const;
  expect(toProtoName('STATUS', 'auto_disabled')).toBe('STATUS_AUTO_DISABLED');
  expect(fromProtoName(words, 'STATUS', 'STATUS_AUTO_DISABLED')).toBe('auto_disabled');
  expect(fromProtoName(words, 'STATUS', 'STATUS_OF_NEWER')).toBeUndefined();
});

test.each([
  ['none', 'BUDGET_PERIOD_UNSPECIFIED'],
  ['week', 'BUDGET_PERIOD_WEEK'],
] as const)('the period %s travels as %s', (period, name) => {
  expect(toProtoPeriod(period)).toBe(name);
  expect(fromProtoPeriod(name)).toBe(period);
});

test('a period of another version never ends', () => {
  expect(fromProtoPeriod('BUDGET_PERIOD_NONE')).toBe('none');
  expect(fromProtoPeriod('BUDGET_PERIOD_YEAR')).toBe('none');
});
