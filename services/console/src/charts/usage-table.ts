import type { Usage, UsageMetrics } from '../api/schemas';
import { addMoney, toNano } from '../format/money';

/** The sum of one part of the usage. */
export interface UsageSum {
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly spend: string;
}

/** The usage by whatever a row is named after, the dearest first; amounts are exact. */
export function sumUsage(
  usage: Pick<Usage, 'results'>,
  nameOf: (row: Usage['results'][number]) => string,
): readonly UsageSum[] {
  const parts = new Map<string, UsageMetrics[]>();
  for (const row of usage.results) {
    const name = nameOf(row);
    parts.set(name, [...(parts.get(name) ?? []), row.metrics]);
  }
  return [...parts]
    .map(([name, metrics]) => sumMetrics(name, metrics))
    .sort((a, b) => compare(toNano(b.spend), toNano(a.spend)) || b.requests - a.requests);
}

/** A client that left is no failure: nobody but it knows why it did. */
export function countFailed(
  metrics: Pick<UsageMetrics, 'failed_requests' | 'client_gone_requests'>,
): number {
  return metrics.failed_requests - metrics.client_gone_requests;
}

function sumMetrics(name: string, metrics: readonly UsageMetrics[]): UsageSum {
  const sum = (read: (one: UsageMetrics) => number) =>
    metrics.reduce((total, one) => total + read(one), 0);
  return {
    name,
    requests: sum(({ requests }) => requests),
    failed: sum(countFailed),
    promptTokens: sum(({ prompt_tokens }) => prompt_tokens),
    completionTokens: sum(({ completion_tokens }) => completion_tokens),
    spend: addMoney(metrics.map(({ spend }) => spend)),
  };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
