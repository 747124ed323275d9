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
  saturated(): { readonly endpoints: readonly string[]; readonly accounts: readonly string[] };
}

/**
 * No endpoint gets more than `perEndpoint`, no account more permits than are free, and all failing
 * endpoints together at most half, shared by the same rule. One account alone gets half of the
 * permits, two a third each: whoever comes next gets one, however slow the receivers of others are.
 */
export function createAttemptPermits(bounds: PermitBounds): AttemptPermits {
  const { total, perEndpoint } = bounds;
  const byEndpoint = createTally();
  const all = createShares(total);
  const failing = createShares(Math.max(1, Math.floor(total / 2)));
  return {
    take({ id, accountId, consecutiveFailures }) {
      const isFailing = consecutiveFailures > 0;
      if (byEndpoint.of(id) >= perEndpoint || !all.hasRoomFor(accountId)) return undefined;
      if (isFailing && !failing.hasRoomFor(accountId)) return undefined;
      byEndpoint.add(id, 1);
      all.add(accountId, 1);
      if (isFailing) failing.add(accountId, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        byEndpoint.add(id, -1);
        all.add(accountId, -1);
        if (isFailing) failing.add(accountId, -1);
      };
    },
    get taken() {
      return all.taken;
    },
    get isFull() {
      return all.taken >= total;
    },
    get failingAreFull() {
      return failing.isFull;
    },
    perEndpoint,
    saturated: () => ({
      endpoints: byEndpoint.names((own) => own >= perEndpoint),
      accounts: all.withoutRoom(),
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

/** Permits that accounts share: each may have as many as are free, and one at least. */
function createShares(total: number) {
  const byAccount = createTally();
  let taken = 0;
  const isBeyondShare = (own: number) => own > 0 && own >= total - taken;
  return {
    get taken() {
      return taken;
    },
    get isFull() {
      return taken >= total;
    },
    hasRoomFor: (accountId: string) => taken < total && !isBeyondShare(byAccount.of(accountId)),
    withoutRoom: () => byAccount.names(isBeyondShare),
    add(accountId: string, change: 1 | -1) {
      byAccount.add(accountId, change);
      taken += change;
    },
  };
}
