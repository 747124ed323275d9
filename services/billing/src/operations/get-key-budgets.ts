import type { Clock } from '@tollgate/core';
import type { KeyBudget } from '../domain/account';
import { periodEndOf, rollBudget } from '../domain/budgets';
import type { AccountStore } from '../domain/ports';

/** A key's budget in the period that holds the present. */
export interface KeyBudgetState extends KeyBudget {
  readonly keyId: string;
  /** Milliseconds since the epoch; undefined when the budget never starts anew. */
  readonly resetsAt: number | undefined;
}

/** Answers the budgets of those keys that have used theirs. */
export type GetKeyBudgetsOperation = (
  accountId: string,
  keyIds: readonly string[],
) => Promise<readonly KeyBudgetState[]>;

export function createGetKeyBudgets(dependencies: {
  readonly store: AccountStore;
  readonly clock: Clock;
}): GetKeyBudgetsOperation {
  const { store, clock } = dependencies;
  return async (accountId, keyIds) => {
    const account = await store.read(accountId);
    if (account === undefined) return [];
    return keyIds.flatMap((keyId) => {
      const known = account.budgets.get(keyId);
      if (known === undefined) return [];
      const budget = rollBudget(known, clock.now());
      return [{ ...budget, keyId, resetsAt: periodEndOf(budget.period, budget.periodStart) }];
    });
  };
}
