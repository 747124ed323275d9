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
import { createGrantCredit, type GrantCredit } from './credits';
import type { AccountParts, Instruments } from './dependencies';
import {
  createRecentEntries,
  createStoredNumbers,
  createStoreJournal,
  DEFAULT_JOURNAL_WAIT,
  type JournalWait,
  type RecentEntries,
  type StoreJournal,
} from './journal';
import { DEFAULT_JOURNAL_TIMES, type JournalTimes } from './journal-upkeep';
import {
  createRecallLeases,
  DEFAULT_RECALL_WAIT,
  type RecallLeases,
  type RecallWait,
} from './leases';
import { createQuarantine } from './quarantine';

/** Time spans of what is done about leases that nobody renews. */
export interface LeaseTimes {
  /** Between two sweeps, milliseconds. */
  readonly intervalMs: number;
  /**
   * After so long without a sweep, beyond the interval, holders may have found nobody to renew with;
   * milliseconds.
   */
  readonly outageMs: number;
  /** Between two looks for swept leases, milliseconds. */
  readonly sweptLookIntervalMs: number;
  /** Between two calls to the holder of a swept lease, milliseconds. */
  readonly holderCallIntervalMs: number;
}

/** Every bound and time span of billing. */
export interface BillingSettings {
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
  readonly journals: JournalTimes;
  readonly sweep: LeaseTimes;
}

/** The service takes these where `config.ts` has no setting. */
export const DEFAULT_SETTINGS: BillingSettings = {
  policy: DEFAULT_POLICY,
  writer: DEFAULT_WRITER_BOUNDS,
  recallWait: DEFAULT_RECALL_WAIT,
  journalWait: DEFAULT_JOURNAL_WAIT,
  settleConcurrencyMax: 16,
  quarantineRetryMs: 60_000,
  auditedEntriesMax: 1_000_000,
  journals: DEFAULT_JOURNAL_TIMES,
  sweep: {
    intervalMs: 1_000,
    outageMs: 5_000,
    sweptLookIntervalMs: 5_000,
    holderCallIntervalMs: 10_000,
  },
};

export interface PartDependencies extends Instruments {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly quarantineStore: QuarantineStore;
  readonly holders: LeaseHolders;
  readonly settings: BillingSettings;
  /** The true rules unless the model check puts others in their place. */
  readonly rules?: AccountRules;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** What the operations of one replica have in common; no RPC, event or job calls it by itself. */
export interface Parts extends AccountParts {
  readonly ledger: LedgerStore;
  readonly outbox: OutboxStore;
  readonly claims: ClaimStore;
  readonly quarantineStore: QuarantineStore;
  readonly settings: BillingSettings;
  readonly storeJournal: StoreJournal;
  readonly recentEntries: RecentEntries;
  readonly recalls: RecallLeases;
  readonly grantCredit: GrantCredit;
  /** Does not wait for room in a full journal. */
  readonly grantCreditAtOnce: GrantCredit;
}

export function createParts(deps: PartDependencies): Parts {
  const { store, ledger, outbox, claims, clock, logger, metrics, settings } = deps;
  const { policy, journalWait, quarantineRetryMs: retryMs } = settings;
  const rules = deps.rules ?? accountRules;
  const instruments: Instruments = { clock, logger, metrics };
  const quarantine = createQuarantine({ records: deps.quarantineStore, ...instruments, retryMs });
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
  const atOnce = { ...journalWait, waitMsMax: 0 };
  return {
    ...parts,
    ledger,
    outbox,
    claims,
    quarantineStore: deps.quarantineStore,
    settings,
    storeJournal,
    recentEntries,
    recalls: createRecallLeases({ ...parts, holders: deps.holders }),
    grantCredit: createGrantCredit({ ...parts, ledger, journalWait }),
    grantCreditAtOnce: createGrantCredit({ ...parts, ledger, journalWait: atOnce }),
  };
}
