import { createFairShare } from '@tollgate/core';

/** Bounds of what runs together. */
export interface PermitBounds {
  readonly total: number;
  readonly perEndpoint: number;
}

/** The endpoint that an attempt is made to. */
export interface PermitOwner {
  readonly id: string;
  readonly accountId: string;
  readonly consecutiveFailures: number;
}

/** The right to run attempts, so that slow receivers delay nobody else. */
export interface AttemptPermits {
  /** Takes a permit and returns its release; undefined when the endpoint may have none now. */
  take(owner: PermitOwner): (() => void) | undefined;
  readonly taken: number;
  readonly isFull: boolean;
  /** No endpoint whose last attempt failed gets a permit now. */
  readonly failingAreFull: boolean;
  readonly perEndpoint: number;
  /** Who gets no permit before one is released. */
  saturated(): {
    readonly endpoints: readonly string[];
    readonly accounts: readonly string[];
    /** Only their endpoints whose last attempt failed get none. */
    readonly accountsOfFailing: readonly string[];
  };
}

/**
 * No endpoint gets more than `perEndpoint`, no account more permits than are free, and all failing
 * endpoints together at most half, shared by the same rule. One account alone gets half of the
 * permits, two a third each, and another finds some however slow the receivers of these are, as long as
 * accounts are fewer than permits.
 */
export function createAttemptPermits(bounds: PermitBounds): AttemptPermits {
  const { total, perEndpoint } = bounds;
  const byEndpoint = createTally();
  const all = createFairShare(total);
  const failingMax = Math.max(1, Math.floor(total / 2));
  const failing = createFairShare(failingMax);
  return {
    take({ id, accountId, consecutiveFailures }) {
      const isFailing = consecutiveFailures > 0;
      if (byEndpoint.of(id) >= perEndpoint || !all.hasRoom(accountId)) return undefined;
      if (isFailing && !failing.hasRoom(accountId)) return undefined;
      byEndpoint.add(id, 1);
      all.take(accountId);
      if (isFailing) failing.take(accountId);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        byEndpoint.add(id, -1);
        all.release(accountId);
        if (isFailing) failing.release(accountId);
      };
    },
    get taken() {
      return all.held;
    },
    get isFull() {
      return all.held >= total;
    },
    get failingAreFull() {
      return failing.held >= failingMax;
    },
    perEndpoint,
    saturated: () => ({
      endpoints: byEndpoint.names((own) => own >= perEndpoint),
      accounts: all.ownersWithoutRoom(),
      accountsOfFailing: failing.ownersWithoutRoom(),
    }),
  };
}

/** Counts by name; a name that is at 0 is forgotten. */
function createTally() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, change: 1 | -1) {
      const count = of(name) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
    names: (matches: (count: number) => boolean) =>
      [...counts].filter(([, count]) => matches(count)).map(([name]) => name),
  };
}
