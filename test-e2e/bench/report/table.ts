import { EXPLANATIONS, type Topic } from './missed';

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

/** A target of the product, and what was measured. */
export interface Target {
  readonly what: string;
  readonly about: Topic;
  readonly value: number;
  /** One of both says which side is good. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly stretch?: number;
}

/** Each target beside its figure, whether it is met, and what is known of those that are not. */
export function formatTargets(targets: readonly Target[]): string {
  const rows = targets.map((target) => {
    const { what, value, atMost, atLeast, stretch } = target;
    const sign = atMost === undefined ? '≥' : '≤';
    const bound = `${sign} ${atMost ?? atLeast}`;
    const further = stretch === undefined ? '' : ` (${stretch})`;
    return [what, ratio(value), `${bound}${further}`, verdictOf(target)];
  });
  const table = formatTable(['measure', 'measured', 'target (stretch)', ''], rows);
  const missed = targets.filter((target) => verdictOf(target) === MISSED);
  return [table, ...(missed.length === 0 ? [] : [explain(missed)])].join('\n\n');
}

/** A line for each thing that missed targets speak of, with the targets. */
function explain(missed: readonly Target[]): string {
  const topics = Map.groupBy(missed, ({ about }) => about);
  return [...topics]
    .map(([topic, targets]) => {
      const { most, tried } = EXPLANATIONS[topic];
      const names = targets.map(({ what }) => what).join('; ');
      return `- Missed: ${names}. What costs most: ${most}. What was tried: ${tried}.`;
    })
    .join('\n');
}

const MISSED = '**missed**';

/** `met`, `missed`, or that nothing was measured. */
function verdictOf({ value, atMost, atLeast, stretch }: Target): string {
  if (!Number.isFinite(value)) return 'not measured';
  const reaches = (bound: number) => (atMost === undefined ? value >= bound : value <= bound);
  if (stretch !== undefined && reaches(stretch)) return 'met, and the stretch';
  return reaches(atMost ?? atLeast ?? 0) ? 'met' : MISSED;
}
