import type { Clock } from '@tollgate/core';
import { forEachConcurrently, pagesOf } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import type { DatedAccount, DatedPage } from '../domain/ports';
import type { AccountParts } from './dependencies';

/** Takes back the credit of leases that were not renewed. */
export interface LeaseSweeper {
  /**
   * Sees which leases may have expired, and sweeps those that have not changed for a lifetime since
   * they were first seen; answers their number.
   */
  sweepExpired(signal?: AbortSignal): Promise<number>;
  /** No lease may have expired: whatever does now is seen later, and then watched for a lifetime. */
  readonly isResting: boolean;
  /** Forgets what was seen: nobody may have been there for holders to renew with. */
  watchAnew(): void;
}

const PAGE = 500;
/** Accounts watched at a time; the others wait until these are swept. */
const WATCHED_MAX = 20_000;
const ACCOUNTS_AT_ONCE = 32;

export function createLeaseSweeper(deps: AccountParts): LeaseSweeper {
  const watch = createLeaseWatch(deps.clock, deps.bounds.leaseTtlMs);
  return {
    sweepExpired: createSweep(deps, watch),
    get isResting() {
      return watch.isEmpty;
    },
    watchAnew: () => watch.clear(),
  };
}

/** Takes back the credit of leases that have expired. */
function createSweep(deps: AccountParts, watch: LeaseWatch): LeaseSweeper['sweepExpired'] {
  const { accounts, rules, clock, logger, metrics, quarantine } = deps;
  return async (signal) => {
    const candidates = await listCandidates(deps, signal);
    watch.keepOnly(candidates);
    let swept = 0;
    // Of an account that is seen for the first time no lease has stood yet: it is only read.
    const sweep = (accountId: string): Promise<void> =>
      quarantine.attemptIfDue({ kind: 'sweep', accountId }, async () => {
        const unrenewed = watch.unrenewedExpiries(accountId);
        const { account, outcome } = await accounts.run(accountId, {
          apply: (current) => rules.sweepLeases(current, unrenewed, clock.now()),
        });
        watch.see(account);
        swept += outcome.length;
      });
    try {
      const due = [...candidates].filter(watch.isDue);
      await forEachConcurrently(due, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, sweep);
    } finally {
      if (swept > 0) {
        metrics.swept.inc(undefined, swept);
        logger.warn({ leases: swept }, 'took back the credit of leases that were not renewed');
      }
    }
    return swept;
  };
}

/** The accounts with a lease that this clock, which may be wrong, takes for expired. */
async function listCandidates(
  { store, clock }: AccountParts,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const now = clock.now();
  const found = new Set<string>();
  const listExpired = (page: DatedPage) => store.listExpired(now, page);
  for await (const page of pagesOf<DatedAccount>(listExpired, PAGE, signal)) {
    for (const { accountId } of page) found.add(accountId);
    if (found.size >= WATCHED_MAX) break;
  }
  return found;
}

/**
 * What one replica has seen of leases that may have expired. Another machine's clock wrote the
 * expiry of a lease, so it is not believed; each renewal moves it, and a holder reserves for less
 * than a lifetime after its last renewal. A lease has therefore expired when this replica saw its
 * expiry stand still for a whole lifetime by its own monotonic clock.
 *
 * The watch begins when the expiry is past by the wall clock of this machine. A clock that is slow
 * makes the sweep later, and one that is fast begins the watch early, which still lasts a lifetime.
 * That beginning matters while the setting of the lifetime is changed from, say, 60 seconds to 10: a
 * replica with the new setting watches for 10 seconds only, but begins when the 60 are over. Only if
 * its wall clock is fast as well can it sweep such a lease while the lease lives.
 */
interface LeaseWatch {
  /** No lease may have expired. */
  readonly isEmpty: boolean;
  /** Whether there is something to learn: the account is new here, or a lease stood long enough. */
  isDue(accountId: string): boolean;
  /** The leases that stood still for a lifetime: the expiry of each, by number. */
  unrenewedExpiries(accountId: string): ReadonlyMap<number, number>;
  /** Looks at the leases of an account that was just read or written. */
  see(account: Account): void;
  /** Forgets every other account: none of its leases may have expired. */
  keepOnly(accountIds: ReadonlySet<string>): void;
  /** Begins anew. */
  clear(): void;
}

interface Sighting {
  readonly expiresAtMs: number;
  /** When this replica first saw the lease with this expiry. */
  readonly sinceMonotonicMs: number;
}

function createLeaseWatch(clock: Clock, leaseTtlMs: number): LeaseWatch {
  const accounts = new Map<string, ReadonlyMap<number, Sighting>>();

  const hasStood = ({ sinceMonotonicMs }: Sighting): boolean =>
    clock.monotonicMs() - sinceMonotonicMs >= leaseTtlMs;

  return {
    get isEmpty() {
      return accounts.size === 0;
    },
    isDue(accountId) {
      const sightings = accounts.get(accountId);
      return sightings === undefined || [...sightings.values()].some(hasStood);
    },
    unrenewedExpiries(accountId) {
      const sightings = [...(accounts.get(accountId) ?? [])];
      const long = sightings.filter(([, sighting]) => hasStood(sighting));
      return new Map(long.map(([leaseNumber, { expiresAtMs }]) => [leaseNumber, expiresAtMs]));
    },
    see(account) {
      const before = accounts.get(account.id);
      // After the answer of the store: what it shows was written, and so asked for, before now.
      const sinceMonotonicMs = clock.monotonicMs();
      const sightings = new Map<number, Sighting>();
      for (const [leaseNumber, { swept, expiresAtMs }] of account.leases) {
        if (swept || expiresAtMs > clock.now()) continue;
        const known = before?.get(leaseNumber);
        sightings.set(
          leaseNumber,
          known?.expiresAtMs === expiresAtMs ? known : { expiresAtMs, sinceMonotonicMs },
        );
      }
      if (sightings.size > 0) accounts.set(account.id, sightings);
      else accounts.delete(account.id);
    },
    keepOnly(accountIds) {
      for (const accountId of accounts.keys()) {
        if (!accountIds.has(accountId)) accounts.delete(accountId);
      }
    },
    clear: () => accounts.clear(),
  };
}
