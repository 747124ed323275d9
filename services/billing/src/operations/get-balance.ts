import { type Nano, nano } from '@tollgate/core';
import { balanceOf, emptyAccount, reservedOf } from '../domain/account';
import type { AccountStore } from '../domain/ports';

/** What an account has. */
export interface Balance {
  readonly balance: Nano;
  readonly reserved: Nano;
  readonly available: Nano;
  readonly totalCredits: Nano;
  readonly totalUsage: Nano;
  /** Milliseconds since the epoch; undefined for an account that was never used. */
  readonly updatedAt: number | undefined;
}

/** Reads a balance; an account that was never used has nothing. */
export type GetBalanceOperation = (accountId: string) => Promise<Balance>;

export function createGetBalance(dependencies: {
  readonly store: AccountStore;
}): GetBalanceOperation {
  return async (accountId) => {
    const account = (await dependencies.store.read(accountId)) ?? emptyAccount(accountId);
    const balance = balanceOf(account);
    const reserved = reservedOf(account);
    return {
      balance,
      reserved,
      available: nano(balance - reserved),
      totalCredits: account.granted,
      totalUsage: account.posted,
      updatedAt: account.rev === 0 ? undefined : account.updatedAt,
    };
  };
}
