import type { Clock } from '@tollgate/core';
import type { Account } from '../domain/account';

/**
 * What one instance has seen of leases that may have expired. A lease has expired when its expiry
 * stood still for a whole lifetime of this instance's own monotonic clock: its holder, which draws
 * for less than a lifetime after it sent its last renewal, has stopped by then. So the clocks of
 * two machines are never compared. Whoever begins to watch waits a lifetime before it sweeps.
 */
export interface LeaseWatch {
  /** Whether there is something to learn: the account is new here, or a lease stood long enough. */
  isDue(accountId: string): boolean;
  /** The expiry of each lease, by number, that has stood for a lifetime. */
  stood(accountId: string): ReadonlyMap<number, number>;
  /** Notes the leases of an account that was just read or written. */
  note(account: Account): void;
  /** Forgets every other account: none of its leases may have expired. */
  keepOnly(accountIds: ReadonlySet<string>): void;
  /** Begins anew. */
  clear(): void;
}

interface Sighting {
  readonly expiresAt: number;
  /** When this instance first saw the lease with this expiry, monotonic milliseconds. */
  readonly sinceMs: number;
}

export function createLeaseWatch(clock: Clock, leaseTtlMs: number): LeaseWatch {
  const accounts = new Map<string, ReadonlyMap<number, Sighting>>();

  const hasStood = ({ sinceMs }: Sighting): boolean => clock.monotonicMs() - sinceMs >= leaseTtlMs;

  return {
    isDue(accountId) {
      const sightings = accounts.get(accountId);
      return sightings === undefined || [...sightings.values()].some(hasStood);
    },
    stood(accountId) {
      const sightings = [...(accounts.get(accountId) ?? [])];
      const long = sightings.filter(([, sighting]) => hasStood(sighting));
      return new Map(long.map(([number, { expiresAt }]) => [number, expiresAt]));
    },
    note(account) {
      const before = accounts.get(account.id);
      // After the answer of the store: what it shows was written, and so asked for, before now.
      const sinceMs = clock.monotonicMs();
      const sightings = new Map<number, Sighting>();
      for (const [number, { swept, expiresAt }] of account.leases) {
        if (swept) continue;
        const known = before?.get(number);
        sightings.set(number, known?.expiresAt === expiresAt ? known : { expiresAt, sinceMs });
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
