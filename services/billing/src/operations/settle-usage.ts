import { AppError, type Clock, delay, toAppError } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { BillingObserver } from '../domain/ports';
import type { Verdict } from '../domain/settle-records';
import type { SpoolRecord } from '../domain/usage-record';
import type { AccountWriter } from './account-writer';

/** What became of a batch. */
export interface SettleResult {
  /** The accounts as they stand now, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly verdicts: readonly Verdict[];
}

/**
 * Settles records of any number of accounts, with one write per account. Rejects when one of the
 * accounts could not be settled; the others are, and sending everything again harms nothing.
 */
export type SettleUsageOperation = (records: readonly SpoolRecord[]) => Promise<SettleResult>;

/** How a full journal is waited for. */
export interface JournalWait {
  /** Milliseconds in all before the batch is given back. */
  readonly waitMsMax: number;
  readonly pollMs: number;
}

export const DEFAULT_JOURNAL_WAIT: JournalWait = { waitMsMax: 5_000, pollMs: 50 };

interface Dependencies {
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly clock: Clock;
  readonly observer: BillingObserver;
  readonly journalWait: JournalWait;
  /** Accounts settled at the same time. */
  readonly concurrencyMax: number;
}

function byAccount(records: readonly SpoolRecord[]): ReadonlyMap<string, SpoolRecord[]> {
  const groups = new Map<string, SpoolRecord[]>();
  for (const record of records) {
    const group = groups.get(record.accountId);
    if (group === undefined) groups.set(record.accountId, [record]);
    else group.push(record);
  }
  return groups;
}

export function createSettleUsage(dependencies: Dependencies): SettleUsageOperation {
  const { accounts, rules, policy, clock, observer, journalWait } = dependencies;

  const settleAccount = async (
    accountId: string,
    records: readonly SpoolRecord[],
  ): Promise<{ readonly account: Account; readonly verdicts: readonly Verdict[] }> => {
    const endsAt = clock.monotonicMs() + journalWait.waitMsMax;
    const verdicts: Verdict[] = [];
    let rest = records;
    for (;;) {
      const batch = rest;
      const { account, outcome } = await accounts.run(accountId, {
        apply: (current) => rules.settleRecords(current, batch, clock.now(), policy),
      });
      const final = outcome.filter(({ kind }) => kind !== 'deferred');
      verdicts.push(...final);
      observer.settled(final);
      if (final.length === outcome.length) return { account, verdicts };
      rest = outcome.filter(({ kind }) => kind === 'deferred').map(({ record }) => record);
      if (clock.monotonicMs() >= endsAt) {
        throw new AppError('SERVICE_UNAVAILABLE', {
          internalMessage: `the journal of ${accountId} is full and is not being relayed`,
          retryAfterMs: journalWait.pollMs,
        });
      }
      await delay(clock, journalWait.pollMs);
    }
  };

  return async (records) => {
    const settled = new Map<string, Account>();
    const verdicts: Verdict[] = [];
    const failures: unknown[] = [];
    const groups = byAccount(records).entries();
    const work = async (): Promise<void> => {
      for (const [accountId, group] of groups) {
        try {
          const result = await settleAccount(accountId, group);
          settled.set(accountId, result.account);
          verdicts.push(...result.verdicts);
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: dependencies.concurrencyMax }, work));
    const [failure] = failures;
    if (failure !== undefined) throw toAppError(failure);
    return { accounts: settled, verdicts };
  };
}
