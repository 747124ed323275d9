import { type AccountRules, accountRules } from '../domain/account-rules';
import { type AccountPolicy, DEFAULT_POLICY } from '../domain/policy';
import type {
  AccountStore,
  ClaimStore,
  LeaseHolders,
  LedgerStore,
  OutboxStore,
  QuarantineStore,
} from '../domain/ports';
import {
  type AccountWriterBounds,
  createAccountWriter,
  DEFAULT_WRITER_BOUNDS,
} from './account-writer';
import { createAudit } from './audit';
import { createGetBalance } from './balance';
import { createCreditClaim } from './claims';
import { createAddCredits, createAdjustBalance, createGrantCredit } from './credits';
import type { AccountParts, Instruments } from './dependencies';
import {
  createRecentEntries,
  createStoredNumbers,
  createStoreJournal,
  DEFAULT_JOURNAL_WAIT,
  type JournalWait,
} from './journal';
import { createForgetKey, createGetKeyBudgets } from './key-spending';
import {
  createAcquireLease,
  createRecallLeases,
  createRetireLeases,
  DEFAULT_RECALL_WAIT,
  type RecallWait,
} from './leases';
import { createGetReceipt, createListLedger } from './ledger';
import { createQuarantine } from './quarantine';
import { createReadWatermarks, createSettleUsage } from './settlement';
import { createThresholdOperations } from './thresholds';

/** Every bound and time span of the operations. */
export interface OperationSettings {
  readonly policy: AccountPolicy;
  readonly writer: AccountWriterBounds;
  readonly recallWait: RecallWait;
  readonly journalWait: JournalWait;
  /** Accounts of one batch that are settled at the same time. */
  readonly settleConcurrencyMax: number;
  /** Between two tries of what is quarantined, milliseconds. */
  readonly quarantineRetryMs: number;
  /** Entries that one audit checks in whole ledgers; some 24 million a day, once an hour. */
  readonly auditedEntriesMax: number;
}

export const DEFAULT_OPERATION_SETTINGS: OperationSettings = {
  policy: DEFAULT_POLICY,
  writer: DEFAULT_WRITER_BOUNDS,
  recallWait: DEFAULT_RECALL_WAIT,
  journalWait: DEFAULT_JOURNAL_WAIT,
  settleConcurrencyMax: 16,
  quarantineRetryMs: 60_000,
  auditedEntriesMax: 1_000_000,
};

export interface OperationDependencies extends Instruments {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly quarantine: QuarantineStore;
  readonly holders: LeaseHolders;
  readonly settings: OperationSettings;
  /** The true rules unless the model check puts others in their place. */
  readonly rules?: AccountRules;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/**
 * The operations on an account's money over ports alone, as the model check drives them; the others
 * are wired in service.ts.
 */
export type Operations = ReturnType<typeof createOperations>;

/** Wires the operations of one replica. */
export function createOperations(deps: OperationDependencies) {
  const { store, ledger, outbox, clock, logger, metrics, settings, rules = accountRules } = deps;
  const { policy, journalWait, recallWait, quarantineRetryMs: retryMs } = settings;
  const instruments: Instruments = { clock, logger, metrics };
  const quarantine = createQuarantine({ records: deps.quarantine, ...instruments, retryMs });
  const storedNumbers = createStoredNumbers(settings.writer.cachedAccountsMax);
  const recentEntries = createRecentEntries(ledger);
  const storeJournal = createStoreJournal({
    ledger,
    outbox,
    storedNumbers,
    quarantine,
    metrics,
    recentEntries,
  });
  const journalLength = Math.min(settings.writer.journalLength, policy.journalMax / 2);
  const accounts = createAccountWriter({
    store,
    rules,
    storedNumbers,
    storeJournal,
    clock,
    metrics,
    bounds: { ...settings.writer, journalLength },
    ...(deps.random === undefined ? {} : { random: deps.random }),
  });
  const parts: AccountParts = { store, accounts, rules, policy, quarantine, ...instruments };
  const recalls = createRecallLeases({ ...parts, holders: deps.holders });
  const grantCredit = createGrantCredit({ ...parts, ledger, journalWait });
  return {
    acquireLease: createAcquireLease({ ...parts, recalls, recallWait }),
    retireLeases: createRetireLeases(parts),
    settleUsage: createSettleUsage({
      ...parts,
      journalWait,
      concurrencyMax: settings.settleConcurrencyMax,
    }),
    readWatermarks: createReadWatermarks(parts),
    getBalance: createGetBalance(parts),
    getKeyBudgets: createGetKeyBudgets(parts),
    forgetKey: createForgetKey(parts),
    addCredits: createAddCredits(grantCredit),
    creditClaim: createCreditClaim({ claims: deps.claims, grantCredit, clock, logger }),
    adjustBalance: createAdjustBalance({ ...parts, ledger, journalWait, recalls, recallWait }),
    thresholds: createThresholdOperations({ ...parts, journalWait }),
    listLedger: createListLedger({ store, ledger }),
    getReceipt: createGetReceipt({ store, ledger }),
    audit: createAudit({
      store,
      ledger,
      clock,
      quarantine: deps.quarantine,
      wholeEntriesMax: settings.auditedEntriesMax,
    }),

    // Parts that the jobs use as well.
    accounts,
    rules,
    /** Does not wait for room in a full journal. */
    grantCreditAtOnce: createGrantCredit({
      ...parts,
      ledger,
      journalWait: { ...journalWait, waitMsMax: 0 },
    }),
    recalls,
    quarantine,
    storeJournal,
    recentEntries,
  };
}
