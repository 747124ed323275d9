import { type Budget, type Nano, ZERO_NANO } from '@tollgate/core';
import type { BudgetSpend } from '../domain/account';
import { currentBudget, rollBudget } from '../domain/budgets';
import { chargedOfKey } from '../domain/key-charges';
import type { AccountParts } from './dependencies';

/** A key's budget in the period that holds the present. */
export interface KeyBudgetState extends BudgetSpend {
  readonly keyId: string;
}

/** The budgets of keys, and what the keys were charged. */
export interface KeyBudgets {
  readonly budgets: readonly KeyBudgetState[];
  /** By key, in all, or since it came back after it was dropped; without the unknown ones. */
  readonly charged: ReadonlyMap<string, Nano>;
}

/** Answers the budgets of those keys that have used theirs, as the keys carry them now. */
export function createGetKeyBudgets(deps: Pick<AccountParts, 'clock' | 'bounds' | 'store'>) {
  const { store, clock, bounds } = deps;
  return async (
    accountId: string,
    keyIds: readonly string[],
    /** By key; a key that is missing here has its budget as billing heard of it last. */
    carried: ReadonlyMap<string, Budget>,
  ): Promise<KeyBudgets> => {
    const account = await store.find(accountId);
    if (account === undefined) {
      return { budgets: [], charged: new Map(keyIds.map((keyId) => [keyId, ZERO_NANO])) };
    }
    const now = clock.now();
    const charged = new Map<string, Nano>();
    for (const keyId of keyIds) {
      const ofKey = chargedOfKey(account, keyId, bounds.budgetsMax);
      if (ofKey !== undefined) charged.set(keyId, ofKey);
    }
    const budgets = keyIds.flatMap((keyId) => {
      const known = account.budgets.get(keyId);
      if (known === undefined) return [];
      const asCarried = carried.get(keyId);
      const budget =
        asCarried === undefined ? rollBudget(known, now) : currentBudget(known, asCarried, now);
      return [{ ...budget, keyId }];
    });
    return { budgets, charged };
  };
}

/** Forgets a key that was deleted; harmless when it is not known, or comes again. */
export type ForgetKey = (accountId: string, keyId: string) => Promise<void>;

export function createForgetKey({
  accounts,
  rules,
}: Pick<AccountParts, 'accounts' | 'rules'>): ForgetKey {
  return async (accountId, keyId) => {
    await accounts.run(accountId, { apply: (account) => rules.forgetKey(account, keyId) });
  };
}
