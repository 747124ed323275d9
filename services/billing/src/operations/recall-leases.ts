import type { AccountRules } from '../domain/account-rules';
import type { RecalledLease } from '../domain/mark-recall';
import type { BillingObserver, LeaseHolders } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import { isAway } from './quarantine';

/** Asks the holders of an account's leases to close them. */
export interface RecallLeases {
  /** Marks the leases durably, then calls their holders; resolves when every call has ended. */
  recall(accountId: string, numbers: readonly number[]): Promise<void>;
  /**
   * Calls one holder, until the signal aborts; false when it could not be reached, which is counted
   * and no failure: the sweeper asks it again.
   */
  callHolder(accountId: string, recalled: RecalledLease, signal?: AbortSignal): Promise<boolean>;
}

interface Dependencies {
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly holders: LeaseHolders;
  readonly observer: BillingObserver;
}

/** Refused requests of one account that arrive together share one recall. */
export function createRecallLeases(dependencies: Dependencies): RecallLeases {
  const { accounts, rules, holders, observer } = dependencies;
  const running = new Map<string, Promise<void>>();

  const callHolder: RecallLeases['callHolder'] = async (accountId, recalled, signal) => {
    const { holder, holderAddress: address } = recalled.lease;
    const request = { accountId, lease: recalled.number, holder, address };
    try {
      observer.recalled(await holders.recall(request, signal));
      return true;
    } catch (error) {
      observer.recalled('unreachable');
      return !isAway(error);
    }
  };

  const markAndCall = async (accountId: string, numbers: readonly number[]): Promise<void> => {
    const { outcome: standing } = await accounts.run(accountId, {
      apply: (account) => rules.markRecall(account, numbers),
    });
    await Promise.all(standing.map((recalled) => callHolder(accountId, recalled)));
  };

  return {
    callHolder,
    recall(accountId, numbers) {
      const shared = running.get(accountId);
      if (shared !== undefined) return shared;
      const call = markAndCall(accountId, numbers).finally(() => running.delete(accountId));
      running.set(accountId, call);
      return call;
    },
  };
}
