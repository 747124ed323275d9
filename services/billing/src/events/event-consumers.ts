import { fromIsoTime } from '@tollgate/core';
import { type EventBus, fromUsageRecordEvent, type Subscription } from '@tollgate/events';
import type { Operations } from '../operations/operations';
import type { SettleUsageOperation } from '../operations/settlement';
import type { SettlementSpacing } from './settlement-spacing';

/** The consumer group of billing. */
export const BILLING_GROUP = 'billing';

/**
 * Settles what completion instances publish. The bus moves on when the handler resolves, which is
 * after the accounts are written; whatever comes again has settled before and changes nothing.
 */
export function subscribeToUsage(options: {
  readonly bus: EventBus;
  readonly settle: SettleUsageOperation;
  /** Records that are settled together at most. */
  readonly batchMax: number;
  readonly spacing: SettlementSpacing;
}): Promise<Subscription> {
  const { bus, settle, batchMax, spacing } = options;
  return bus.subscribe({
    group: BILLING_GROUP,
    topics: ['tollgate.usage.v1'],
    batchMax,
    async handle(received, { signal }) {
      const records = received.flatMap(({ event }) =>
        event.type === 'usage.recorded' ? [fromUsageRecordEvent(event.data)] : [],
      );
      if (records.length === 0) return;
      await spacing.wait(records, signal);
      await settle(records);
      spacing.settled(records);
    },
  });
}

/** Apart from the usage records, which must not wait for keys. Released, hence the narrow name. */
const IDENTITY_GROUP = 'billing-keys';

/**
 * Follows deleted keys (one that is only disabled keeps its budget), the plans of accounts, and
 * accounts that are erased, of which the leader empties what is personal.
 */
export function subscribeToIdentity(options: {
  readonly bus: EventBus;
  readonly operations: Pick<Operations, 'erasure' | 'forgetKey' | 'thresholds'>;
}): Promise<Subscription> {
  const { erasure, forgetKey, thresholds } = options.operations;
  return options.bus.subscribe({
    group: IDENTITY_GROUP,
    topics: ['tollgate.identity.v1'],
    async handle(received) {
      for (const { event } of received) {
        if (event.type === 'plan.changed' || event.type === 'account.created') {
          const { account_id: accountId, plan } = event.data;
          await thresholds.rememberPlan(accountId, plan, fromIsoTime(event.time) ?? 0);
        } else if (event.type === 'key.revoked' && event.data.deleted === true) {
          await forgetKey(event.data.account_id, event.data.key_id);
        } else if (event.type === 'account.erased') {
          await erasure.begin(event.data.account_id);
        }
      }
    },
  });
}
