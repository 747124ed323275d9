import {
  addMoney,
  formatBalance,
  formatListed,
  formatMoney,
  formatPrice,
  fromNano,
  symbolOf,
  toNano,
} from './money';

test.each([
  ['10.00', '$10.00'],
  ['1234567.5', '$1,234,567.50'],
  ['12.345', '$12.35'],
  ['0.01', '$0.01'],
  ['0.0099999', '$0.01'],
  ['0.0021', '$0.0021'],
  ['0.000123456', '$0.00012'],
  ['0.000000001', '$0.000000001'],
  ['0.00', '$0.00'],
  ['-1.50', '−$1.50'],
  ['-0.0021', '−$0.0021'],
  // Beyond what a floating-point number tells apart.
  ['9007199254740993.01', '$9,007,199,254,740,993.01'],
])('%s is shown as %s', (amount, shown) => {
  expect(formatMoney(amount, 'USD')).toBe(shown);
});

test.each([
  ['0.00', '$0.00'],
  ['0.0001', '$0.0001'],
  ['0.000099999', '$0.0001'],
  ['0.0000654', '$0.000065'],
  ['0.000000001', '$0.000000001'],
  ['-0.0000654', '−$0.000065'],
  ['0.00095', '$0.00095'],
  ['0.0010', '$0.0010'],
  ['0.00454', '$0.0045'],
  ['0.01', '$0.0100'],
  ['0.0113', '$0.0113'],
  ['-0.02', '−$0.0200'],
  ['1234.5', '$1,234.5000'],
])('in a list %s is %s: with four decimals, or the first two digits of less', (amount, shown) => {
  expect(formatListed(amount, 'USD')).toBe(shown);
});

test.each([
  ['2.00', '$2.00'],
  ['0.025', '$0.025'],
  ['1.123456789', '$1.123456789'],
])('the price %s is shown with each of its digits: %s', (amount, shown) => {
  expect(formatPrice(amount, 'USD')).toBe(shown);
});

test.each([
  ['9.99956', '$9.99'],
  ['10.00', '$10.00'],
  ['0.0021', '$0.0021'],
  ['0.00216', '$0.0021'],
  ['0.0099999', '$0.0099'],
  ['-0.00216', '−$0.0022'],
  ['-0.005', '−$0.005'],
  ['-1.501', '−$1.51'],
])('%s that is left is shown as %s, never as more', (amount, shown) => {
  expect(formatBalance(amount, 'USD')).toBe(shown);
});

test('another currency has its own sign', () => {
  expect(formatMoney('12.30', 'EUR')).toBe('€12.30');
});

test('amounts are added without losing a digit', () => {
  expect(addMoney(['0.1', '0.2', '0.000000001'])).toBe('0.300000001');
  expect(addMoney(['-1.50', '1.5'])).toBe('0.00');
  expect(addMoney([])).toBe('0.00');
});

test('an amount survives the way to nano-units and back', () => {
  for (const amount of ['0.00', '12.30', '-0.000000001', '999999999.123456789']) {
    expect(fromNano(toNano(amount))).toBe(amount);
  }
});

test('what is no amount is refused, not guessed', () => {
  expect(() => toNano('1e3')).toThrow('no amount');
  expect(() => toNano('0.1234567891')).toThrow('no amount');
});

test('a field of an amount says of what, by the sign or by the code', () => {
  expect(symbolOf('USD')).toBe('$');
  expect(symbolOf('CHF')).toBe('CHF');
});
