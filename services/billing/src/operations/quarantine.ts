import { type Clock, isTransient, type Logger, toAppError } from '@tollgate/core';
import { createRetryTimes, isolateOne } from '@tollgate/jobs';
import type { QuarantineStore } from '../domain/ports';
import type { BillingMetrics } from '../metrics';

/** What can fail by itself: mostly one kind of work on an account. `settlements` reads watermarks. */
export type QuarantinedWork =
  | {
      readonly kind: 'erase' | 'journal' | 'remind' | 'retire' | 'settle' | 'settlements' | 'sweep';
      readonly accountId: string;
    }
  | { readonly kind: 'claim'; readonly accountId: string; readonly claimId: string }
  /** Of the outbox. */
  | { readonly kind: 'batch'; readonly accountId: string; readonly batchId: string };

/** The name of the work in logs, in `billing_quarantine` and in the findings of the audit. */
function nameOf(work: QuarantinedWork): string {
  if (work.kind === 'batch') return work.batchId;
  return `${work.kind}:${work.kind === 'claim' ? work.claimId : work.accountId}`;
}

/** Work that failed for a reason of its own, so that all other work goes on. */
export interface Quarantine {
  /** True until it is time to try again. */
  isWaiting(work: QuarantinedWork): boolean;
  /** Quarantines the work and says so to people. */
  add(work: QuarantinedWork, error: unknown): Promise<void>;
  /** Takes out what has succeeded, also what another replica quarantined before the last count. */
  release(work: QuarantinedWork): Promise<void>;
  /**
   * Does the work, also while it is quarantined; true when it was done. When it fails by itself it
   * is quarantined. Rejects with a failure that may pass.
   */
  attempt(work: QuarantinedWork, doIt: () => Promise<unknown>): Promise<boolean>;
  /** The same for a job, which comes again: passes over what is quarantined. */
  attemptIfDue(work: QuarantinedWork, doIt: () => Promise<unknown>): Promise<void>;
  /**
   * The same where a failure that may pass concerns the account, as a full journal does: it rejects,
   * and for a minute this kind of work on the account is passed over.
   */
  attemptOrPostpone(work: QuarantinedWork, doIt: () => Promise<unknown>): Promise<void>;
  /**
   * For work that others ask for at any time, and that is always tried: a failure of its own is told
   * once, and again when it is time to try again.
   */
  addIfDue(work: QuarantinedWork, error: unknown): Promise<void>;
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

/** After a failure that may pass a job leaves the account alone for so long, milliseconds. */
const POSTPONED_MS = 60_000;

const COUNTED_MAX = 10_000;

export function createQuarantine(deps: Dependencies): Quarantine {
  const { records, clock, logger, metrics, retryMs } = deps;
  const times = createRetryTimes(clock, retryMs);
  const postponed = createRetryTimes(clock, POSTPONED_MS);
  /** Names of what any replica had quarantined when it was counted last. */
  let counted = new Set<string>();

  const isWaiting = (work: QuarantinedWork): boolean => !times.isDue(nameOf(work));

  const add = async (work: QuarantinedWork, error: unknown): Promise<void> => {
    const id = nameOf(work);
    const { accountId } = work;
    const reason = toAppError(error).message;
    times.add(id);
    metrics.quarantined.inc();
    logger.error({ accountId, id, error }, 'quarantined what fails by itself; the others go on');
    // When it cannot be stored now, the next failure stores it.
    const now = clock.now();
    await records
      .keep({ id, accountId, reason, failedAtMs: now, quarantinedAtMs: now })
      .catch(() => {});
  };

  const release = async (work: QuarantinedWork): Promise<void> => {
    const id = nameOf(work);
    const wasCounted = counted.delete(id);
    if (!times.release(id) && !wasCounted) return;
    logger.info({ id }, 'what was in quarantine works again');
    await records.remove(id).catch(() => {});
  };

  const attempt: Quarantine['attempt'] = (work, doIt) => {
    const doAndRelease = async () => {
      await doIt();
      await release(work);
    };
    return isolateOne(doAndRelease, (error) => add(work, error));
  };

  const attemptIfDue: Quarantine['attemptIfDue'] = async (work, doIt) => {
    if (!isWaiting(work)) await attempt(work, doIt);
  };

  return {
    isWaiting,
    add,
    release,
    attempt,
    attemptIfDue,
    async attemptOrPostpone(work, doIt) {
      const id = `${work.kind}:${work.accountId}`;
      if (!postponed.isDue(id)) return;
      try {
        await attemptIfDue(work, doIt);
      } catch (error) {
        postponed.add(id);
        throw error;
      }
    },
    async addIfDue(work, error) {
      if (!isTransient(error) && !isWaiting(work)) await add(work, error);
    },
    async count() {
      const found = await records.list(COUNTED_MAX);
      counted = new Set(found.map(({ id }) => id));
      metrics.quarantine.set(found.length);
    },
  };
}
