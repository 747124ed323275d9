import { type BoundedMap, createBoundedMap } from '@tollgate/core';
import { forEachConcurrently, NOTHING_FOUND, pagesOf } from '@tollgate/jobs';
import { isLost, type RecalledLease } from '../domain/lease-lifecycle';
import type { DatedAccount } from '../domain/ports';
import type { AccountParts } from './dependencies';
import type { RecallLeases } from './recall-leases';
import { createRetireLost } from './retire-leases';

/**
 * Calls the holders of swept leases, which close them, and retires leases whose holders were silent
 * for too long. A holder that cannot be reached costs one call, whatever it holds, and is left
 * alone for longer each time. NOTHING_FOUND when no lease is swept.
 */
export type RemindHolders = (signal?: AbortSignal) => Promise<typeof NOTHING_FOUND | undefined>;

interface Dependencies extends AccountParts {
  readonly recalls: RecallLeases;
  /** Between two calls to a holder for the leases of an account, milliseconds. */
  readonly holderCallIntervalMs: number;
}

const PAGE = 500;
const ACCOUNTS_AT_ONCE = 16;
const HOLDERS_AT_ONCE = 16;
const CALLS_AT_ONCE = 8;
/** A silent holder is left alone for so many call intervals at most. */
const SILENT_INTERVALS_MAX = 8;
/** Accounts whose next look is remembered; a forgotten one is looked at sooner. */
const LOOKS_MAX = 100_000;
const SILENT_HOLDERS_MAX = 10_000;

export function createRemindHolders(deps: Dependencies): RemindHolders {
  const { store, recalls, quarantine } = deps;
  const silence = createSilence(deps);
  const { isDue, look } = createLook(deps, silence);

  /** Calls a holder for its leases; after a call that it did not answer, for no further one. */
  const callHolder = async (
    [address, calls]: readonly [string, readonly DueCall[]],
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    let isReached = true;
    const call = async ({ accountId, recalled }: DueCall): Promise<void> => {
      if (!isReached || signal?.aborted === true) return;
      isReached = await recalls.callHolder(accountId, recalled, signal);
    };
    const [first, ...others] = calls;
    if (first === undefined) return;
    // Alone, so that a silent holder costs one deadline.
    await call(first);
    await forEachConcurrently(others, { atOnceMax: CALLS_AT_ONCE, signal }, call);
    if (signal?.aborted === true) return;
    if (isReached) silence.end(address);
    else silence.begin(address);
  };

  return async (signal) => {
    let found = 0;
    for await (const page of pagesOf<DatedAccount>(store.listSwept, PAGE, signal)) {
      found += page.length;
      const due: DueCall[] = [];
      const lookAt = (accountId: string): Promise<void> =>
        quarantine.attemptIfDue({ kind: 'remind', accountId }, async () => {
          due.push(...(await look(accountId)));
        });
      const accountIds = page.filter(isDue).map(({ accountId }) => accountId);
      await forEachConcurrently(accountIds, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, lookAt);
      const byHolder = Map.groupBy(due, ({ recalled }) => recalled.lease.holderAddress);
      await forEachConcurrently(byHolder, { atOnceMax: HOLDERS_AT_ONCE, signal }, (holder) =>
        callHolder(holder, signal),
      );
    }
    return found === 0 ? NOTHING_FOUND : undefined;
  };
}

interface DueCall {
  readonly accountId: string;
  readonly recalled: RecalledLease;
}

/** Holders, by address, that did not answer, and when each may be called again. */
function createSilence({ clock, holderCallIntervalMs }: Dependencies) {
  const silent: BoundedMap<
    string,
    { readonly untilMonotonicMs: number; readonly pauseMs: number }
  > = createBoundedMap(SILENT_HOLDERS_MAX);
  return {
    /** In the past when it may be called now. */
    endMonotonicMsOf: (address: string) =>
      silent.get(address)?.untilMonotonicMs ?? Number.NEGATIVE_INFINITY,
    begin(address: string) {
      const longest = holderCallIntervalMs * SILENT_INTERVALS_MAX;
      const before = silent.get(address)?.pauseMs ?? holderCallIntervalMs / 2;
      const pauseMs = Math.min(longest, before * 2);
      silent.set(address, { pauseMs, untilMonotonicMs: clock.monotonicMs() + pauseMs });
    },
    end: (address: string) => void silent.delete(address),
  };
}

/** Looks at accounts with swept leases when it is time to, and says which calls are due. */
function createLook(deps: Dependencies, silence: ReturnType<typeof createSilence>) {
  const { store, bounds, clock, holderCallIntervalMs } = deps;
  const retireLost = createRetireLost(deps);
  /** When to look at an account again. */
  const lookMonotonicMs: BoundedMap<string, number> = createBoundedMap(LOOKS_MAX);
  return {
    isDue({ accountId, atMs }: DatedAccount): boolean {
      if (atMs + bounds.retireAfterMs <= clock.now()) return true;
      return (lookMonotonicMs.get(accountId) ?? Number.NEGATIVE_INFINITY) <= clock.monotonicMs();
    },
    async look(accountId: string): Promise<readonly DueCall[]> {
      const account = await store.find(accountId);
      if (account === undefined) return [];
      await retireLost(account);
      const monotonicNowMs = clock.monotonicMs();
      const now = clock.now();
      const swept = [...account.leases].filter(
        ([, lease]) => lease.swept && !isLost(lease, now, bounds),
      );
      const silentUntilMonotonicMs = swept.map(([, { holderAddress }]) =>
        silence.endMonotonicMsOf(holderAddress),
      );
      const nextMonotonicMs = Math.max(
        monotonicNowMs + holderCallIntervalMs,
        Math.min(...silentUntilMonotonicMs),
      );
      lookMonotonicMs.set(accountId, swept.length === 0 ? monotonicNowMs : nextMonotonicMs);
      return swept
        .filter((_lease, index) => (silentUntilMonotonicMs[index] ?? 0) <= monotonicNowMs)
        .map(([leaseNumber, lease]) => ({ accountId, recalled: { leaseNumber, lease } }));
    },
  };
}
