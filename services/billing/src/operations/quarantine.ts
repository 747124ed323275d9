import { type Clock, type Logger, toAppError } from '@tollgate/core';
import { createQuarantineTimes, isolateOne } from '@tollgate/jobs';
import type { QuarantineStore } from '../domain/ports';
import type { BillingMetrics } from '../metrics';

/** Work that failed for a reason of its own: a job that meets it passes over it and goes on. */
export interface Quarantine {
  /** True until it is time to try again. */
  has(id: string): boolean;
  /** Quarantines something of the account and says so to people. */
  add(id: string, accountId: string, error: unknown): Promise<void>;
  /** Takes out what has succeeded. */
  release(id: string): Promise<void>;
  /** Counts what all replicas have quarantined. */
  count(): Promise<void>;
}

interface Dependencies {
  readonly records: QuarantineStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: BillingMetrics;
  /** Between two tries of what is quarantined, milliseconds. */
  readonly retryMs: number;
}

const COUNTED_MAX = 10_000;

/** The work on an account; when it fails by itself the account is quarantined from this job. */
export function withQuarantine(
  quarantine: Quarantine,
  job: string,
  work: (accountId: string) => Promise<void>,
): (accountId: string) => Promise<void> {
  return async (accountId) => {
    const id = `${job}:${accountId}`;
    if (quarantine.has(id)) return;
    const workAndRelease = async () => {
      await work(accountId);
      await quarantine.release(id);
    };
    await isolateOne(workAndRelease, (error) => quarantine.add(id, accountId, error));
  };
}

export function createQuarantine(deps: Dependencies): Quarantine {
  const { records, clock, logger, metrics, retryMs } = deps;
  const times = createQuarantineTimes(clock, retryMs);
  return {
    has: (id) => !times.isDue(id),
    async add(id, accountId, error) {
      const reason = toAppError(error).message;
      times.add(id);
      metrics.quarantined.inc();
      logger.error({ accountId, id, error }, 'quarantined what fails by itself; the others go on');
      // When it cannot be stored now, the next failure stores it.
      const now = clock.now();
      await records.keep({ id, accountId, reason, failedAtMs: now, sinceMs: now }).catch(() => {});
    },
    async release(id) {
      if (!times.release(id)) return;
      logger.info({ id }, 'what was in quarantine works again');
      await records.remove(id).catch(() => {});
    },
    async count() {
      metrics.quarantine.set((await records.list(COUNTED_MAX)).length);
    },
  };
}
