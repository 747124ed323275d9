/** A Markdown table. */
export function formatTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The middle one, the upper of two; NaN without any. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median with the lowest and the highest, where there is more than one. */
export function withRange(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const [low, high, middle] = [Math.min(...values), Math.max(...values), median(values)].map(count);
  return values.length === 1 ? `${middle}` : `${middle} (${low} to ${high})`;
}

/** A whole number with its thousands apart; a dash for what was not measured. */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return Math.round(value).toLocaleString('en-US');
}

/** A ratio with two places; a dash where one side is missing. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '–';
}

/** Milliseconds with two places, of microseconds. */
export function milliseconds(us: number | null | undefined): string {
  if (us === null || us === undefined || !Number.isFinite(us)) return '–';
  return (us / 1000).toFixed(2);
}
