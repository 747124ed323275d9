import { type BoundedMap, type Clock, createBoundedMap, delay, type Logger } from '@tollgate/core';
import type { Account } from '../domain/account';
import type { AccountRules } from '../domain/account-rules';
import type { AccountPolicy } from '../domain/policy';
import type { AccountStore, BillingObserver } from '../domain/ports';
import { isAbandoned } from '../domain/retire';
import type { AccountWriter } from './account-writer';
import { isAway, type Quarantine } from './quarantine';
import type { RecallLeases } from './recall-leases';

/** Time spans of the sweeper. */
export interface SweepTimes {
  readonly intervalMs: number;
  /** Between two looks for swept leases, milliseconds. */
  readonly remindIntervalMs: number;
  /** Between two calls to the holder of a swept lease, milliseconds. */
  readonly holderCallIntervalMs: number;
  /** A silence of the sweeper itself that holders may not have been able to renew in. */
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
  /** Sweeps what has expired; answers the number of leases. */
  sweepExpired(): Promise<number>;
  /** Calls the holders of swept leases and retires those that were silent for too long. */
  remindHolders(): Promise<void>;
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

const PAGE = 200;
/** Accounts swept in one pass. */
const SWEPT_MAX = 10_000;
const REMINDED_MAX = 10_000;
/** Accounts whose holders are called at the same time: an unreachable one costs a deadline. */
const REMINDERS_AT_ONCE = 16;

/** Does the work for each account; one that fails by itself is set apart and stops no other. */
async function forEachApart(
  quarantine: Quarantine,
  job: string,
  accountIds: Iterable<string>,
  work: (accountId: string) => Promise<void>,
): Promise<void> {
  for (const accountId of accountIds) {
    const id = `${job}:${accountId}`;
    if (quarantine.isApart(id)) continue;
    try {
      await work(accountId);
      await quarantine.release(id);
    } catch (error) {
      if (isAway(error)) throw error;
      await quarantine.setApart(id, accountId, error);
    }
  }
}

/** Takes back the credit of leases that have expired. */
function createSweep(dependencies: Dependencies): () => Promise<number> {
  const { store, accounts, rules, clock, logger, observer, quarantine } = dependencies;

  const sweepPages = async (sweep: (accountId: string) => Promise<void>): Promise<void> => {
    const now = clock.now();
    const seen = new Set<string>();
    for (;;) {
      // What could not be swept is found again, before what comes after it.
      const found = await store.listExpired(now, PAGE + seen.size);
      const fresh = found.filter((accountId) => !seen.has(accountId));
      for (const accountId of fresh) seen.add(accountId);
      await forEachApart(quarantine, 'sweep', fresh, sweep);
      if (fresh.length < PAGE || seen.size >= SWEPT_MAX) return;
    }
  };

  return async () => {
    let swept = 0;
    await sweepPages(async (accountId) => {
      const { outcome } = await accounts.run(accountId, {
        apply: (account) => rules.sweepLeases(account, clock.now()),
      });
      swept += outcome.length;
    });
    if (swept > 0) {
      observer.leasesSwept(swept);
      logger.warn({ leases: swept }, 'took back the credit of leases that were not renewed');
    }
    return swept;
  };
}

/** Calls the holders of an account's swept leases, and gives up those that are silent for good. */
function createReminder(dependencies: Dependencies): (account: Account) => Promise<void> {
  const { accounts, rules, policy, clock, logger, observer, times } = dependencies;
  const remindedAt: BoundedMap<string, number> = createBoundedMap(REMINDED_MAX);

  const retireAbandoned = async (account: Account): Promise<void> => {
    const now = clock.now();
    if (![...account.leases.values()].some((lease) => isAbandoned(lease, now, policy))) return;
    const { outcome } = await accounts.run(account.id, {
      apply: (current) =>
        rules.retireLeases(current, (lease) => isAbandoned(lease, now, policy), now, policy),
    });
    observer.leasesRetired(outcome.length);
    logger.error(
      { accountId: account.id, leases: outcome },
      'retired leases whose spool was silent for too long; what it still sends is absorbed',
    );
  };

  return async (account) => {
    await retireAbandoned(account);
    const now = clock.monotonicMs();
    const due = [...account.leases].filter(([number, lease]) => {
      const last = remindedAt.get(`${account.id}:${number}`);
      if (!lease.swept || isAbandoned(lease, clock.now(), policy)) return false;
      return last === undefined || now - last >= times.holderCallIntervalMs;
    });
    const calls = due.map(([number, lease]) => {
      remindedAt.set(`${account.id}:${number}`, now);
      return dependencies.recall.callHolder(account.id, { number, lease });
    });
    await Promise.all(calls);
  };
}

function createReminders(dependencies: Dependencies): () => Promise<void> {
  const { store, quarantine } = dependencies;
  const remind = createReminder(dependencies);
  const remindOne = async (accountId: string): Promise<void> => {
    const account = await store.read(accountId);
    if (account !== undefined) await remind(account);
  };
  return async () => {
    let after: string | undefined;
    do {
      const page = await store.listSwept({ after, limit: PAGE });
      // Shared: each account is taken by one of the workers.
      const swept = page.values();
      const work = () => forEachApart(quarantine, 'remind', swept, remindOne);
      await Promise.all(Array.from({ length: REMINDERS_AT_ONCE }, work));
      after = page.length < PAGE ? undefined : page.at(-1);
    } while (after !== undefined);
  };
}

/** Creates a sweeper; it sweeps when it is asked to, or as long as it leads. */
export function createSweeper(dependencies: Dependencies): Sweeper {
  const { store, policy, clock, logger, times } = dependencies;
  const sweepExpired = createSweep(dependencies);
  const remindHolders = createReminders(dependencies);

  const sweepUntil = async (signal: AbortSignal): Promise<void> => {
    // Whoever starts to lead cannot know for how long holders found nobody to renew with.
    let sweepsFrom = clock.monotonicMs() + policy.leaseTtlMs;
    let lastPassAt = clock.monotonicMs();
    while (!signal.aborted) {
      const now = clock.monotonicMs();
      if (now - lastPassAt >= times.outageMs) sweepsFrom = now + policy.leaseTtlMs;
      try {
        if (now >= sweepsFrom) await sweepExpired();
        // While waiting, prove that the store answers: a silent one extends the wait.
        else await store.listExpired(0, 1);
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
        await remindHolders();
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
