/** What of an account's money one line is made of. */
export interface DescribedMoney {
  readonly balance: DescribedBalance;
  readonly audit: { readonly ok: boolean; readonly findings: readonly object[] };
}

export interface DescribedBalance {
  readonly balance: string;
  readonly reserved: string;
  readonly available: string;
  readonly total_credits: string;
  readonly total_usage: string;
}

/** Where the money went, and whether the books agree: `5.00 in - 0.04 used = 4.96, adds up`. */
export function describeMoney({ audit, balance }: DescribedMoney): string {
  const { findings, ok } = audit;
  const sum = `${balance.total_credits} in - ${balance.total_usage} used = ${balance.balance}`;
  const books = ok ? 'adds up' : `does NOT add up (${findings.length} findings in audit, below)`;
  return `${sum}, ${books}; ${describeReserved(balance)}`;
}

/** `4.93 reserved, 0.03 available`. */
export function describeReserved({
  available,
  reserved,
}: Pick<DescribedBalance, 'available' | 'reserved'>): string {
  return `${reserved} reserved, ${available} available`;
}
