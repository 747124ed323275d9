import type { Violation } from './evidence';
import { lastLines } from './supervisor';

const VIOLATIONS_SHOWN = 20;

/** What was measured in a run, one line each. */
export type Figures = readonly (readonly [string, string | number | bigint])[];

/** The figures as a table. */
export function formatFigures(figures: Figures): string {
  const rows = figures.map(([name, value]) => `| ${name} | ${value} |`);
  return ['', '| what | how much |', '|---|--:|', ...rows].join('\n');
}

/** What was found, and what the processes said last. */
export function formatViolations(
  violations: readonly Violation[],
  allLogs: Readonly<Record<string, string>>,
): string {
  const lines = violations.slice(0, VIOLATIONS_SHOWN).map(formatViolation);
  const more = violations.length - lines.length;
  if (more > 0) lines.push(`... and ${more} more`);
  const logs = Object.entries(allLogs).map(([name, log]) => `--- ${name} ---\n${lastLines(log)}`);
  return ['', ...logs, '', ...lines].join('\n');
}

/** One line. */
export function formatViolation({ kind, accountId, requestId, text }: Violation): string {
  return [kind.toUpperCase(), accountId, requestId, text].filter(Boolean).join(' ');
}

/** `billing 2, kafka 1`. */
export function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}
