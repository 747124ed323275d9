import { type Clock, type Nano, ZERO_NANO } from '@tollgate/core';
import type { KeyBudget } from '../domain/account';
import { currentBudget, periodEndOf, rollBudget } from '../domain/budgets';
import { keySpendOf } from '../domain/key-spend';
import type { AccountPolicy } from '../domain/policy';
import type { AccountStore } from '../domain/ports';
import type { KeyLimit } from '../domain/usage-record';

/** A key's budget in the period that holds the present. */
export interface KeyBudgetState extends KeyBudget {
  readonly keyId: string;
  /** Milliseconds since the epoch; undefined when the budget never starts anew. */
  readonly resetsAt: number | undefined;
}

/** What keys spent. */
export interface KeySpending {
  readonly budgets: readonly KeyBudgetState[];
  /** By key, charged in all; without the keys of which it is not known. */
  readonly totals: ReadonlyMap<string, Nano>;
}

/** Answers the budgets of those keys that have used theirs, as the keys carry them now. */
export type GetKeyBudgetsOperation = (
  accountId: string,
  keyIds: readonly string[],
  /** By key; a key that is missing here has its budget as billing heard of it last. */
  carried: ReadonlyMap<string, KeyLimit>,
) => Promise<KeySpending>;

export function createGetKeyBudgets(dependencies: {
  readonly store: AccountStore;
  readonly clock: Clock;
  readonly policy: AccountPolicy;
}): GetKeyBudgetsOperation {
  const { store, clock, policy } = dependencies;
  return async (accountId, keyIds, carried) => {
    const account = await store.read(accountId);
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
      const limit = carried.get(keyId);
      const budget =
        limit === undefined ? rollBudget(known, now) : currentBudget(known, limit, now);
      return [{ ...budget, keyId, resetsAt: periodEndOf(budget.period, budget.periodStart) }];
    });
    return { budgets, totals };
  };
}
