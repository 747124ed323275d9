import { formatMoney } from '../format/money';
import { formatCount, formatDuration, formatShortCount } from '../format/quantity';
import type { ChartUnit } from './time-chart';

const SMALLEST_DIGITS = 9;

export const COUNTS: ChartUnit = { tick: formatShortCount, value: formatCount, isWhole: true };
export const DURATIONS: ChartUnit = { tick: formatDuration, value: formatDuration };

/** A chart's values are approximate, which is enough for a tooltip; the table has exact amounts. */
export function moneyUnit(currency: string): ChartUnit {
  const format = (value: number) => formatMoney(value.toFixed(SMALLEST_DIGITS), currency);
  return { tick: format, value: format };
}
