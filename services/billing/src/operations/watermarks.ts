import type { Account } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import type { Watermark, WatermarkView } from '../domain/lease-lifecycle';
import type { AccountParts } from './dependencies';

/** Which lease, by the names of the contract and of usage records. */
export interface LeaseRef {
  readonly accountId: string;
  /** Its number. */
  readonly lease: number;
}

/** How far one lease is settled. */
export interface LeaseWatermark extends LeaseRef, Watermark {}

/** Of the leases of a batch, each once; nothing is said of an account that failed. */
export function watermarksOf(
  records: readonly LeaseRef[],
  {
    accounts,
    failures,
  }: {
    readonly accounts: ReadonlyMap<string, Account>;
    readonly failures: ReadonlyMap<string, unknown>;
  },
  rules: AccountRules,
): readonly LeaseWatermark[] {
  const leases = new Map(records.map((record) => [`${record.accountId}:${record.lease}`, record]));
  return [...leases.values()]
    .filter(({ accountId }) => accounts.has(accountId) || !failures.has(accountId))
    .map(({ accountId, lease }) => {
      return { accountId, lease, ...rules.watermarkOf(accounts.get(accountId), lease) };
    });
}

/**
 * Answers how far each lease is settled, from one majority read. Nothing is said of an account that
 * is damaged: it is quarantined, and its spools keep what they have of it.
 */
export function createReadWatermarks(deps: Pick<AccountParts, 'quarantine' | 'rules' | 'store'>) {
  const { store, rules, quarantine } = deps;
  return async (references: readonly LeaseRef[]): Promise<readonly LeaseWatermark[]> => {
    const accountIds = [...new Set(references.map(({ accountId }) => accountId))];
    if (accountIds.length === 0) return [];
    const views = new Map<string, WatermarkView>();
    const damaged = new Set<string>();
    for (const stored of await store.findWatermarks(accountIds)) {
      const work = { kind: 'settlements', accountId: stored.id } as const;
      try {
        views.set(stored.id, stored.read());
        await quarantine.release(work);
      } catch (error) {
        damaged.add(stored.id);
        await quarantine.addIfDue(work, error);
      }
    }
    return references
      .filter(({ accountId }) => !damaged.has(accountId))
      .map(({ accountId, lease }) => ({
        accountId,
        lease,
        ...rules.watermarkOf(views.get(accountId), lease),
      }));
  };
}
