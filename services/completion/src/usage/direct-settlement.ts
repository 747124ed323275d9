import type { Logger, NumberedRecord } from '@tollgate/core';
import type { BillingPort } from '../domain/billing';
import type { CompletionMetrics } from '../metrics';
import type { UsageSpool } from '../spool/spool';

export interface DirectSettlementDependencies {
  readonly spool: Pick<UsageSpool, 'forget'>;
  readonly billing: Pick<BillingPort, 'settleUsage'>;
  readonly logger: Logger;
  readonly metrics: Pick<CompletionMetrics, 'publishedRecords'>;
  readonly batchRecordsMax: number;
  /** Hears of records that billing gave no answer to. */
  onFailed(records: readonly NumberedRecord[]): void;
}

/** One call settles a few thousand records a second: as much as an instance makes needs several. */
const CALLS_AT_ONCE = 4;

/**
 * Carries records to billing by calls, some side by side. All that one call takes of an account is
 * answered before another takes more of it: billing drops a record that overtakes its predecessor.
 */
export class DirectSettlement {
  readonly #deps: DirectSettlementDependencies;
  /** By account; a record that is added twice waits once. */
  readonly #waiting = new Map<string, Set<NumberedRecord>>();
  readonly #busyAccounts = new Set<string>();
  readonly #calls = new Set<Promise<void>>();

  constructor(deps: DirectSettlementDependencies) {
    this.#deps = deps;
  }

  /** Hands them over as soon as a call is free. */
  add(records: readonly NumberedRecord[]): void {
    for (const record of records) {
      const own = this.#waiting.get(record.accountId);
      if (own === undefined) this.#waiting.set(record.accountId, new Set([record]));
      else own.add(record);
    }
    this.#startCalls();
  }

  /** Whether records of the account wait here, or are under way. */
  has(accountId: string): boolean {
    return this.#waiting.has(accountId) || this.#busyAccounts.has(accountId);
  }

  /** Resolves when no full set of calls runs. */
  async room(): Promise<void> {
    while (this.#calls.size === CALLS_AT_ONCE) await Promise.race(this.#calls);
  }

  /** Resolves when nothing waits and nothing is under way. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.race(this.#calls);
  }

  #startCalls(): void {
    while (this.#calls.size < CALLS_AT_ONCE) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      const accountIds = new Set(batch.map(({ accountId }) => accountId));
      for (const accountId of accountIds) this.#busyAccounts.add(accountId);
      const call = this.#settle(batch).then(() => {
        for (const accountId of accountIds) this.#busyAccounts.delete(accountId);
        this.#calls.delete(call);
        this.#startCalls();
      });
      this.#calls.add(call);
    }
  }

  #takeBatch(): readonly NumberedRecord[] {
    const { batchRecordsMax } = this.#deps;
    const batch: NumberedRecord[] = [];
    for (const [accountId, records] of this.#waiting) {
      if (batch.length === batchRecordsMax) break;
      if (this.#busyAccounts.has(accountId)) continue;
      const taken = [...records].slice(0, batchRecordsMax - batch.length);
      for (const record of taken) records.delete(record);
      if (records.size === 0) this.#waiting.delete(accountId);
      batch.push(...taken);
    }
    return batch;
  }

  async #settle(batch: readonly NumberedRecord[]): Promise<void> {
    const { billing, logger, metrics, spool } = this.#deps;
    try {
      spool.forget(await billing.settleUsage(batch));
      metrics.publishedRecords.inc({ path: 'billing' }, batch.length);
    } catch (error) {
      // Nothing is lost: what is not settled is sent again.
      logger.warn({ error, records: batch.length }, 'usage could not be handed over');
      this.#deps.onFailed(batch);
    }
  }
}
