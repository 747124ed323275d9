import type { Clock } from '@tollgate/core';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { AccountStore, BillingObserver } from '../domain/ports';
import type { AccountWriter } from './account-writer';

/** Gives up every lease of a spool that is known to be destroyed; answers how many there were. */
export type RetireLeasesOperation = (holder: string) => Promise<number>;

const PAGE = 200;

export function createRetireLeases(dependencies: {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly clock: Clock;
  readonly observer: BillingObserver;
}): RetireLeasesOperation {
  const { store, accounts, rules, policy, clock, observer } = dependencies;
  return async (holder) => {
    let retired = 0;
    let after: string | undefined;
    for (;;) {
      const page = await store.listHeldBy(holder, { after, limit: PAGE });
      for (const accountId of page) {
        const { outcome } = await accounts.run(accountId, {
          apply: (account) =>
            rules.retireLeases(account, (lease) => lease.holder === holder, clock.now(), policy),
        });
        retired += outcome.length;
      }
      after = page.at(-1);
      if (after === undefined || page.length < PAGE) break;
    }
    observer.leasesRetired(retired);
    return retired;
  };
}
