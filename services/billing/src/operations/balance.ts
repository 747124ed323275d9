import { type Nano, nano, periodEndOf, ZERO_NANO } from '@tollgate/core';
import { type BudgetSpend, balanceOf, emptyAccount, leasedOf } from '../domain/account';
import { currentBudget, rollBudget } from '../domain/budgets';
import { keySpendOf } from '../domain/spend';
import { isSpendingSuspended } from '../domain/thresholds';
import type { Budget } from '../domain/usage-record';
import type { AccountParts } from './dependencies';

/** The balance of an account. */
export interface Balance {
  readonly balance: Nano;
  readonly reserved: Nano;
  readonly available: Nano;
  readonly totalCredits: Nano;
  readonly totalUsage: Nano;
  /** Milliseconds since the epoch; undefined for an account that was never used. */
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

/** A key's budget in the period that holds the present. */
export interface KeyBudgetState extends BudgetSpend {
  readonly keyId: string;
  /** Milliseconds since the epoch; undefined when the budget never starts anew. */
  readonly resetsAtMs: number | undefined;
}

/** The spending of keys. */
export interface KeySpending {
  readonly budgets: readonly KeyBudgetState[];
  /** By key, charged in all, or since it came back after it was dropped; without the unknown ones. */
  readonly totals: ReadonlyMap<string, Nano>;
}

/** Answers the budgets of those keys that have used theirs, as the keys carry them now. */
export function createGetKeyBudgets(deps: Pick<AccountParts, 'clock' | 'policy' | 'store'>) {
  const { store, clock, policy } = deps;
  return async (
    accountId: string,
    keyIds: readonly string[],
    /** By key; a key that is missing here has its budget as billing heard of it last. */
    carried: ReadonlyMap<string, Budget>,
  ): Promise<KeySpending> => {
    const account = await store.find(accountId);
    if (account === undefined) {
      return { budgets: [], totals: new Map(keyIds.map((keyId) => [keyId, ZERO_NANO])) };
    }
    const now = clock.now();
    const totals = new Map<string, Nano>();
    for (const keyId of keyIds) {
      const total = keySpendOf(account, keyId, policy.budgetsMax);
      if (total !== undefined) totals.set(keyId, total);
    }
    const budgets = keyIds.flatMap((keyId) => {
      const known = account.budgets.get(keyId);
      if (known === undefined) return [];
      const asCarried = carried.get(keyId);
      const budget =
        asCarried === undefined ? rollBudget(known, now) : currentBudget(known, asCarried, now);
      return [{ ...budget, keyId, resetsAtMs: periodEndOf(budget.period, budget.periodStartMs) }];
    });
    return { budgets, totals };
  };
}

/** Forgets a key that was deleted; harmless when it is not known, or comes again. */
export function createForgetKey({ accounts, rules }: Pick<AccountParts, 'accounts' | 'rules'>) {
  return async (accountId: string, keyId: string): Promise<void> => {
    await accounts.run(accountId, { apply: (account) => rules.forgetKey(account, keyId) });
  };
}
