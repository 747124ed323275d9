import { type ConfigOf, defineConfig, integer, shared } from '@tollgate/config';
import { HOUR_MS } from '@tollgate/core';
import { LEADER_TTL_MS_MAX } from '@tollgate/jobs';
import { type AccountBounds, DEFAULT_ACCOUNT_BOUNDS } from './domain/account-bounds';
import { type BillingSettings, DEFAULT_SETTINGS } from './operations/settings';

/** Everything that billing reads from its environment. */
export const billingConfigSchema = defineConfig(
  {
    listen: shared.listen('billing'),
    mongodbUri: shared.mongodbUri,
    ...shared.kafka,
    currency: shared.currency,
    sealingKeys: shared.sealingKeys,
    ...shared.rpcSecurity,
    leaseTtlMs: integer('TOLLGATE_BILLING_LEASE_TTL_MS', {
      default: DEFAULT_ACCOUNT_BOUNDS.leaseTtlMs,
      min: 1_000,
      max: 300_000,
      description: 'How long a credit lease lives without a renewal.',
    }),
    leaseMarginMs: integer('TOLLGATE_BILLING_LEASE_MARGIN_MS', {
      default: DEFAULT_ACCOUNT_BOUNDS.leaseMarginMs,
      min: 100,
      max: 60_000,
      description: 'How long before the end of a lease its holder reserves nothing more in it.',
    }),
    leaseSpendMs: integer('TOLLGATE_BILLING_SLICE_MS', {
      default: DEFAULT_ACCOUNT_BOUNDS.leaseSpendMs,
      min: 100,
      max: 60_000,
      description: "How much of an account's recent spending one lease covers.",
    }),
    leasesPerAccountMax: integer('TOLLGATE_BILLING_LEASES_PER_ACCOUNT_MAX', {
      default: DEFAULT_ACCOUNT_BOUNDS.leasesMax,
      min: 1,
      max: 1_024,
      description: 'How many open leases an account may have at once.',
    }),
    journalItemsMax: integer('TOLLGATE_BILLING_JOURNAL_ITEMS_MAX', {
      default: DEFAULT_ACCOUNT_BOUNDS.journalMax,
      min: 10,
      max: 5_000,
      description: 'How many ledger entries and notices of an account may wait for the ledger.',
    }),
    budgetedKeysPerAccountMax: integer('TOLLGATE_BILLING_BUDGETED_KEYS_PER_ACCOUNT_MAX', {
      default: DEFAULT_ACCOUNT_BOUNDS.budgetsMax,
      min: 1,
      max: 5_000,
      description:
        'How many API keys of an account may have a budget, and of how many it is counted what they were charged.',
    }),
    retiredLeasesPerAccountMax: integer('TOLLGATE_BILLING_RETIRED_LEASES_PER_ACCOUNT_MAX', {
      default: DEFAULT_ACCOUNT_BOUNDS.retiredMax,
      min: 1,
      max: 10_000,
      description: 'How many leases of lost spools an account remembers.',
    }),
    retireAfterHours: integer('TOLLGATE_BILLING_RETIRE_AFTER_HOURS', {
      default: DEFAULT_ACCOUNT_BOUNDS.retireAfterMs / HOUR_MS,
      min: 1,
      max: 8_760,
      unit: 'hours',
      description: 'How long the holder of an expired lease may be silent before it is given up.',
    }),
    recallWaitMs: integer('TOLLGATE_BILLING_RECALL_WAIT_MS', {
      default: DEFAULT_SETTINGS.recallWait.waitMsMax,
      min: 0,
      max: 10_000,
      description: 'How long a request may wait for other instances to give credit back.',
    }),
    recallDeadlineMs: integer('TOLLGATE_BILLING_RECALL_DEADLINE_MS', {
      default: 1_000,
      min: 50,
      max: 30_000,
      description: 'How long a lease holder may take to answer a recall.',
    }),
    holderClientsMax: integer('TOLLGATE_BILLING_HOLDER_CLIENTS_MAX', {
      default: 128,
      min: 1,
      max: 10_000,
      description: 'How many connections to lease holders are kept.',
    }),
    sweepIntervalMs: integer('TOLLGATE_BILLING_SWEEP_INTERVAL_MS', {
      default: DEFAULT_SETTINGS.leases.intervalMs,
      min: 100,
      max: 60_000,
      description: 'How often expired leases are looked for.',
    }),
    holderCallIntervalMs: integer('TOLLGATE_BILLING_HOLDER_REMINDER_INTERVAL_MS', {
      default: DEFAULT_SETTINGS.leases.holderCallIntervalMs,
      min: 100,
      max: 600_000,
      description: 'How often the holder of an expired lease is asked to close it.',
    }),
    relayDelayMs: integer('TOLLGATE_BILLING_RELAY_DELAY_MS', {
      default: DEFAULT_SETTINGS.journals.delayMs,
      min: 0,
      max: 1_000,
      description: 'How long entries are collected before they go to the ledger and the outbox.',
    }),
    relayScanIntervalMs: integer('TOLLGATE_BILLING_RELAY_SCAN_INTERVAL_MS', {
      default: DEFAULT_SETTINGS.journals.scanIntervalMs,
      min: 50,
      max: 60_000,
      description:
        'How often the outbox is looked at for what other replicas put there (every 4 s while it is empty), and journals for what is to be stored or trimmed.',
    }),
    publishTimeoutMs: integer('TOLLGATE_BILLING_PUBLISH_TIMEOUT_MS', {
      default: 10_000,
      min: 100,
      max: 120_000,
      description: 'How long the event bus may take to accept a batch of ledger entries.',
    }),
    usageBatchMax: integer('TOLLGATE_BILLING_USAGE_BATCH_MAX', {
      default: 500,
      min: 1,
      max: 5_000,
      description: 'How many usage records are settled together.',
    }),
    settleIntervalMs: integer('TOLLGATE_BILLING_SETTLE_INTERVAL_MS', {
      default: 500,
      min: 0,
      max: 5_000,
      description: 'How long the usage of a busy account gathers before it is settled together.',
    }),
    cachedAccountsMax: integer('TOLLGATE_BILLING_CACHED_ACCOUNTS_MAX', {
      default: DEFAULT_SETTINGS.writer.cachedAccountsMax,
      min: 1,
      max: 1_000_000,
      description: 'How many accounts are kept in memory as input for the next command.',
    }),
    writeAttemptsMax: integer('TOLLGATE_BILLING_WRITE_ATTEMPTS_MAX', {
      default: DEFAULT_SETTINGS.writer.attemptsMax,
      min: 1,
      max: 100,
      description: 'How often a write to a contended account is tried.',
    }),
    auditIntervalMs: integer('TOLLGATE_BILLING_AUDIT_INTERVAL_MS', {
      default: 3_600_000,
      min: 1_000,
      max: 3_600_000,
      description:
        'How long after an audit of all accounts the next one begins; at most an hour, because alerts tell of an audit that is three hours old.',
    }),
    answerBytesPerAccountMax: integer('TOLLGATE_BILLING_ANSWER_BYTES_PER_ACCOUNT_MAX', {
      default: 268_435_456,
      min: 0,
      max: 1_000_000_000_000,
      unit: 'bytes',
      description:
        'What may be kept in a day of the answers of an account, sealed; beyond it no request begins whose answer is to be kept.',
    }),
    leaderTtlMs: integer('TOLLGATE_BILLING_LEADER_TTL_MS', {
      default: 6_000,
      min: 1_000,
      max: LEADER_TTL_MS_MAX,
      description:
        'How long a silent leader keeps its place: it publishes, sweeps, audits, erases and finishes claims.',
    }),
  },
  ({ leaseTtlMs, leaseMarginMs }) =>
    leaseMarginMs * 2 > leaseTtlMs
      ? ['TOLLGATE_BILLING_LEASE_MARGIN_MS may be at most half of TOLLGATE_BILLING_LEASE_TTL_MS']
      : [],
);

