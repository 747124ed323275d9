import type { AccountRules } from '../domain/account-rules';
import type { AccountStore } from '../domain/ports';
import type { Watermark } from '../domain/watermark';

/** A lease of an account. */
export interface LeaseReference {
  readonly accountId: string;
  readonly lease: number;
}

/** How far one lease is settled. */
export interface Settlement extends LeaseReference, Watermark {}

/** Answers how far each lease is settled, from one majority read. */
export type GetSettlementsOperation = (
  references: readonly LeaseReference[],
) => Promise<readonly Settlement[]>;

export function createGetSettlements(dependencies: {
  readonly store: AccountStore;
  readonly rules: AccountRules;
}): GetSettlementsOperation {
  const { store, rules } = dependencies;
  return async (references) => {
    const accountIds = [...new Set(references.map(({ accountId }) => accountId))];
    if (accountIds.length === 0) return [];
    const views = new Map((await store.readSettlements(accountIds)).map((view) => [view.id, view]));
    return references.map(({ accountId, lease }) => ({
      accountId,
      lease,
      ...rules.watermarkOf(views.get(accountId), lease),
    }));
  };
}
