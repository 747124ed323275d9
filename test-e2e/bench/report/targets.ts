import { formatTable, ratio } from './table';

/** A figure of the design, and what was measured. */
export interface Target {
  readonly what: string;
  readonly value: number;
  /** One of both says which side is good. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly stretch?: number;
}

/** Each target beside its figure, and whether it is met. */
export function formatTargets(targets: readonly Target[]): string {
  const rows = targets.map((target) => {
    const { what, value, atMost, atLeast, stretch } = target;
    const sign = atMost === undefined ? '≥' : '≤';
    const bound = `${sign} ${atMost ?? atLeast}`;
    const further = stretch === undefined ? '' : ` (${stretch})`;
    return [what, ratio(value), `${bound}${further}`, verdictOf(target)];
  });
  return formatTable(['measure', 'measured', 'target (stretch)', ''], rows);
}

/** `met`, `missed`, or that nothing was measured. */
function verdictOf({ value, atMost, atLeast, stretch }: Target): string {
  if (!Number.isFinite(value)) return 'not measured';
  const reaches = (bound: number) => (atMost === undefined ? value >= bound : value <= bound);
  if (stretch !== undefined && reaches(stretch)) return 'met, and the stretch';
  return reaches(atMost ?? atLeast ?? 0) ? 'met' : '**missed**';
}
