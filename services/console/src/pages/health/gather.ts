import type { Account, Channel, RefusedRequest, Usage } from '../../api/schemas';
import { countServerFailures } from '../../api/stats';
import { capitalize, nameById } from '../../format/names';
import { formatCount } from '../../format/quantity';
import { nameReason } from '../requests/describe-request';

/** A channel with what became of its requests in the range. */
export interface ChannelFailures {
  readonly id: string;
  /** Undefined where the channel is on a page of the list that was not loaded. */
  readonly channel: Channel | undefined;
  /** Undefined while it is not known, as of every channel whose usage cannot be read. */
  readonly requests: number | undefined;
  readonly failed: number | undefined;
}

/** Every channel, or only those that the usage names; the one that fails most first. */
export function gatherChannels(
  channels: readonly Channel[],
  usage: Pick<Usage, 'results'> | undefined,
  isNamedOnly: boolean,
): readonly ChannelFailures[] {
  const results = usage?.results ?? [];
  // A request that no channel answered is in a group without a name.
  const named = new Set(results.map(({ group }) => group.channel ?? '').filter((id) => id !== ''));
  const ids = isNamedOnly && usage !== undefined ? [...named] : channels.map(({ id }) => id);
  const rows = ids.map((id) => {
    const own = results.filter(({ group }) => group.channel === id);
    return {
      id,
      channel: channels.find((one) => one.id === id),
      requests: usage && own.reduce((sum, { metrics }) => sum + metrics.requests, 0),
      failed: usage && own.reduce((sum, { metrics }) => sum + countServerFailures(metrics), 0),
    };
  });
  return rows.sort((a, b) => errorRate(b) - errorRate(a) || (b.requests ?? 0) - (a.requests ?? 0));
}

export function errorRate({
  requests = 0,
  failed = 0,
}: Pick<ChannelFailures, 'requests' | 'failed'>): number {
  return requests === 0 ? 0 : failed / requests;
}

/** An account whose requests failed or were refused. */
export interface HurtAccount {
  /** Undefined for requests whose API key is not known. */
  readonly accountId: string | undefined;
  readonly name: string;
  /** Requests refused before a vendor was asked, by code; as many as are kept, which are not all. */
  readonly refused: ReadonlyMap<string, number>;
  /** Undefined while it is not known. */
  readonly counted: HurtCounts | undefined;
}

interface HurtCounts {
  /** Requests refused by a rate limit, of which all are counted. */
  readonly limited: number;
  readonly failed: number;
  readonly requests: number;
}

type Refused = Pick<RefusedRequest, 'error_code'> & { readonly account_id?: string | null };

/** Counts of an account that was asked about and that the answer leaves out. */
const NONE: HurtCounts = { limited: 0, failed: 0, requests: 0 };
const LIMITED = 'RATE_LIMIT_EXCEEDED';

/** Accounts that the statistics may be asked about by their ids, in one query. */
const ASKED_MAX = 50;

/**
 * Refused accounts that the statistics left out. Asked which accounts fared worst, they list only
 * those of which something failed or met a limit: one that was refused for another reason has to be
 * asked about by its id.
 */
export function findLeftOut(
  worst: Pick<Usage, 'results'>,
  kept: readonly Refused[],
): readonly string[] {
  const listed = new Set(worst.results.map(({ group }) => group.account ?? ''));
  const refused = new Set(kept.map(({ account_id }) => account_id ?? ''));
  return [...refused].filter((id) => id !== '' && !listed.has(id)).slice(0, ASKED_MAX);
}

/** Accounts that were hurt, the most hurt first; `asked` are those that the usage was asked about. */
export function gatherHurt(
  usage: Pick<Usage, 'results'>,
  kept: readonly Refused[],
  accounts: readonly Pick<Account, 'id' | 'name'>[],
  asked: readonly string[],
): readonly HurtAccount[] {
  const found = new Map<string, HurtAccount>();
  const change = (id: string, more: (before: HurtAccount) => Partial<HurtAccount>) => {
    const before = found.get(id) ?? {
      accountId: id === '' ? undefined : id,
      name: id === '' ? 'No known API key' : nameById(accounts, id),
      refused: new Map(),
      counted: asked.includes(id) ? NONE : undefined,
    };
    found.set(id, { ...before, ...more(before) });
  };
  for (const { group, metrics } of usage.results) {
    change(group.account ?? '', ({ counted = NONE }) => ({
      counted: {
        limited: counted.limited + metrics.rate_limited_requests,
        failed: counted.failed + countServerFailures(metrics),
        requests: counted.requests + metrics.requests,
      },
    }));
  }
  for (const { account_id, error_code } of kept) {
    change(account_id ?? '', ({ refused }) => ({
      refused: new Map(refused).set(error_code, (refused.get(error_code) ?? 0) + 1),
    }));
  }
  return [...found.values()]
    .filter((one) => hurtOf(one) > 0)
    .sort((a, b) => hurtOf(b) - hurtOf(a) || a.name.localeCompare(b.name));
}

/** How many requests of the account are known to have come to nothing. */
function hurtOf({ refused, counted = NONE }: HurtAccount): number {
  const { limited, failed } = counted;
  const others = [...refused].filter(([code]) => code !== LIMITED);
  const sampled = refused.get(LIMITED) ?? 0;
  return others.reduce((sum, [, count]) => sum + count, Math.max(limited, sampled)) + failed;
}

/** `Balance used up, 20 or more; API key not valid, 1 or more`, the most frequent first. */
export function describeRefused({ refused, counted = NONE }: HurtAccount): string {
  // Refusals by a rate limit are all counted, in a column of their own.
  const counts = [...refused].filter(([code]) => code !== LIMITED || counted.limited === 0);
  const text = counts
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${nameReason(code)}, ${formatCount(count)} or more`)
    .join('; ');
  return capitalize(text);
}
