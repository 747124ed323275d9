import type { Account, Channel, Usage } from '../../api/schemas';
import { countFailed } from '../../charts/usage-table';

/** A channel with what became of its requests in the range. */
export interface ChannelHealth {
  readonly id: string;
  /** Undefined where the channel is on a page of the list that was not loaded. */
  readonly channel: Channel | undefined;
  readonly requests: number;
  readonly failed: number;
}

/** Every channel, or only those that the usage names; the one that fails most first. */
export function gatherChannels(
  channels: readonly Channel[],
  usage: Pick<Usage, 'results'> | undefined,
  isNamedOnly: boolean,
): readonly ChannelHealth[] {
  const results = usage?.results ?? [];
  // A request that no channel answered is in a group without a name.
  const named = new Set(results.map(({ group }) => group.channel ?? '').filter((id) => id !== ''));
  const ids = isNamedOnly ? [...named] : channels.map(({ id }) => id);
  const rows = ids.map((id) => {
    const own = results.filter(({ group }) => group.channel === id);
    return {
      id,
      channel: channels.find((one) => one.id === id),
      requests: own.reduce((sum, { metrics }) => sum + metrics.requests, 0),
      failed: own.reduce((sum, { metrics }) => sum + countFailed(metrics), 0),
    };
  });
  return rows.sort((a, b) => errorRate(b) - errorRate(a) || b.requests - a.requests);
}

export function errorRate(row: Pick<ChannelHealth, 'requests' | 'failed'>): number {
  return row.requests === 0 ? 0 : row.failed / row.requests;
}

/** An account whose requests failed or were refused. */
export interface RefusedAccount {
  readonly accountId: string;
  readonly name: string;
  readonly limited: number;
  readonly failed: number;
  readonly requests: number;
}

/** Only those who were hurt, the most hurt first. */
export function gatherRefusals(
  usage: Pick<Usage, 'results'>,
  accounts: readonly Pick<Account, 'id' | 'name'>[],
): readonly RefusedAccount[] {
  const found = new Map<string, RefusedAccount>();
  for (const { group, metrics } of usage.results) {
    const accountId = group.account ?? '';
    const before = found.get(accountId);
    found.set(accountId, {
      accountId,
      name: accounts.find(({ id }) => id === accountId)?.name ?? accountId,
      limited: (before?.limited ?? 0) + metrics.rate_limited_requests,
      failed: (before?.failed ?? 0) + countFailed(metrics),
      requests: (before?.requests ?? 0) + metrics.requests,
    });
  }
  return [...found.values()]
    .filter(({ limited, failed }) => limited + failed > 0)
    .sort((a, b) => b.limited + b.failed - (a.limited + a.failed));
}
