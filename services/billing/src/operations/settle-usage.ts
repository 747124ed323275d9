import { AppError, type Clock, delay, toAppError } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { BillingObserver } from '../domain/ports';
import type { Verdict } from '../domain/settle-records';
import type { SpoolRecord } from '../domain/usage-record';
import type { AccountWriter } from './account-writer';
import { isAway, type Quarantine } from './quarantine';
import { journalQuarantineId } from './store-journal';

/** What became of a batch. */
export interface SettleResult {
  /** The accounts as they stand now, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly verdicts: readonly Verdict[];
  /** The accounts that could not be settled now, and why; their spools send what is missing again. */
  readonly failures: ReadonlyMap<string, SettleFailure>;
}

/** Why an account could not be settled: it has no room for more, or something failed. */
export interface SettleFailure {
  readonly kind: 'journalFull' | 'failed';
  readonly error: AppError;
}

/**
 * Settles records of any number of accounts, with one write per account. An account that cannot be
 * settled keeps none of the others; rejects only when the store is away for all of them.
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
  readonly quarantine: Quarantine;
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

interface Settled {
  readonly account: Account;
  readonly verdicts: readonly Verdict[];
  /** Records for which the journal has no room. */
  readonly deferred: readonly SpoolRecord[];
}

/** Settles an account's records, and waits for a while when its journal is full. */
function createSettleAccount(dependencies: Dependencies) {
  const { accounts, rules, quarantine, policy, clock, observer, journalWait } = dependencies;
  return async (accountId: string, records: readonly SpoolRecord[]): Promise<Settled> => {
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
      rest = outcome.filter(({ kind }) => kind === 'deferred').map(({ record }) => record);
      // A journal that is set apart makes no room, and others wait for this batch.
      const isHopeless = quarantine.isApart(journalQuarantineId(accountId));
      if (rest.length === 0 || isHopeless || clock.monotonicMs() >= endsAt) {
        return { account, verdicts, deferred: rest };
      }
      await delay(clock, journalWait.pollMs);
    }
  };
}

function fullJournal(accountId: string, { pollMs }: JournalWait): SettleFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: `the journal of ${accountId} is full and is not being stored`,
    retryAfterMs: pollMs,
  });
  return { kind: 'journalFull', error };
}

export function createSettleUsage(dependencies: Dependencies): SettleUsageOperation {
  const { quarantine, journalWait } = dependencies;
  const settleAccount = createSettleAccount(dependencies);

  const failed = async (accountId: string, error: unknown): Promise<SettleFailure> => {
    const id = `settle:${accountId}`;
    if (!isAway(error) && !quarantine.isApart(id)) await quarantine.setApart(id, accountId, error);
    return { kind: 'failed', error: toAppError(error) };
  };

  return async (records) => {
    const settled = new Map<string, Account>();
    const verdicts: Verdict[] = [];
    const failures = new Map<string, SettleFailure>();
    const groups = byAccount(records).entries();
    const work = async (): Promise<void> => {
      for (const [accountId, group] of groups) {
        try {
          const result = await settleAccount(accountId, group);
          settled.set(accountId, result.account);
          verdicts.push(...result.verdicts);
          if (result.deferred.length > 0) {
            failures.set(accountId, fullJournal(accountId, journalWait));
          }
          await quarantine.release(`settle:${accountId}`);
        } catch (error) {
          failures.set(accountId, await failed(accountId, error));
        }
      }
    };
    await Promise.all(Array.from({ length: dependencies.concurrencyMax }, work));
    const all = [...failures.values()];
    const away = all.find(({ error }) => isAway(error));
    if (away !== undefined && settled.size === 0) throw away.error;
    return { accounts: settled, verdicts, failures };
  };
}
