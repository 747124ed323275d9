import { formatAmount, nano, parseAmount } from '@tollgate/core';
import type { LedgerItem, OperatorBalance, ShownAccount } from '@tollgate/gateway';

/** What of an account's money one line is made of. */
export interface DescribedMoney {
  readonly account: { readonly status: string; readonly discount?: string } & Partial<
    Pick<ShownAccount, 'discount_set' | 'id' | 'switched_off'>
  >;
  readonly balance: Pick<OperatorBalance, 'available' | 'reserved'>;
  /** The sum of the balance as the gateway says it. */
  readonly in_words: string;
  /** An older gateway leaves it out. */
  readonly running?: RunningRequests | null;
  /** Of the channels at which they run. */
  readonly names?: ReadonlyMap<string, string>;
  /** Of an account whose audit took longer than its balance, so that the sum has no verdict. */
  readonly auditedLater?:
    | (Pick<AccountAudit, 'ok'> & { readonly findings: readonly object[] })
    | undefined;
}

export type AccountAudit = NonNullable<OperatorBalance['audit']>;
export type RunningRequests = NonNullable<OperatorBalance['running']>;
export type DescribedBalance = Pick<
  OperatorBalance,
  | 'adjusted'
  | 'available'
  | 'balance'
  | 'credited'
  | 'reserved'
  | 'spending'
  | 'total_credits'
  | 'total_usage'
>;

/**
 * The sum as the gateway says it, `5.00 credited - 0.04 used = 4.96, adds up; ...`, and after it what
 * the gateway leaves out: what runs at which channels, and what is unusual with the account.
 */
export function describeMoney(described: DescribedMoney): string {
  const { account, auditedLater, balance, in_words, names, running } = described;
  const told = [in_words];
  if (auditedLater !== undefined) told.push(describeAudit(auditedLater));
  if (Number(balance.reserved) > 0) {
    if (running) told.push(describeRunning(balance, running, names));
    else if (Number(balance.available) <= 0) told.push(`what none of them needs is ${HELD_UNTIL}`);
  }
  if (account.status !== 'active') told.push(describeStatus(account));
  const pays = describeDiscount(account.discount);
  if (pays !== undefined) {
    told.push(`it pays ${pays} list prices${describeSet(account.discount_set)}`);
  }
  return told.join('; ');
}

/** Ends of answers that are not whole, of which what was delivered is charged. */
const CUT_ENDS: ReadonlySet<string> = new Set([
  'client_gone',
  'vendor_gone',
  'deadline',
  'shutdown',
  'crash',
]);

type Charge = Pick<LedgerItem, 'amount' | 'reason' | 'request_id'>;

/**
 * What was paid for answers that are not whole, of the newest charges:
 * `0.04 of its last 9 charges is for 2 answers that broke off (client_gone 2), the newest is req_1`.
 * Undefined for none; says how many are shown when those are fewer.
 */
export function describeBrokenOff(
  charges: readonly Charge[],
  shownMax: number,
): string | undefined {
  const paid = charges.filter(({ amount }) => Number(amount) !== 0);
  const broken = paid.filter(({ reason }) => CUT_ENDS.has(reason ?? ''));
  const [newest] = broken;
  if (newest === undefined) return undefined;
  const sum = broken.reduce((total, { amount }) => total + (parseAmount(amount) ?? 0n), 0n);
  const counts = [...Map.groupBy(broken, ({ reason }) => reason)].map(
    ([reason, same]) => `${reason} ${same.length}`,
  );
  const [charged, answers] = [countOf(paid.length, 'charge'), countOf(broken.length, 'answer')];
  const shown = paid.length > shownMax ? ` (${shownMax} shown)` : '';
  return (
    `${formatAmount(nano(sum))} of its last ${charged}${shown} is for ${answers} that broke off ` +
    `(${counts.join(', ')}), the newest is ${newest.request_id}`
  );
}

function describeAudit({ findings, ok }: NonNullable<DescribedMoney['auditedLater']>): string {
  const count = countOf(findings.length, 'finding');
  return ok ? 'audited since: adds up' : `audited since: does NOT add up (${count} in audit)`;
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function describeStatus({ id, status, switched_off: off }: DescribedMoney['account']): string {
  const told = `the account is ${status}${describeSet(off)}`;
  return status === 'suspended' && id !== undefined
    ? `${told}: tollgate account resume ${id}`
    : told;
}

/** ` (2026-10-02T10:00:00.000Z by ann@acme.test)`, as far as the audit log tells. */
export function describeSet(change: ShownAccount['discount_set'] = null): string {
  if (change === null) return '';
  const { at, by } = change;
  return by === null ? ` (${at})` : ` (${at} by ${by})`;
}

/** `10 % more than`, for a discount below 0; undefined for none. */
export function describeDiscount(discount = '0'): string | undefined {
  const percent = Number(discount);
  if (percent === 0) return undefined;
  return `${Math.abs(percent)} % ${percent < 0 ? 'more' : 'less'} than`;
}

/** `4.93 reserved, 0.03 available`. All of it may be reserved although no request runs. */
export function describeReserved({
  available,
  reserved,
}: Pick<DescribedBalance, 'available' | 'reserved'>): string {
  const told = `${reserved} reserved, ${available} available`;
  if (Number(available) > 0 || Number(reserved) === 0) return told;
  return `${told} (of it ${reserved} held for what runs or comes next; the rest of that is ${HELD_UNTIL})`;
}

/** Running requests that the line names. */
export const RUNNING_TOLD_MAX = 3;

/** `what is reserved is held by 1 running request: req_1 (small at "first", for 4 s)`. */
function describeRunning(
  { reserved }: Pick<DescribedBalance, 'reserved'>,
  { count, items, reserved: held, silent }: RunningRequests,
  names: ReadonlyMap<string, string> = new Map(),
): string {
  const told = items.slice(0, RUNNING_TOLD_MAX).map(({ channel_id, id, model, running_ms }) => {
    const at = `${model} at "${names.get(channel_id) ?? channel_id}"`;
    return `${id} (${at}, for ${Math.floor(running_ms / 1000)} s)`;
  });
  const more = count > told.length ? ` and ${count - told.length} more` : '';
  const requests = countOf(count, 'running request');
  const isAll = Number(held) >= Number(reserved);
  const parts = [
    count === 0
      ? 'no request runs'
      : `${isAll ? '' : `${held} of `}what is reserved is held by ${requests}: ${told.join(', ')}${more}`,
    !isAll && count === 0 && `what is reserved is held for what comes next, ${HELD_UNTIL}`,
    !isAll && count > 0 && `the rest of it is held for what comes next, ${HELD_UNTIL} of the last`,
    silent.length > 0 && `${silent.join(', ')} did not say what runs there`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/**
 * A lease in which nothing is reserved is not renewed, so that it ends with its time, for which this
 * command knows the default of `TOLLGATE_BILLING_LEASE_TTL_MS`. The lease of a holder that is gone
 * takes twice as long.
 */
const HELD_UNTIL = 'back when its leases end, by default within 15 s';
