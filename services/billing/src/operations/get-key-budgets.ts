import type { Clock } from '@tollgate/core';
import type { KeyBudget } from '../domain/account';
import { currentBudget, periodEndOf, rollBudget } from '../domain/budgets';
import type { AccountStore } from '../domain/ports';
import type { KeyLimit } from '../domain/usage-record';

/** A key's budget in the period that holds the present. */
export interface KeyBudgetState extends KeyBudget {
  readonly keyId: string;
  /** Milliseconds since the epoch; undefined when the budget never starts anew. */
  readonly resetsAt: number | undefined;
}

/** Answers the budgets of those keys that have used theirs, as the keys carry them now. */
export type GetKeyBudgetsOperation = (
  accountId: string,
  keyIds: readonly string[],
  /** By key; a key that is missing here has its budget as billing heard of it last. */
  carried: ReadonlyMap<string, KeyLimit>,
) => Promise<readonly KeyBudgetState[]>;

export function createGetKeyBudgets(dependencies: {
  readonly store: AccountStore;
  readonly clock: Clock;
}): GetKeyBudgetsOperation {
  const { store, clock } = dependencies;
  return async (accountId, keyIds, carried) => {
    const account = await store.read(accountId);
    if (account === undefined) return [];
    return keyIds.flatMap((keyId) => {
      const known = account.budgets.get(keyId);
      if (known === undefined) return [];
      const limit = carried.get(keyId);
      const now = clock.now();
      const budget =
        limit === undefined ? rollBudget(known, now) : currentBudget(known, limit, now);
      return [{ ...budget, keyId, resetsAt: periodEndOf(budget.period, budget.periodStart) }];
    });
  };
}
