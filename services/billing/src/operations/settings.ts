import { type AccountBounds, DEFAULT_ACCOUNT_BOUNDS } from '../domain/account-bounds';
import { type AccountWriterBounds, DEFAULT_WRITER_BOUNDS } from './account-writer';
import { DEFAULT_JOURNAL_WAIT, type JournalWait } from './journal-room';
import { DEFAULT_JOURNAL_TIMES, type JournalTimes } from './journal-upkeep';
import { DEFAULT_RECALL_WAIT, type RecallWait } from './recall-leases';

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

/**
 * The bounds and time spans of billing that are set, or that the model check needs smaller. The others
 * stand beside their use.
 */
export interface BillingSettings {
  readonly bounds: AccountBounds;
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
  readonly leases: LeaseTimes;
}

/** The service takes these where `config.ts` has no setting. */
export const DEFAULT_SETTINGS: BillingSettings = {
  bounds: DEFAULT_ACCOUNT_BOUNDS,
  writer: DEFAULT_WRITER_BOUNDS,
  recallWait: DEFAULT_RECALL_WAIT,
  journalWait: DEFAULT_JOURNAL_WAIT,
  settleConcurrencyMax: 16,
  quarantineRetryMs: 60_000,
  auditedEntriesMax: 1_000_000,
  journals: DEFAULT_JOURNAL_TIMES,
  leases: {
    intervalMs: 1_000,
    outageMs: 5_000,
    sweptLookIntervalMs: 5_000,
    holderCallIntervalMs: 10_000,
  },
};