export type BillingConfig = ConfigOf<typeof billingConfigSchema>;

/** The bounds and time spans as configured. */
export function toBillingSettings(
  config: BillingConfig,
  thresholdsOfPlan: AccountBounds['thresholdsOfPlan'] = DEFAULT_ACCOUNT_BOUNDS.thresholdsOfPlan,
): BillingSettings {
  return {
    ...DEFAULT_SETTINGS,
    bounds: {
      ...DEFAULT_ACCOUNT_BOUNDS,
      thresholdsOfPlan,
      leaseTtlMs: config.leaseTtlMs,
      leaseMarginMs: config.leaseMarginMs,
      leaseSpendMs: config.leaseSpendMs,
      leasesMax: config.leasesPerAccountMax,
      journalMax: config.journalItemsMax,
      budgetsMax: config.budgetedKeysPerAccountMax,
      retiredMax: config.retiredLeasesPerAccountMax,
      retireAfterMs: config.retireAfterHours * HOUR_MS,
    },
    writer: {
      ...DEFAULT_SETTINGS.writer,
      cachedAccountsMax: config.cachedAccountsMax,
      attemptsMax: config.writeAttemptsMax,
    },
    recallWait: { ...DEFAULT_SETTINGS.recallWait, waitMsMax: config.recallWaitMs },
    journals: {
      ...DEFAULT_SETTINGS.journals,
      delayMs: config.relayDelayMs,
      scanIntervalMs: config.relayScanIntervalMs,
      writtenMax: config.cachedAccountsMax,
    },
    leases: {
      ...DEFAULT_SETTINGS.leases,
      intervalMs: config.sweepIntervalMs,
      holderCallIntervalMs: config.holderCallIntervalMs,
    },
  };
}
