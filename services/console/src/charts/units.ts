import { formatMoney, formatPrice } from '../format/money';
import { formatCount, formatDuration, formatShortCount } from '../format/quantity';
import type { ChartUnit } from './time-chart';

const SMALLEST_DIGITS = 9;

export const COUNTS: ChartUnit = { tick: formatShortCount, value: formatCount, isWhole: true };
/** The axis goes up to seconds, so its zero has no unit. */
export const DURATIONS: ChartUnit = {
  tick: (ms) => (ms === 0 ? '0' : formatDuration(ms)),
  value: formatDuration,
};

/**
 * A chart's values are approximate, which is enough for a tooltip; the table has exact amounts. A
 * line of the axis stands at a round amount, of which each digit is said.
 */
export function moneyUnit(currency: string): ChartUnit {
  const write = (value: number) => value.toFixed(SMALLEST_DIGITS);
  return {
    tick: (value) => formatPrice(write(value), currency),
    value: (value) => formatMoney(write(value), currency),
  };
}
