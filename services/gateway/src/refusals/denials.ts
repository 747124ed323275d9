import { type Clock, EventKeysRefused, type Logger } from '@tollgate/core';
import type { DenialReason } from '@tollgate/events';

/** Why it was denied, or that it was answered with 503 before it was begun, which is no denial. */
type CountedReason = DenialReason | 'unserved';

/** Denials of one account, key and reason in one window. */
export interface DenialCount {
  readonly accountId: string;
  /** Absent of those that were the account's, and of keys that are counted together. */
  readonly keyId?: string;
  readonly reason: CountedReason;
  count: number;
}

export interface DenialCounterOptions {
  /** Called with each denial at once, for the metrics. */
  readonly onDenial: (reason: DenialReason) => void;
  readonly publish: (
    counts: readonly DenialCount[],
    window: { readonly startAtMs: number; readonly seconds: number },
  ) => Promise<void>;
  readonly windowMs: number;
  /**
   * Distinct counts of one window; denials beyond them are in the metrics alone. Keys fill half of
   * them at most, so that accounts are counted when very many keys are refused.
   */
  readonly countsMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Counts denials and publishes them window by window and outside of the requests' way. */
export interface DenialCounter {
  count(accountId: string, keyId: string | undefined, reason: CountedReason): void;
  /** Publishes what is counted and begins the next window. */
  flush(): Promise<void>;
}

/**
 * Pairs of key and reason of one account that are counted apart. Beyond them denials count for the
 * account alone: it makes as many keys as it likes, and could fill the window with them.
 */
const KEY_COUNTS_PER_ACCOUNT_MAX = 20;

export function createDenialCounter(options: DenialCounterOptions): DenialCounter {
  const { clock, logger, windowMs, countsMax } = options;
  let counts = new Map<string, DenialCount>();
  let keyCounts = new Map<string, number>();
  let windowStartAtMs = clock.now();

  const flush = async (): Promise<void> => {
    const counted = [...counts.values()];
    const window = {
      startAtMs: windowStartAtMs,
      seconds: Math.max(1, Math.round(windowMs / 1000)),
    };
    counts = new Map();
    keyCounts = new Map();
    windowStartAtMs = clock.now();
    if (counted.length === 0) return;
    try {
      await options.publish(counted, window);
    } catch (error) {
      // The figure is for people; losing a window must not hold memory or requests.
      const isLost = ({ accountId }: DenialCount) =>
        !(error instanceof EventKeysRefused) || error.keys.has(accountId);
      const lost = counted.filter(isLost).length;
      logger.warn({ error, lost }, 'denial counts could not be published');
    }
  };

  /** False when there is no room for another count. */
  const addTo = (accountId: string, keyId: string | undefined, reason: CountedReason): boolean => {
    const id = `${accountId}|${keyId ?? ''}|${reason}`;
    const count = counts.get(id);
    if (count !== undefined) {
      count.count += 1;
      return true;
    }
    const ofKeys = keyCounts.get(accountId) ?? 0;
    if (keyId !== undefined) {
      if (ofKeys >= KEY_COUNTS_PER_ACCOUNT_MAX || counts.size >= countsMax / 2) return false;
      keyCounts.set(accountId, ofKeys + 1);
    } else if (counts.size >= countsMax) return false;
    counts.set(id, { accountId, reason, count: 1, ...(keyId === undefined ? {} : { keyId }) });
    return true;
  };

  return {
    count(accountId, keyId, reason) {
      if (reason !== 'unserved') options.onDenial(reason);
      if (!addTo(accountId, keyId, reason) && keyId !== undefined) {
        addTo(accountId, undefined, reason);
      }
    },
    flush,
  };
}
