import * as checks from './checks';

const accepts = (check: checks.Check, values: readonly string[]) =>
  expect(values.filter((value) => check(value) !== null)).toEqual([]);
const refuses = (check: checks.Check, values: readonly string[]) =>
  expect(values.filter((value) => check(value) === null)).toEqual([]);

test('amounts are decimals without a sign, exponent or separator', () => {
  accepts(checks.isAmountAboveZero, ['25', '0.000000001', '9999999999.5']);
  refuses(checks.isAmountAboveZero, ['', '0', '0.00', '-1', '1e3', '1,000', '.5', '0.0000000001']);
});

test('an adjustment may take away, but not nothing', () => {
  accepts(checks.isSignedAmount, ['-1.50', '1.50']);
  refuses(checks.isSignedAmount, ['0', '-0.00', '--1', '+1', '']);
});

test('whole numbers have bounds', () => {
  accepts(checks.isWholeFrom(1, 60), ['1', '60', ' 7 ']);
  refuses(checks.isWholeFrom(1, 60), ['0', '61', '1.5', '1e1', '']);
  expect(checks.isWholeFrom(1, 2_000_000)('0')).toBe('A whole number from 1 to 2,000,000');
});

test('what is optional may be left empty, and nothing else', () => {
  accepts(checks.optional(checks.isUrl), ['', '  ', 'https://example.com']);
  refuses(checks.optional(checks.isUrl), ['ftp://example.com', 'example.com']);
});

test('passwords are long enough and not one letter', () => {
  accepts(checks.isPassword, ['abcabcab']);
  refuses(checks.isPassword, ['abc', 'aaaaaaaaaaaa', 'abababababab']);
});

test('a name says something', () => {
  accepts(checks.isName, ['ci']);
  refuses(checks.isName, ['', '   ', 'x'.repeat(101)]);
});

test('an email has one at sign and no blanks', () => {
  accepts(checks.isEmail, ['ada@example.com']);
  refuses(checks.isEmail, ['ada', 'ada@', '@example.com', 'a da@example.com', 'a@b@c']);
});

test('a limit is a number, none at all, or left to what is above it', () => {
  accepts(checks.isLimit, ['', '0', '600', 'none']);
  refuses(checks.isLimit, ['-1', '1.5', 'many']);
});

test('a discount may be a mark-up', () => {
  accepts(checks.isPercent, ['0', '12.50', '-900', '100.00']);
  refuses(checks.isPercent, ['', '100.01', '-901', '1.234', 'x']);
});

test('a time is yet to come', () => {
  accepts(checks.isFuture, ['', '2999-01-31T12:00']);
  refuses(checks.isFuture, ['2020-01-31T12:00', 'tomorrow']);
});
