import { type AppError, isTransient, toAppError } from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { RecordOutcome } from '../domain/settle-records';
import type { ReceivedRecord } from '../domain/usage-record';
import type { AccountParts } from './dependencies';
import { createJournalFull, type JournalWait, retryForRoom } from './journal-room';
import { journalOf } from './store-journal';
import { type LeaseWatermark, watermarksOf } from './watermarks';

/**
 * Settles records of any number of accounts, with one write per account. An account that cannot be
 * settled holds up none of the others; rejects only when the store is away for all of them.
 */
export type SettleUsageOperation = (records: readonly ReceivedRecord[]) => Promise<SettleResult>;

/** The outcome of a batch. */
export interface SettleResult {
  /** The accounts as they stand now, by id. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly outcomes: readonly RecordOutcome[];
  /**
   * How far the leases of the batch are settled, each once. Nothing is said of an account that
   * failed: its spool asks again.
   */
  readonly watermarks: readonly LeaseWatermark[];
  /** The accounts that could not be settled now, and why; their spools send what is missing again. */
  readonly failures: ReadonlyMap<string, SettleFailure>;
}

/** Why an account could not be settled: it has no room for more, or something failed. */
export interface SettleFailure {
  readonly kind: 'journalFull' | 'failed';
  readonly error: AppError;
}

interface Dependencies extends AccountParts {
  readonly journalWait: JournalWait;
  /** Accounts settled at the same time. */
  readonly concurrencyMax: number;
}

export function createSettleUsage(deps: Dependencies): SettleUsageOperation {
  const { quarantine, journalWait, concurrencyMax } = deps;
  const settleAccount = createSettleAccount(deps);

  return async (records) => {
    const accounts = new Map<string, Account>();
    const outcomes: RecordOutcome[] = [];
    const failures = new Map<string, SettleFailure>();
    const groups = Map.groupBy(records, ({ accountId }) => accountId);
    await forEachConcurrently(groups, { atOnceMax: concurrencyMax }, async ([accountId, group]) => {
      try {
        const settled = await settleAccount(accountId, group, outcomes);
        accounts.set(accountId, settled.account);
        if (settled.deferred.length > 0) {
          failures.set(accountId, {
            kind: 'journalFull',
            error: createJournalFull(accountId, journalWait.pollMs),
          });
        }
        await quarantine.release({ kind: 'settle', accountId });
      } catch (error) {
        await quarantine.addIfDue({ kind: 'settle', accountId }, error);
        failures.set(accountId, { kind: 'failed', error: toAppError(error) });
      }
    });
    const passing = [...failures.values()].find(({ error }) => isTransient(error));
    // What was settled must be told of, whatever failed after it.
    if (passing !== undefined && outcomes.length === 0 && accounts.size === 0) throw passing.error;
    const watermarks = watermarksOf(records, { accounts, failures }, deps.rules);
    return { accounts, outcomes, watermarks, failures };
  };
}

interface SettledAccount {
  readonly account: Account;
  /** Records for which the journal has no room. */
  readonly deferred: readonly ReceivedRecord[];
}

/**
 * Settles an account's records, and waits for a while when its journal is full. Adds what became of
 * each to the outcomes at once: a later round may fail.
 */
function createSettleAccount(deps: Dependencies) {
  const { accounts: writer, rules, quarantine, bounds, clock, metrics, journalWait } = deps;
  const { waitMsMax, pollMs } = journalWait;
  return (
    accountId: string,
    records: readonly ReceivedRecord[],
    outcomes: RecordOutcome[],
  ): Promise<SettledAccount> => {
    let deferred = records;
    const settleDeferred = async (): Promise<SettledAccount> => {
      const batch = deferred;
      const { account, outcome } = await writer.run(accountId, {
        apply: (current) => rules.settleRecords(current, batch, clock.now(), bounds),
      });
      const final = outcome.filter(({ kind }) => kind !== 'deferred');
      outcomes.push(...final);
      metrics.settled(final);
      deferred = outcome.filter(({ kind }) => kind === 'deferred').map(({ record }) => record);
      return { account, deferred };
    };
    // A journal that is quarantined makes no room, and others wait for this batch.
    const isFinal = () => deferred.length === 0 || quarantine.isWaiting(journalOf(accountId));
    return retryForRoom({ clock, pollMs }, settleDeferred, () => (isFinal() ? 0 : waitMsMax));
  };
}
