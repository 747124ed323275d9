import type { Attempt } from './attempt';
import type { Violation } from './evidence';
import type { LoopResult } from './run-loop';
import { lastLines } from './supervisor';

const VIOLATIONS_SHOWN = 20;
const COUNTED = ['lost', 'double', 'negative', 'drift'] as const;

interface RunFacts {
  readonly cycles: number;
  readonly requests: number;
  readonly seed: number;
  readonly leaseMs: number | undefined;
  readonly durationS: number;
}

/** One table of what happened; the last line says what it comes to. */
export function formatResult(result: LoopResult, facts: RunFacts): string {
  const { evidence, sums, violations, settledMs } = result;
  const { attempts, deliveries, audit, outages } = evidence;
  const count = (test: (attempt: Attempt) => boolean) => attempts.filter(test).length;
  const kills = outages.filter(({ kind }) => kind === 'kill');
  const rows: readonly (readonly [string, string | number | bigint])[] = [
    ['kill -9', `${kills.length} (${tally(kills.map(({ target }) => target))})`],
    ['frozen', tally(outages.filter(({ kind }) => kind === 'freeze').map(({ target }) => target))],
    ['life of a lease, ms', facts.leaseMs ?? 'as billing has it'],
    ['requests', facts.requests],
    ['exchanges over HTTP, retries included', attempts.length],
    ['complete answers received', count(({ finished }) => finished)],
    ['answers cut by faults', count((one) => one.tokens > 0 && !one.finished && !one.left)],
    ['streams left by their client', count(({ left, finished }) => left && !finished)],
    ['refused for want of money (402)', count(({ status }) => status === 402)],
    ['answered 5xx', count(({ status }) => (status ?? 0) >= 500)],
    ['without an answer', count(({ status }) => status === undefined)],
    ['calls of the vendor', deliveries.length],
    ['requests that reached a vendor or the ledger', sums.requests],
    ['of them charged', sums.charged],
    ['killed before anything was durable or delivered', sums.unrecorded],
    ['tokens charged', sums.chargedTokens],
    ['tokens received after the last checkpoint and not charged', sums.unchargedTailTokens],
    ['tokens charged that were cut off on their way', sums.unseenTokens],
    ['absorbed, nano-units', audit.absorbedNano],
    ['beyond what was reserved, nano-units', audit.overrunNano],
    ['everything settled after, seconds', (settledMs / 1000).toFixed(1)],
  ];
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return ['', '| what | how much |', '|---|--:|', ...table, '', verdict(violations, facts)].join(
    '\n',
  );
}

function verdict(violations: readonly Violation[], facts: RunFacts): string {
  const kinds = violations.map(({ kind }) => kind);
  const counts = COUNTED.map((kind) => `${kind} ${kinds.filter((one) => one === kind).length}`);
  const others = kinds.filter((kind) => !COUNTED.some((counted) => counted === kind));
  const rest = others.length === 0 ? 'other 0' : `other ${others.length} (${tally(others)})`;
  const { cycles, requests, seed, durationS } = facts;
  const run = `${cycles} cycles, ${requests} requests, seed ${seed}, ${durationS} s`;
  return `${[...counts, rest].join(', ')}: ${run}`;
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

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';
}
