import { DURATIONS, moneyUnit } from './units';

test('a line of the axis is said with each digit, a value as amounts are everywhere', () => {
  const { tick, value } = moneyUnit('USD');
  expect([0, 0.005, 0.01, 0.015].map(tick)).toEqual(['$0.00', '$0.005', '$0.01', '$0.015']);
  expect([0.0006, 20].map(tick)).toEqual(['$0.0006', '$20.00']);
  expect(value(0.0151234)).toBe('$0.02');
});

test('the zero of an axis of durations has no unit', () => {
  expect([0, 340, 2000].map(DURATIONS.tick)).toEqual(['0', '340\u00a0ms', '2.0\u00a0s']);
});
