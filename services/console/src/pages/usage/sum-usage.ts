import type { Usage, UsageMetrics } from '../../api/schemas';
import { countFailed } from '../../api/stats';
import { addMoney, toNano } from '../../format/money';

/** What usage is split by. */
export const DIMENSIONS = ['model', 'key', 'user', 'status'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The sum of one part of the usage. */
export interface UsageSum {
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  /** Refusals by a rate limit, which are no requests. */
  readonly limited: number;
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

/** Whether any row has to say how many a rate limit refused: those are no requests. */
export function hasLimited(rows: readonly Pick<UsageSum, 'limited'>[]): boolean {
  return rows.some(({ limited }) => limited > 0);
}

/** Names of the part without a value: refused requests had none yet. */
export const UNNAMED: Readonly<Record<Dimension, string>> = {
  model: 'No model: refused before one was asked',
  user: 'No user known, or refused',
  key: 'None',
  status: 'None',
};

/** Splits failures of usage by model: those of vendors, and those that no channel could take. */
export function splitFailed(usage: Pick<Usage, 'results'>): {
  readonly failed: number;
  readonly refused: number;
} {
  const count = (rows: Usage['results']) =>
    rows.reduce((total, { metrics }) => total + countFailed(metrics), 0);
  const isRefused = ({ group }: Usage['results'][number]) => (group.model ?? '') === '';
  const refused = count(usage.results.filter(isRefused));
  return { failed: count(usage.results) - refused, refused };
}

/** The requests behind a row of the usage; a list of requests knows no users. */
export function hrefOfPart(dimension: Dimension, value: string | undefined): string | undefined {
  const isRefused = dimension === 'status' ? value === 'rate_limited' : value === '';
  if (isRefused && dimension !== 'user') return '/requests?status=refused';
  if (value === undefined || value === '' || dimension === 'user') return undefined;
  return `/requests?${dimension}=${encodeURIComponent(value)}`;
}

function sumMetrics(name: string, metrics: readonly UsageMetrics[]): UsageSum {
  const sum = (read: (one: UsageMetrics) => number) =>
    metrics.reduce((total, one) => total + read(one), 0);
  return {
    name,
    requests: sum(({ requests }) => requests),
    failed: sum(countFailed),
    limited: sum(({ rate_limited_requests }) => rate_limited_requests),
    promptTokens: sum(({ prompt_tokens }) => prompt_tokens),
    completionTokens: sum(({ completion_tokens }) => completion_tokens),
    spend: addMoney(metrics.map(({ spend }) => spend)),
  };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
