import {
  type AppError,
  createBoundedMap,
  isTransient,
  type Logger,
  toAppError,
  writtenRecords,
} from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import type { Watermark, WatermarkView } from '../domain/lease-lifecycle';
import type { DeadLetters } from '../domain/ports';
import type { RecordOutcome } from '../domain/settle-records';
import type { ReceivedRecord } from '../domain/usage-record';
import type { AccountParts } from './dependencies';
import { createJournalFull, type JournalWait, journalOf, retryForRoom } from './journal';

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
        const settled = await settleAccount(accountId, group);
        accounts.set(accountId, settled.account);
        outcomes.push(...settled.outcomes);
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
    if (passing !== undefined && accounts.size === 0) throw passing.error;
    const watermarks = watermarksOf(records, { accounts, failures }, deps.rules);
    return { accounts, outcomes, watermarks, failures };
  };
}

interface SettledAccount {
  readonly account: Account;
  readonly outcomes: readonly RecordOutcome[];
  /** Records for which the journal has no room. */
  readonly deferred: readonly ReceivedRecord[];
}

/** Settles an account's records, and waits for a while when its journal is full. */
function createSettleAccount(deps: Dependencies) {
  const { accounts, rules, quarantine, policy, clock, metrics, journalWait } = deps;
  const { waitMsMax, pollMs } = journalWait;
  return (accountId: string, records: readonly ReceivedRecord[]): Promise<SettledAccount> => {
    const outcomes: RecordOutcome[] = [];
    let deferred = records;
    const settleDeferred = async (): Promise<SettledAccount> => {
      const batch = deferred;
      const { account, outcome } = await accounts.run(accountId, {
        apply: (current) => rules.settleRecords(current, batch, clock.now(), policy),
      });
      const final = outcome.filter(({ kind }) => kind !== 'deferred');
      outcomes.push(...final);
      metrics.settled(final);
      deferred = outcome.filter(({ kind }) => kind === 'deferred').map(({ record }) => record);
      return { account, outcomes, deferred };
    };
    // A journal that is quarantined makes no room, and others wait for this batch.
    const isFinal = () => deferred.length === 0 || quarantine.has(journalOf(accountId));
    return retryForRoom({ clock, pollMs }, settleDeferred, () => (isFinal() ? 0 : waitMsMax));
  };
}

/** Foreign records that were reported; older ones may be reported again. */
const FOREIGN_REPORTED_MAX = 10_000;

/**
 * The operation that also reports everything that must not happen. A record of a lease that its
 * spool never had is reported once: the spool sends it again every few seconds, for as long as nobody
 * settles it, and a counter says how often.
 */
export function withSettlementAlarms(
  settle: SettleUsageOperation,
  { logger, deadLetters }: { readonly logger: Logger; readonly deadLetters: DeadLetters },
): SettleUsageOperation {
  const reported = createBoundedMap<string, true>(FOREIGN_REPORTED_MAX);
  return async (records) => {
    const result = await settle(records);
    const foreign = result.outcomes.filter(
      ({ kind, record }) => kind === 'foreign' && reported.get(placeOf(record)) === undefined,
    );
    for (const outcome of result.outcomes) {
      if (outcome.kind === 'charged') alarmCharge(logger, outcome);
    }
    for (const outcome of foreign) {
      reported.set(placeOf(outcome.record), true);
      logger.error(logFieldsOf(outcome), 'a usage record names a lease that its spool never had');
    }
    for (const [accountId, { kind, error }] of result.failures) {
      logger.warn({ accountId, kind, error }, 'an account could not be settled now');
    }
    if (foreign.length > 0) {
      // Completion waits for this answer, and must not wait for the event bus.
      deadLetters.report(foreign.map(({ record }) => record)).catch((error: unknown) => {
        for (const { record } of foreign) reported.delete(placeOf(record));
        logger.error({ error, records: foreign.length }, 'dead letters could not be published');
      });
    }
    return result;
  };
}

function placeOf({ accountId, holder, lease, number }: ReceivedRecord): string {
  return `${accountId}:${holder}:${lease}:${number}`;
}

function alarmCharge(logger: Logger, outcome: Extract<RecordOutcome, { kind: 'charged' }>): void {
  const { charged, absorbed, overrun, settledReason, mismatch } = outcome;
  const amounts = { charged: `${charged}`, absorbed: `${absorbed}`, overrun: `${overrun}` };
  const fields = { ...logFieldsOf(outcome), ...amounts };
  if (settledReason === 'refused') {
    // The ledger and the dead letter have it with 0 for what made no sense.
    const received = outcome.record.kind === 'malformed' ? undefined : outcome.record;
    const record = received && writtenRecords.write(received);
    logger.error({ ...fields, record }, 'a usage record makes no sense and was settled at 0');
  } else if (absorbed > 0n) {
    logger.warn(fields, 'delivered work could not be charged in full and was absorbed');
  } else if (overrun > 0n || mismatch) {
    logger.warn(fields, 'a usage record does not agree with its price or its reservation');
  }
}

function logFieldsOf({ record }: RecordOutcome) {
  const { accountId, lease, number, holder } = record;
  const requestId = record.kind === 'usage' ? record.requestId : undefined;
  return { accountId, lease, number, holder, requestId };
}

/** A lease of an account. */
export interface LeaseRef {
  readonly accountId: string;
  readonly lease: number;
}

/** How far one lease is settled. */
export interface LeaseWatermark extends LeaseRef, Watermark {}

function watermarksOf(
  records: readonly LeaseRef[],
  { accounts, failures }: Pick<SettleResult, 'accounts' | 'failures'>,
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
