import { type Clock, delay, type Logger } from '@tollgate/core';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { AccountStore, BillingObserver, DatedAccount } from '../domain/ports';
import type { AccountWriter } from './account-writer';
import { eachAtOnce } from './at-once';
import { createLeaseWatch, type LeaseWatch } from './lease-watch';
import { type Quarantine, withQuarantine } from './quarantine';
import type { RecallLeases } from './recall-leases';
import { createRemindHolders, type RemindHolders } from './remind-holders';

/** Time spans of the sweeper. */
export interface SweepTimes {
  readonly intervalMs: number;
  /** Between two looks for swept leases, milliseconds. */
  readonly remindIntervalMs: number;
  /** Between two calls to the holder of a swept lease, milliseconds. */
  readonly holderCallIntervalMs: number;
  /** A silence of the sweeper, beyond its interval, in which holders may have found nobody. */
  readonly outageMs: number;
}

export const DEFAULT_SWEEP_TIMES: SweepTimes = {
  intervalMs: 1_000,
  remindIntervalMs: 5_000,
  holderCallIntervalMs: 10_000,
  outageMs: 5_000,
};

/** Takes back the credit of expired leases, and reminds their holders until they close. */
export interface Sweeper {
  /**
   * Notes which leases may have expired, and sweeps those that have not changed for a lifetime
   * since they were noted; answers their number.
   */
  sweepExpired(signal?: AbortSignal): Promise<number>;
  /** Calls the holders of swept leases and retires those that were silent for too long. */
  readonly remindHolders: RemindHolders;
  /** Does both at their intervals until the signal aborts. */
  lead(signal: AbortSignal): Promise<void>;
}

interface Dependencies {
  readonly store: AccountStore;
  readonly accounts: AccountWriter;
  readonly rules: AccountRules;
  readonly policy: AccountPolicy;
  readonly recall: RecallLeases;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: BillingObserver;
  readonly times: SweepTimes;
}

const PAGE = 500;
/** Accounts watched at a time; the others wait until these are swept. */
const WATCHED_MAX = 20_000;
const ACCOUNTS_AT_ONCE = 32;

/** The accounts with a lease that this clock, which may be wrong, takes for expired. */
async function listCandidates(
  { store, clock }: Dependencies,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const now = clock.now();
  const found = new Set<string>();
  let after: DatedAccount | undefined;
  do {
    const page = await store.listExpired(now, { after, limit: PAGE });
    for (const { accountId } of page) found.add(accountId);
    after = page.length < PAGE ? undefined : page.at(-1);
  } while (after !== undefined && found.size < WATCHED_MAX && signal?.aborted !== true);
  return found;
}

/** Takes back the credit of leases that have expired. */
function createSweep(dependencies: Dependencies, watch: LeaseWatch): Sweeper['sweepExpired'] {
  const { accounts, rules, clock, logger, observer, quarantine } = dependencies;
  return async (signal) => {
    const candidates = await listCandidates(dependencies, signal);
    watch.keepOnly(candidates);
    let swept = 0;
    // An account that is new here is only read: of its leases nothing is known to have stood.
    const sweep = withQuarantine(quarantine, 'sweep', async (accountId) => {
      const stood = watch.stood(accountId);
      const { account, outcome } = await accounts.run(accountId, {
        apply: (current) => rules.sweepLeases(current, stood, clock.now()),
      });
      watch.note(account);
      swept += outcome.length;
    });
    try {
      const due = [...candidates].filter(watch.isDue);
      await eachAtOnce(due, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, sweep);
    } finally {
      if (swept > 0) {
        observer.leasesSwept(swept);
        logger.warn({ leases: swept }, 'took back the credit of leases that were not renewed');
      }
    }
    return swept;
  };
}

/** Creates a sweeper; it sweeps when it is asked to, or as long as it leads. */
export function createSweeper(dependencies: Dependencies): Sweeper {
  const { policy, clock, logger, times } = dependencies;
  const watch = createLeaseWatch(clock, policy.leaseTtlMs);
  const sweepExpired = createSweep(dependencies, watch);
  const { holderCallIntervalMs } = times;
  const remindHolders = createRemindHolders({ ...dependencies, holderCallIntervalMs });

  const sweepUntil = async (signal: AbortSignal): Promise<void> => {
    // Whoever starts to lead cannot know for how long holders found nobody to renew with, nor can
    // a leader after an outage of its own: both watch anew, for the lifetime of a lease.
    watch.clear();
    let lastPassAt = clock.monotonicMs();
    while (!signal.aborted) {
      const silentMs = clock.monotonicMs() - lastPassAt;
      if (silentMs >= times.intervalMs + times.outageMs) watch.clear();
      try {
        await sweepExpired(signal);
        lastPassAt = clock.monotonicMs();
      } catch (error) {
        logger.warn({ error }, 'the lease sweeper failed and will try again');
      }
      await delay(clock, times.intervalMs, signal).catch(() => {});
    }
  };

  const remindUntil = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await remindHolders(signal);
      } catch (error) {
        logger.warn({ error }, 'holders of swept leases could not be looked up');
      }
      await delay(clock, times.remindIntervalMs, signal).catch(() => {});
    }
  };

  return {
    sweepExpired,
    remindHolders,
    async lead(signal) {
      await Promise.all([sweepUntil(signal), remindUntil(signal)]);
    },
  };
}
