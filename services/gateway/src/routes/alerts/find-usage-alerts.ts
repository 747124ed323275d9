import { MINUTE_MS, toIsoTime } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import { countServerFailures } from '../stats/stats';
import { type Found, NAMED_MAX } from './alert';

/** Fewer requests say nothing of a share. */
const REQUESTS_MIN = 20;
const FAILED_SHARE_MAX = 0.1;
const RATE_LIMITED_MIN = 100;
const RATE_LIMITED_SHARE_MAX = 0.2;

/** Where requests failed, and since when. */
export interface UsageDetails {
  /**
   * Requests that failed, by channel, the most first; empty when none wants attention. Those that
   * no channel took have an empty id.
   */
  readonly failedByChannel: readonly Count[];
  /** For each account the first minute of late in which a request failed or was refused. */
  readonly sinceMs: ReadonlyMap<string, number>;
}

interface Count {
  readonly id: string;
  readonly failed: number;
}

export const NO_DETAILS: UsageDetails = { failedByChannel: [], sinceMs: new Map() };

export type Usage = statsV1.QueryUsageResponse__Output;

/** What these rules look at. */
interface ObservedUsage {
  readonly usage?: Usage | undefined;
  readonly usageDetails: UsageDetails;
  readonly channels?: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly startedAtMs: number;
}

/** Requests that fail, and accounts that are refused. */
export function findUsageAlerts(seen: ObservedUsage): readonly Found[] {
  const { usage, usageDetails, accountNames } = seen;
  if (usage === undefined) return [];
  const sinceOf = (accountId: string | undefined) => {
    const atMs = usageDetails.sinceMs.get(accountId ?? '');
    // A minute's figures begin no sooner than this gateway did.
    return atMs === undefined ? null : toIsoTime(withinMinute(atMs, seen.startedAtMs));
  };
  const found: Found[] = [];
  const failing = findFailing(usage);
  if (failing !== undefined) {
    found.push({
      rule: 'requests_failing',
      subject: { type: 'requests', id: '' },
      title: `${failing.failed} of ${failing.requests} requests failed`,
      detail: sayWhere(seen, failing.failed, failing.byAccount),
      since: sinceOf(failing.byAccount[0]?.id),
    });
  }
  for (const { accountId, limited, asked } of findRateLimited(usage)) {
    const name = accountNames.get(accountId) ?? accountId;
    found.push({
      rule: 'account_refused',
      subject: { type: 'account', id: accountId },
      account_id: accountId,
      title: `${limited} of ${asked} requests of ${name} were refused`,
      since: sinceOf(accountId),
    });
  }
  return found;
}

function withinMinute(atMs: number, startedAtMs: number): number {
  return startedAtMs > atMs && startedAtMs < atMs + MINUTE_MS ? startedAtMs : atMs;
}

/** Each is named as a part of all that failed; a request is counted in both sentences. */
function sayWhere(
  { usageDetails, channels = [], accountNames }: ObservedUsage,
  failed: number,
  byAccount: readonly Count[],
): string | null {
  const nameOf = (id: string) => channels.find((one) => one.id === id)?.name ?? id;
  const sentences = [
    ...sayParts('By channel', 'at others', failed, usageDetails.failedByChannel, ({ id }) =>
      id === '' ? 'at none' : `at “${nameOf(id)}”`,
    ),
    ...sayParts('By account', 'of others', failed, byAccount, ({ id }) => {
      return `of “${accountNames.get(id) ?? id}”`;
    }),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** `By channel: 15 at “first”, 14 at none, 12 at others.`: those with the most, and the rest. */
function sayParts(
  by: string,
  others: string,
  failed: number,
  counts: readonly Count[],
  sayOne: (count: Count) => string,
): readonly string[] {
  if (counts.length === 0) return [];
  const named = counts.slice(0, NAMED_MAX);
  const rest = named.reduce((left, count) => left - count.failed, failed);
  const parts = named.map((count) => `${count.failed} ${sayOne(count)}`);
  return [`${by}: ${(rest > 0 ? [...parts, `${rest} ${others}`] : parts).join(', ')}.`];
}

/** Undefined while no more fail than are to be expected. */
export function findFailing(
  usage: Usage | undefined,
):
  | { readonly requests: number; readonly failed: number; readonly byAccount: readonly Count[] }
  | undefined {
  const requests = Number(usage?.totals?.requests ?? 0);
  const failed = countServerFailures(usage?.totals);
  if (requests < REQUESTS_MIN || failed <= requests * FAILED_SHARE_MAX) return undefined;
  return { requests, failed, byAccount: failedByAccount(usage) };
}

/** Failed requests by the one dimension of the answer, the most first. */
export function failedBy(usage: Usage | undefined): readonly Count[] {
  const sums = new Map<string, number>();
  for (const { group, metrics } of usage?.results ?? []) {
    const id = group[0]?.value ?? '';
    sums.set(id, (sums.get(id) ?? 0) + countServerFailures(metrics));
  }
  const counts = [...sums].map(([id, failed]) => ({ id, failed }));
  return counts.filter(({ failed }) => failed > 0).sort((a, b) => b.failed - a.failed);
}

function failedByAccount(usage: Usage | undefined): readonly Count[] {
  return failedBy(usage).filter(({ id }) => id !== '');
}

/** Accounts that meet their rate limits so often that somebody should look, the worst first. */
function findRateLimited(usage: Usage | undefined): readonly {
  readonly accountId: string;
  readonly limited: number;
  /** All requests, those that were limited among them. */
  readonly asked: number;
}[] {
  const sums = new Map<string, { limited: number; asked: number }>();
  for (const { group, metrics } of usage?.results ?? []) {
    const accountId = group[0]?.value ?? '';
    const sum = sums.get(accountId) ?? { limited: 0, asked: 0 };
    const limited = Number(metrics?.rateLimitedRequests ?? 0);
    sum.limited += limited;
    sum.asked += limited + Number(metrics?.requests ?? 0);
    sums.set(accountId, sum);
  }
  return [...sums]
    .map(([accountId, sum]) => ({ accountId, ...sum }))
    .filter(
      ({ limited, asked }) =>
        limited >= RATE_LIMITED_MIN && limited > asked * RATE_LIMITED_SHARE_MAX,
    )
    .sort((a, b) => b.limited - a.limited);
}

/** Whom the alerts of the answer name. */
export function findNamed(usage: Usage | undefined): readonly string[] {
  return findHurt(usage, NAMED_MAX);
}

/** So many of those with the most failures, and then everybody who is refused so much. */
export function findHurt(usage: Usage | undefined, failingMax: number): readonly string[] {
  const failing = findFailing(usage)?.byAccount.slice(0, failingMax) ?? [];
  return [
    ...failing.map(({ id }) => id),
    ...findRateLimited(usage).map(({ accountId }) => accountId),
  ];
}

/** Accounts whose requests failed of late, those with the most first. */
export function findFailedAccounts(usage: Usage | undefined): readonly string[] {
  return failedByAccount(usage)
    .slice(0, FAILED_ACCOUNTS_MAX)
    .map(({ id }) => id);
}

/** Accounts whose plan is looked at. */
const FAILED_ACCOUNTS_MAX = 20;
