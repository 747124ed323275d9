import { type Clock, chunksOf, type Logger, toIsoTime } from '@tollgate/core';
import { repeat } from '@tollgate/jobs';

/** When a key was seen. */
export interface KeyUse {
  readonly keyId: string;
  readonly lastUsedAt: string;
}

export interface KeyUsesOptions {
  readonly report: (uses: readonly KeyUse[]) => Promise<unknown>;
  /** How often is reported, milliseconds. */
  readonly intervalMs: number;
  /** Keys noted between two reports; one beyond them is noted at a later use of it. */
  readonly keysMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Reports to identity which keys were used: it sees no request of a key that the gateway caches. A
 * request only notes a time in memory; reports are batches, and a lost one only makes the times
 * older than they could be.
 */
export interface KeyUses {
  note(keyId: string, atMs: number): void;
  start(): void;
  /** Reports what is noted and ends; again it does nothing. */
  stop(): Promise<void>;
}

/** Identity takes as many at once. */
const BATCH_MAX = 1000;

export function createKeyUses(options: KeyUsesOptions): KeyUses {
  const { clock, logger, intervalMs, keysMax } = options;
  const stopping = new AbortController();
  let noted = new Map<string, number>();
  let reporting: Promise<void> | undefined;

  const report = async (level: 'warn' | 'debug'): Promise<void> => {
    const uses = [...noted].map(([keyId, at]) => ({ keyId, lastUsedAt: toIsoTime(at) }));
    noted = new Map();
    try {
      for (const batch of chunksOf(uses, BATCH_MAX)) await options.report(batch);
    } catch (error) {
      logger[level]({ error, keys: uses.length }, 'last uses of keys could not be reported');
    }
  };
  return {
    note(keyId, atMs) {
      if (noted.size < keysMax || noted.has(keyId)) noted.set(keyId, atMs);
    },
    start() {
      // One report at a time: while identity is slow, uses are noted on.
      const work = {
        name: 'last uses of keys',
        intervalMs,
        firstAfterMs: intervalMs,
        run: () => report('warn'),
      };
      reporting = repeat(work, { clock, logger }, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await reporting;
      // Identity may stop as well: the times are then behind by one interval of reports, no more.
      await report('debug');
    },
  };
}
