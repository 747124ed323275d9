import { type Clock, createBoundedMap, delay } from '@tollgate/core';
import type { ReceivedRecord } from '../domain/usage-record';

/** Lets the records of busy accounts gather, so that they share a write. */
export interface SettlementSpacing {
  /** Waits until the batch is due. Rejects when the signal aborts. */
  wait(records: readonly ReceivedRecord[], signal: AbortSignal): Promise<void>;
  /** The accounts of the batch have been written. */
  settled(records: readonly ReceivedRecord[]): void;
}

interface SettlementSpacingOptions {
  readonly clock: Clock;
  /** Time between two writes of one account, as far as its records wait, milliseconds. */
  readonly intervalMs: number;
  /**
   * A batch of this size settles at once. A smaller one waits for the interval, so that one write
   * serves it and what comes meanwhile.
   */
  readonly batchMax: number;
}

const ACCOUNTS_MAX = 10_000;

/**
 * A first record settles at once, and those that follow it closely wait for each other. Credit that
 * comes back is never kept waiting: somebody may need it.
 */
export function createSettlementSpacing(options: SettlementSpacingOptions): SettlementSpacing {
  const { clock, intervalMs, batchMax } = options;
  const settledMonotonicMs = createBoundedMap<string, number>(ACCOUNTS_MAX);
  return {
    async wait(records, signal) {
      const returnsCredit = records.some(({ kind }) => kind === 'close');
      if (returnsCredit || records.length >= batchMax) return;
      const monotonicNowMs = clock.monotonicMs();
      const dueMonotonicMs = records.reduce((latest, { accountId }) => {
        const lastMonotonicMs = settledMonotonicMs.get(accountId);
        return lastMonotonicMs === undefined
          ? latest
          : Math.max(latest, lastMonotonicMs + intervalMs);
      }, monotonicNowMs);
      if (dueMonotonicMs > monotonicNowMs)
        await delay(clock, dueMonotonicMs - monotonicNowMs, signal);
    },
    settled(records) {
      const monotonicNowMs = clock.monotonicMs();
      for (const { accountId } of records) settledMonotonicMs.set(accountId, monotonicNowMs);
    },
  };
}
