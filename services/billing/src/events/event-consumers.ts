import { type Clock, createBoundedMap, delay, fromIsoTime } from '@tollgate/core';
import { type EventBus, fromUsageRecordEvent, type Subscription } from '@tollgate/events';
import type { ReceivedRecord } from '../domain/usage-record';
import type { Operations } from '../operations/operations';
import type { SettleUsageOperation } from '../operations/settlement';

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
  readonly pace: SettlementPace;
}): Promise<Subscription> {
  const { bus, settle, batchMax, pace } = options;
  return bus.subscribe({
    group: BILLING_GROUP,
    topics: ['tollgate.usage.v1'],
    batchMax,
    async handle(received, { signal }) {
      const records = received.flatMap(({ event }) =>
        event.type === 'usage.recorded' ? [fromUsageRecordEvent(event.data)] : [],
      );
      if (records.length === 0) return;
      await pace.wait(records, signal);
      await settle(records);
      pace.settled(records);
    },
  });
}

/** Lets the records of busy accounts gather, so that they share a write. */
export interface SettlementPace {
  /** Waits until the batch is due. Rejects when the signal aborts. */
  wait(records: readonly ReceivedRecord[], signal: AbortSignal): Promise<void>;
  /** The accounts of the batch have been written. */
  settled(records: readonly ReceivedRecord[]): void;
}

interface SettlementPaceOptions {
  readonly clock: Clock;
  /** Time between two writes of one account, as far as its records wait, milliseconds. */
  readonly intervalMs: number;
  /**
   * A batch of this size settles at once. A smaller one waits: written at once, it would be followed
   * by a write of the little that came meanwhile.
   */
  readonly batchMax: number;
}

const ACCOUNTS_MAX = 10_000;

/**
 * A first record settles at once, and those that follow it closely wait for each other. Credit that
 * comes back is never kept waiting: somebody may need it.
 */
export function createSettlementPace(options: SettlementPaceOptions): SettlementPace {
  const { clock, intervalMs, batchMax } = options;
  const settledAtMs = createBoundedMap<string, number>(ACCOUNTS_MAX);
  return {
    async wait(records, signal) {
      const returnsCredit = records.some(({ kind }) => kind === 'close');
      if (returnsCredit || records.length >= batchMax) return;
      const nowMs = clock.monotonicMs();
      const dueMs = records.reduce((latest, { accountId }) => {
        const lastMs = settledAtMs.get(accountId);
        return lastMs === undefined ? latest : Math.max(latest, lastMs + intervalMs);
      }, nowMs);
      if (dueMs > nowMs) await delay(clock, dueMs - nowMs, signal);
    },
    settled(records) {
      const nowMs = clock.monotonicMs();
      for (const { accountId } of records) settledAtMs.set(accountId, nowMs);
    },
  };
}

/** Apart from the usage records, which must not wait for keys. Released, hence the narrow name. */
const IDENTITY_GROUP = 'billing-keys';

/**
 * Follows deleted keys (one that is only disabled keeps its budget), the plans of accounts, and
 * accounts that are erased, of which the leader empties what is personal.
 */
export function subscribeToIdentity(options: {
  readonly bus: EventBus;
  readonly operations: Pick<Operations, 'forgetKey' | 'thresholds'>;
  readonly beginErasure: (accountId: string) => Promise<void>;
}): Promise<Subscription> {
  const { forgetKey, thresholds } = options.operations;
  return options.bus.subscribe({
    group: IDENTITY_GROUP,
    topics: ['tollgate.identity.v1'],
    async handle(received) {
      for (const { event } of received) {
        if (event.type === 'plan.changed' || event.type === 'account.created') {
          const { account_id: accountId, plan } = event.data;
          await thresholds.notePlan(accountId, plan, fromIsoTime(event.time) ?? 0);
        } else if (event.type === 'key.revoked' && event.data.deleted === true) {
          await forgetKey(event.data.account_id, event.data.key_id);
        } else if (event.type === 'account.erased') {
          await options.beginErasure(event.data.account_id);
        }
      }
    },
  });
}
