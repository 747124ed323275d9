import type { EventBus, Subscription } from '@tollgate/events';
import type { SettleUsageOperation } from '../operations/settle-usage';
import { BILLING_GROUP } from './dead-letters';
import { fromEventUsageRecord } from './from-event';
import type { SettlementPace } from './settlement-pace';

/**
 * Settles what completion instances announce. The bus moves on when the handler resolves, which is
 * after the accounts are written; whatever comes again has settled before and changes nothing.
 */
export function subscribeToUsage(options: {
  readonly bus: EventBus;
  readonly settle: SettleUsageOperation;
  /** Records that are settled together at most. */
  readonly batchMax: number;
  readonly pace: SettlementPace;
}): Promise<Subscription> {
  const { bus, settle, batchMax, pace } = options;
  return bus.subscribe({
    group: BILLING_GROUP,
    topics: ['tollgate.usage.v1'],
    maxBatch: batchMax,
    async handle(received, { signal }) {
      const records = received.flatMap(({ event }) =>
        event.type === 'usage.recorded' ? [fromEventUsageRecord(event.data)] : [],
      );
      if (records.length === 0) return;
      await pace.wait(records, signal);
      await settle(records);
      pace.settled(records);
    },
  });
}
