import type { Clock, Logger } from '@tollgate/core';
import { type AccountRules, accountRules } from '../domain/account-rules';
import { type AccountPolicy, DEFAULT_POLICY } from '../domain/policy';
import type {
  AccountStore,
  BillingObserver,
  FactPublisher,
  LeaseHolders,
  LedgerStore,
  OutboxStore,
  QuarantineStore,
} from '../domain/ports';
import {
  type AccountWriter,
  type AccountWriterLimits,
  createAccountWriter,
  DEFAULT_WRITER_LIMITS,
} from './account-writer';
import {
  type AcquireLeaseOperation,
  createAcquireLease,
  DEFAULT_RECALL_WAIT,
  type RecallWait,
} from './acquire-lease';
import { type AuditOperation, createAudit } from './audit';
import {
  type AddCreditsOperation,
  type AdjustBalanceOperation,
  createAddCredits,
  createAdjustBalance,
} from './credits';
import { createForgetKey, type ForgetKeyOperation } from './forget-keys';
import { createGetBalance, type GetBalanceOperation } from './get-balance';
import { createGetKeyBudgets, type GetKeyBudgetsOperation } from './get-key-budgets';
import { createGetReceipt, type GetReceiptOperation } from './get-receipt';
import { createGetSettlements, type GetSettlementsOperation } from './get-settlements';
import { createListLedger, type ListLedgerOperation } from './list-ledger';
import { createListPlans, type ListPlansOperation } from './list-plans';
import { createPublishOutbox } from './publish-outbox';
import { createQuarantine } from './quarantine';
import { createRecallLeases } from './recall-leases';
import { createRelay, DEFAULT_RELAY_TIMES, type Relay, type RelayTimes } from './relay';
import { createRetireLeases, type RetireLeasesOperation } from './retire-leases';
import {
  createSettleUsage,
  DEFAULT_JOURNAL_WAIT,
  type JournalWait,
  type SettleUsageOperation,
} from './settle-usage';
import { createJournalMarks, createStoreJournal, type StoreJournal } from './store-journal';
import { createSweeper, DEFAULT_SWEEP_TIMES, type Sweeper, type SweepTimes } from './sweep-leases';

/** Every bound and time span of the operations. */
export interface OperationSettings {
  readonly policy: AccountPolicy;
  readonly writer: AccountWriterLimits;
  readonly recallWait: RecallWait;
  readonly journalWait: JournalWait;
  readonly relay: RelayTimes;
  readonly sweep: SweepTimes;
  /** Accounts of one batch that are settled at the same time. */
  readonly settleConcurrencyMax: number;
}

export const DEFAULT_SETTINGS: OperationSettings = {
  policy: DEFAULT_POLICY,
  writer: DEFAULT_WRITER_LIMITS,
  recallWait: DEFAULT_RECALL_WAIT,
  journalWait: DEFAULT_JOURNAL_WAIT,
  relay: DEFAULT_RELAY_TIMES,
  sweep: DEFAULT_SWEEP_TIMES,
  settleConcurrencyMax: 16,
};

/** What the operations act on. */
export interface OperationDependencies {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly quarantine: QuarantineStore;
  readonly holders: LeaseHolders;
  readonly publisher: FactPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: BillingObserver;
  readonly settings: OperationSettings;
  /** The true rules unless the model check plants others. */
  readonly rules?: AccountRules;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** Everything that one instance of billing can do, over ports alone. */
export interface Operations {
  readonly accounts: AccountWriter;
  readonly acquireLease: AcquireLeaseOperation;
  readonly settleUsage: SettleUsageOperation;
  readonly getSettlements: GetSettlementsOperation;
  readonly retireLeases: RetireLeasesOperation;
  readonly getBalance: GetBalanceOperation;
  readonly getKeyBudgets: GetKeyBudgetsOperation;
  readonly forgetKey: ForgetKeyOperation;
  readonly listPlans: ListPlansOperation;
  readonly addCredits: AddCreditsOperation;
  readonly adjustBalance: AdjustBalanceOperation;
  readonly listLedger: ListLedgerOperation;
  readonly getReceipt: GetReceiptOperation;
  readonly audit: AuditOperation;
  readonly sweeper: Sweeper;
  readonly storeJournal: StoreJournal;
  readonly relay: Relay;
}

/** Everything that brings journals out; the writer needs a part of it to keep them short. */
function createBringingOut(dependencies: OperationDependencies) {
  const { ledger, outbox, publisher, clock, logger, observer, settings } = dependencies;
  const quarantine = createQuarantine({
    ...{ clock, logger, observer, retryMs: settings.relay.quarantineRetryMs },
    store: dependencies.quarantine,
  });
  const marks = createJournalMarks(settings.writer.cachedAccountsMax);
  const publishOutbox = createPublishOutbox({ ledger, outbox, publisher, quarantine, observer });
  const storeJournal = createStoreJournal({
    ...{ ledger, outbox, marks, quarantine, observer, onStored: publishOutbox.remember },
  });
  return { quarantine, marks, publishOutbox, storeJournal };
}

/** Wires the operations of one instance. */
export function createOperations(dependencies: OperationDependencies): Operations {
  const { store, ledger, clock, logger, observer, settings } = dependencies;
  const { policy, journalWait } = settings;
  const { journalLength } = settings.writer;
  const rules = dependencies.rules ?? accountRules;
  const { quarantine, marks, publishOutbox, storeJournal } = createBringingOut(dependencies);
  const random = dependencies.random === undefined ? {} : { random: dependencies.random };
  const accounts = createAccountWriter({
    ...{ store, rules, marks, storeJournal, clock, observer },
    limits: { ...settings.writer, journalLength: Math.min(journalLength, policy.journalMax / 2) },
    ...random,
  });
  const recall = createRecallLeases({ accounts, rules, holders: dependencies.holders, observer });
  const changes = { accounts, rules, policy, clock, observer };
  return {
    accounts,
    acquireLease: createAcquireLease({ ...changes, recall, recallWait: settings.recallWait }),
    settleUsage: createSettleUsage({
      ...{ ...changes, quarantine, journalWait },
      concurrencyMax: settings.settleConcurrencyMax,
    }),
    getSettlements: createGetSettlements({ store, rules }),
    retireLeases: createRetireLeases({ ...changes, store, quarantine }),
    getBalance: createGetBalance({ store }),
    getKeyBudgets: createGetKeyBudgets({ store, clock, policy }),
    forgetKey: createForgetKey(changes),
    listPlans: createListPlans(),
    addCredits: createAddCredits({ ...changes, ledger, journalWait }),
    adjustBalance: createAdjustBalance({
      ...{ ...changes, ledger, journalWait, recall },
      recallWait: settings.recallWait,
    }),
    listLedger: createListLedger({ store, ledger }),
    getReceipt: createGetReceipt({ store, ledger }),
    audit: createAudit({ store, ledger, clock, quarantine: dependencies.quarantine }),
    sweeper: createSweeper({
      ...changes,
      store,
      recall,
      quarantine,
      logger,
      times: settings.sweep,
    }),
    storeJournal,
    relay: createRelay({
      ...{ store, accounts, storeJournal, publishOutbox, quarantine, clock, logger },
      times: settings.relay,
    }),
  };
}
