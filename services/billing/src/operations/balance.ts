import { type Nano, nano } from '@tollgate/core';
import { balanceOf, emptyAccount, leasedOf } from '../domain/account';
import { isSpendingSuspended } from '../domain/thresholds';
import type { AccountParts } from './dependencies';

/** The balance of an account. */
export interface Balance {
  readonly balance: Nano;
  readonly reserved: Nano;
  readonly available: Nano;
  readonly totalCredits: Nano;
  readonly totalUsage: Nano;
  /** Milliseconds since the epoch; undefined before billing hears of the account. */
  readonly updatedAtMs: number | undefined;
  /** Below which balance the account lets itself spend nothing; undefined where it set none. */
  readonly suspendBelow: Nano | undefined;
  /** The balance is below `suspendBelow`, so nothing that costs is let in. */
  readonly spendingSuspended: boolean;
}

/** Reads a balance; an account that was never used has nothing. */
export function createGetBalance({ store }: Pick<AccountParts, 'store'>) {
  return async (accountId: string): Promise<Balance> => {
    const account = (await store.find(accountId)) ?? emptyAccount(accountId);
    const balance = balanceOf(account);
    const reserved = leasedOf(account);
    return {
      balance,
      reserved,
      available: nano(balance - reserved),
      totalCredits: account.granted,
      totalUsage: account.posted,
      updatedAtMs: account.rev === 0 ? undefined : account.updatedAtMs,
      suspendBelow: account.thresholds?.suspendBelow,
      spendingSuspended: isSpendingSuspended(account),
    };
  };
}
