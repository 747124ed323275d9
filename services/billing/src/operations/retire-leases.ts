import { AppError, type Clock } from '@tollgate/core';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { AccountStore, BillingObserver } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import { eachAtOnce } from './at-once';
import { isAway, type Quarantine } from './quarantine';

/**
 * Gives up every lease of a spool that is known to be destroyed; answers how many there were. An
 * account that fails by itself is set apart and passed; rejects in the end, naming such accounts.
 * Doing it again gives up what is left.
 */
export type RetireLeasesOperation = (holder: string) => Promise<number>;

const PAGE = 200;
const ACCOUNTS_AT_ONCE = 16;
const NAMED_MAX = 20;

function failure(retired: number, failed: readonly string[]): AppError {
  const names = failed.slice(0, NAMED_MAX).join(', ');
  return new AppError('INTERNAL_ERROR', {
    publicMessage:
      `${retired} leases were given up. ` +
      `${failed.length} accounts failed by themselves: ${names}.`,
  });
}

export function createRetireLeases(dependencies: {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly observer: BillingObserver;
}): RetireLeasesOperation {
  const { store, accounts, rules, policy, quarantine, clock, observer } = dependencies;

  const retire = async (accountId: string, holder: string): Promise<number> => {
    const { outcome } = await accounts.run(accountId, {
      apply: (account) =>
        rules.retireLeases(account, (lease) => lease.holder === holder, clock.now(), policy),
    });
    observer.leasesRetired(outcome.length);
    await quarantine.release(`retire:${accountId}`);
    return outcome.length;
  };

  return async (holder) => {
    let retired = 0;
    const failed: string[] = [];
    const retireOrPass = async (accountId: string): Promise<void> => {
      try {
        const count = await retire(accountId, holder);
        retired += count;
      } catch (error) {
        if (isAway(error)) throw error;
        failed.push(accountId);
        await quarantine.setApart(`retire:${accountId}`, accountId, error);
      }
    };
    let after: string | undefined;
    do {
      const page = await store.listHeldBy(holder, { after, limit: PAGE });
      await eachAtOnce(page, { atOnceMax: ACCOUNTS_AT_ONCE }, retireOrPass);
      after = page.length < PAGE ? undefined : page.at(-1);
    } while (after !== undefined);
    if (failed.length > 0) throw failure(retired, failed);
    return retired;
  };
}
