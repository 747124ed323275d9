import type { OperatorBalance } from '@tollgate/gateway';

/** What of an account's money one line is made of. */
export interface DescribedMoney {
  readonly account: { readonly status: string };
  readonly balance: DescribedBalance;
  readonly audit: Pick<AccountAudit, 'ok'> & { readonly findings: readonly object[] };
}

export type AccountAudit = NonNullable<OperatorBalance['audit']>;
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
 * Where the money went, whether the books agree, and what keeps it from being spent:
 * `5.00 credited - 1.50 adjusted - 0.04 used = 3.46, adds up`.
 */
export function describeMoney({ account, audit, balance }: DescribedMoney): string {
  const { findings, ok } = audit;
  const sum = `${describeGrants(balance)} - ${balance.total_usage} used = ${balance.balance}`;
  const books = ok ? 'adds up' : `does NOT add up (${findings.length} findings in audit, below)`;
  const told = [`${sum}, ${books}`, describeReserved(balance)];
  if (account.status !== 'active') told.push(`the account is ${account.status}`);
  if (balance.spending?.suspended) {
    told.push(`it spends nothing below ${balance.spending.suspend_below}, as it set itself`);
  }
  return told.join('; ');
}

function describeGrants({ adjusted, credited, total_credits }: DescribedBalance): string {
  if (credited === null || adjusted === null) return `${total_credits} in`;
  if (Number(adjusted) === 0) return `${credited} credited`;
  return adjusted.startsWith('-')
    ? `${credited} credited - ${adjusted.slice(1)} adjusted`
    : `${credited} credited + ${adjusted} adjusted`;
}

const HELD =
  'it is held for requests that run or may come next, and what they leave returns within a minute';

/** `4.93 reserved, 0.03 available`. All of it may be reserved although no request runs. */
export function describeReserved({
  available,
  reserved,
}: Pick<DescribedBalance, 'available' | 'reserved'>): string {
  const told = `${reserved} reserved, ${available} available`;
  if (Number(available) > 0 || Number(reserved) === 0) return told;
  return `${told} (${HELD})`;
}
