import type { ApiKey } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { toNano } from '../../format/money';
import { formatNumberOf } from '../../format/quantity';
import { formatAgo } from '../../format/time';

const STATES: Readonly<Record<ApiKey['status'], StatusLabel>> = {
  active: { tone: 'good', label: 'Active' },
  // As the button calls it.
  disabled: { tone: 'idle', label: 'Suspended' },
  expired: { tone: 'idle', label: 'Expired' },
  exhausted: { tone: 'bad', label: 'Budget used' },
};

/** From so much of a budget on, a request that could cost more than the rest is refused. */
const NEARLY_PERCENT = 80n;

/** What is to be known of a key; one whose budget is nearly used may be refused already. */
export function describeKeyStatus(
  key: Pick<ApiKey, 'status' | 'spend' | 'max_budget'>,
): StatusLabel {
  const { status, spend, max_budget } = key;
  if (status !== 'active' || max_budget === null) return STATES[status];
  const used = toNano(spend ?? '0');
  const most = toNano(max_budget);
  if (used >= most) return STATES.exhausted;
  const isNearly = used * 100n >= most * NEARLY_PERCENT;
  return isNearly ? { tone: 'warn', label: 'Budget nearly used' } : STATES.active;
}

/** What can be done about a key that is on or off: what an operator did, an operator undoes. */
export function describeSwitch({ status, disabled_by }: Pick<ApiKey, 'status' | 'disabled_by'>): {
  readonly verb: string | undefined;
  readonly status: 'active' | 'disabled';
  readonly note: string | undefined;
} {
  if (status !== 'disabled') return { verb: 'Suspend', status: 'disabled', note: undefined };
  if (disabled_by !== 'operator') return { verb: 'Resume', status: 'active', note: undefined };
  return {
    verb: undefined,
    status: 'active',
    note: 'Whoever runs this service disabled the key. Ask them why: only they can enable it.',
  };
}

/**
 * What revoking a key would stop, as far as it is known. `requests` were served in 24 hours, and are
 * undefined while they are not counted; a refused one is a use of the key and no served request.
 */
export function describeKeyUse(
  lastUsedAt: string | null,
  requests: number | undefined,
  nowMs: number,
): string {
  if (requests !== undefined && requests > 0) {
    return `It was used ${formatNumberOf(requests, 'time')} in the last 24 hours: whatever uses it will fail.`;
  }
  if (lastUsedAt === null) return requests === undefined ? '' : 'It was not used yet.';
  const lastUsed = `Last used ${formatAgo(lastUsedAt, nowMs)}`;
  return requests === undefined ? `${lastUsed}.` : `${lastUsed}; 0 requests served in 24 hours.`;
}

/** What a list of keys is narrowed and ordered by; the order of their making without one. */
interface KeyFilter {
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly sort: string | undefined;
}

type Listed = Pick<ApiKey, 'name' | 'status' | 'spend' | 'last_used_at' | 'max_budget'>;

export function fitsKey(key: Listed, { name, status }: KeyFilter): boolean {
  const isNamed = key.name.toLowerCase().includes((name ?? '').trim().toLowerCase());
  return isNamed && (status === undefined || describeKeyStatus(key).label === status);
}

/** Those that a filter offers. */
export const KEY_STATES = [
  ...new Set(['Budget nearly used', ...Object.values(STATES).map(({ label }) => label)]),
].sort();

export function orderKeys<Key extends Listed>(
  keys: readonly Key[],
  sort: string | undefined,
): readonly Key[] {
  if (sort === 'used') {
    return [...keys].sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''));
  }
  if (sort === 'spend') {
    return [...keys].sort((a, b) => Number(toNano(b.spend ?? '0') - toNano(a.spend ?? '0')));
  }
  return keys;
}
