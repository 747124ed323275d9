import { isTransient } from '@tollgate/core';
import type { RecalledLease } from '../domain/lease-lifecycle';
import type { LeaseHolders } from '../domain/ports';
import type { AccountParts } from './dependencies';

/** How long a request may wait for other holders to close their leases. */
export interface RecallWait {
  /** Milliseconds in all. */
  readonly waitMsMax: number;
  /** Pause before the first look at the account; each later one is twice as long. */
  readonly pollInitialMs: number;
  readonly pollMsMax: number;
}

export const DEFAULT_RECALL_WAIT: RecallWait = {
  waitMsMax: 1_000,
  pollInitialMs: 20,
  pollMsMax: 200,
};

/** Asks the holders of an account's leases to close them. */
export interface RecallLeases {
  /** Marks the leases durably, then calls their holders; resolves when every call has ended. */
  start(accountId: string, leaseNumbers: readonly number[]): Promise<void>;
  /**
   * Calls one holder, until the signal aborts; false when it could not be reached, which is counted
   * and no failure: it is reminded when the lease was swept.
   */
  callHolder(accountId: string, recalled: RecalledLease, signal?: AbortSignal): Promise<boolean>;
}

interface RecallDependencies extends Pick<AccountParts, 'accounts' | 'metrics' | 'rules'> {
  readonly holders: LeaseHolders;
}

/** Refused requests of one account that arrive together share the recall of each lease. */
export function createRecallLeases(deps: RecallDependencies): RecallLeases {
  const { accounts, rules, holders, metrics } = deps;
  /** By account and number of the lease. */
  const running = new Map<string, Promise<void>>();

  const callHolder: RecallLeases['callHolder'] = async (accountId, recalled, signal) => {
    const { holder, holderAddress: address } = recalled.lease;
    const request = { accountId, leaseNumber: recalled.leaseNumber, holder, address };
    try {
      metrics.recalls.inc({ answer: await holders.recall(request, signal) });
      return true;
    } catch (error) {
      const isReached = !isTransient(error);
      metrics.recalls.inc({ answer: isReached ? 'failed' : 'unreachable' });
      return isReached;
    }
  };

  const markAndCall = async (accountId: string, leaseNumbers: readonly number[]): Promise<void> => {
    const { outcome: marked } = await accounts.run(accountId, {
      apply: (account) => rules.markRecall(account, leaseNumbers),
    });
    await Promise.all(marked.map((recalled) => callHolder(accountId, recalled)));
  };

  return {
    callHolder,
    async start(accountId, leaseNumbers) {
      const keyOf = (leaseNumber: number) => `${accountId}:${leaseNumber}`;
      const further = leaseNumbers.filter((leaseNumber) => !running.has(keyOf(leaseNumber)));
      if (further.length > 0) {
        const call = markAndCall(accountId, further).finally(() => {
          for (const leaseNumber of further) running.delete(keyOf(leaseNumber));
        });
        for (const leaseNumber of further) running.set(keyOf(leaseNumber), call);
      }
      await Promise.all(
        leaseNumbers.flatMap((leaseNumber) => running.get(keyOf(leaseNumber)) ?? []),
      );
    },
  };
}
