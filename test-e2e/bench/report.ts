import type { LongPromptCost } from './long-prompts';
import type { SpeedCase, Trial } from './speed';
import type { StoreCosts } from './store-commands';

type Measure = (trial: Trial) => number;

/** Medians with their range, and throughput as a ratio to the first system of the run. */
export function formatSpeed(cases: readonly SpeedCase[], trials: readonly Trial[]): string {
  const contenders = [...new Set(trials.map(({ contender }) => contender))];
  const [reference = ''] = contenders;
  const rows = cases.flatMap(({ name }) =>
    contenders.map((contender) => {
      const of = (who: string) =>
        trials.filter((one) => one.caseName === name && one.contender === who);
      const mine = of(contender);
      const ratio = (read: Measure) => median(mine, read) / median(of(reference), read);
      return [
        name,
        contender,
        withRange(mine, ({ perSecond }) => perSecond),
        ratio(({ perSecond }) => perSecond).toFixed(2),
        withRange(mine, ({ cpuPerRequestUs }) => cpuPerRequestUs),
        ratio(({ cpuPerRequestUs }) => cpuPerRequestUs).toFixed(2),
        withRange(mine, ({ p50Us }) => p50Us),
        String(Math.round(median(mine, ({ p99Us }) => p99Us))),
      ];
    }),
  );
  const heads = ['load', 'system', 'requests/s', '÷ R', 'CPU µs', '÷ R', 'p50 µs', 'p99 µs'];
  return formatTable(heads, rows);
}

/** Commands in all and beyond those of an idle installation, and which they are. */
export function formatStoreCosts({ idlePerSecond, costs }: StoreCosts): string {
  const rows = costs.map(({ population, requests, seconds, commands }) => {
    const per1000 = (count: number) => ((count * 1000) / requests).toFixed(1);
    const total = [...commands.values()].reduce((sum, count) => sum + count, 0);
    const largest = [...commands].sort(([, a], [, b]) => b - a);
    const parts = largest.map(([name, count]) => `${name} ${per1000(count)}`);
    const beyondIdle = per1000(total - idlePerSecond * seconds);
    return [population, String(requests), beyondIdle, per1000(total), parts.join(', ')];
  });
  const heads = ['population', 'requests', 'commands per 1,000', 'with idle ones', 'of them'];
  return formatTable(heads, rows);
}

/** Medians, and how many times as long the tenant waits beside the long prompts. */
export function formatLongPrompts({
  aloneP50Us,
  besideP50Us,
  longAnswers,
}: LongPromptCost): string {
  const [alone, beside] = [middle(aloneP50Us), middle(besideP50Us)];
  const answers = [...longAnswers].map(([status, count]) => `${count} × ${status}`).join(', ');
  const row = [String(alone), String(beside), (beside / alone).toFixed(2), answers];
  return formatTable(['p50 µs alone', 'p50 µs beside', 'ratio', 'long prompts'], [row]);
}

function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function median(trials: readonly Trial[], read: Measure): number {
  return middle(trials.map(read));
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function withRange(trials: readonly Trial[], read: Measure): string {
  const values = trials.map(read);
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.round);
  return `${Math.round(median(trials, read))} (${low} to ${high})`;
}
