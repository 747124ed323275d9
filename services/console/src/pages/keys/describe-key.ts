import type { ApiKey, Role } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { toNano } from '../../format/money';
import { formatNumberOf } from '../../format/quantity';
import { formatAgo } from '../../format/time';

const STATES: Readonly<Record<ApiKey['status'], StatusLabel>> = {
  active: { tone: 'good', label: 'Active' },
  disabled: { tone: 'idle', label: 'Disabled' },
  expired: { tone: 'idle', label: 'Expired' },
  exhausted: { tone: 'bad', label: 'Budget used' },
};

const NEARLY_USED: StatusLabel = { tone: 'warn', label: 'Budget nearly used' };

/** The states that a key may be said to be in. */
export const KEY_STATES = [NEARLY_USED, ...Object.values(STATES)].map(({ label }) => label).sort();

/** Per cent of a budget from which on a request may cost more than the rest, and be refused. */
const NEARLY_PERCENT = 80n;

/** The state of a key; one whose budget is nearly used may be refused already. */
export function describeKeyStatus(
  key: Pick<ApiKey, 'status' | 'spend' | 'max_budget'>,
): StatusLabel {
  const { status, spend, max_budget } = key;
  if (status !== 'active' || max_budget === null) return STATES[status];
  const used = toNano(spend ?? '0');
  const most = toNano(max_budget);
  if (used >= most) return STATES.exhausted;
  const isNearly = used * 100n >= most * NEARLY_PERCENT;
  return isNearly ? NEARLY_USED : STATES.active;
}

/** What can be done about a key that is on or off: what an operator did, an operator undoes. */
export function describeSwitch({ status, disabled_by }: Pick<ApiKey, 'status' | 'disabled_by'>): {
  readonly verb: 'Disable' | 'Enable' | undefined;
  readonly note: string | undefined;
} {
  if (status !== 'disabled') return { verb: 'Disable', note: undefined };
  if (disabled_by !== 'operator') return { verb: 'Enable', note: undefined };
  return {
    verb: undefined,
    note: 'Whoever runs this service disabled the key. Ask them why: only they can enable it.',
  };
}

/** From few rights to many, as identity ranks them. */
const RANKS: readonly Role[] = ['member', 'admin', 'owner', 'operator'];

const MAKERS: Readonly<Record<Role, string>> = {
  member: 'a member',
  admin: 'an admin',
  owner: 'an owner',
  operator: 'an operator',
};

/**
 * Why the viewer may give a key nothing: it acts with its maker's role, and nobody hands out more than
 * their own. Undefined where they may, and where nobody knows who made it.
 */
export function describeOutranked(maker: Role | undefined, viewer: Role): string | undefined {
  if (maker === undefined || RANKS.indexOf(maker) <= RANKS.indexOf(viewer)) return undefined;
  const who = MAKERS[maker];
  return (
    `The key was made by ${who} and may do what ${who} may. You can restrict, disable and revoke ` +
    `it; ask ${who} to rotate it, to enable it or to lift a restriction.`
  );
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
