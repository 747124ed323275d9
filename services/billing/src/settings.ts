import type { BillingConfig } from './config';
import { DEFAULT_POLICY } from './domain/policy';
import { DEFAULT_SETTINGS, type OperationSettings } from './operations/operations';

const HOUR_MS = 60 * 60 * 1_000;

/** The bounds and time spans of the operations as configured. */
export function toOperationSettings(config: BillingConfig): OperationSettings {
  return {
    ...DEFAULT_SETTINGS,
    policy: {
      ...DEFAULT_POLICY,
      leaseTtlMs: config.leaseTtlMs,
      leaseMarginMs: config.leaseMarginMs,
      sliceMs: config.sliceMs,
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
    relay: {
      ...DEFAULT_SETTINGS.relay,
      delayMs: config.relayDelayMs,
      scanIntervalMs: config.relayScanIntervalMs,
    },
    sweep: {
      ...DEFAULT_SETTINGS.sweep,
      intervalMs: config.sweepIntervalMs,
      holderCallIntervalMs: config.holderReminderIntervalMs,
    },
  };
}
