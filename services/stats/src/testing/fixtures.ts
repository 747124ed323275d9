import type { CountedRequests } from '../domain/denial-bucket';
import type { ChargedRequest, LedgerEntry } from '../domain/ledger-entry';
import type { Ledger } from '../domain/ports';

/** 2026-01-01T00:00:00Z. */
export const START_MS = 1_767_225_600_000;

/** A charge that was posted `seq` seconds after the start. */
export function charge(seq: number, over: Partial<ChargedRequest> = {}): LedgerEntry {
  return {
    accountId: 'acc_1',
    seq: BigInt(seq),
    atMs: START_MS + seq * 1000,
    request: {
      model: 'm',
      keyId: 'key_1',
      userId: 'usr_1',
      channelId: 'chn_1',
      succeeded: true,
      clientGone: false,
      timedOut: false,
      invalid: false,
      retried: false,
      promptTokens: 10,
      completionTokens: 5,
      cachedTokens: 2,
      cacheWriteTokens: 3,
      reasoningTokens: 1,
      promptAudioTokens: 4,
      completionAudioTokens: 2,
      chargedNano: 9_007_199_254_740_993n,
      latencyMs: 100,
      firstTokenMs: 20,
      ...over,
    },
  };
}

/** An entry that is no request. */
export function credit(seq: number): LedgerEntry {
  return { accountId: 'acc_1', seq: BigInt(seq), atMs: START_MS };
}

/** What one gateway denied at the start. */
export function denialsOf(over: Partial<CountedRequests> = {}): CountedRequests {
  const place = { gatewayId: 'gtw_1', accountId: 'acc_1', keyId: 'key_1', atMs: START_MS };
  return { id: 'evt_1', ...place, kind: 'rate_limited', count: 1, ...over };
}

/** A ledger that holds the entries; counts how often it is asked. */
export function ledgerOf(entries: readonly LedgerEntry[]): Ledger & { asked: number } {
  return {
    asked: 0,
    async listAfter(accountId, seq, limit) {
      this.asked += 1;
      return entries
        .filter((entry) => entry.accountId === accountId && entry.seq > seq)
        .slice(0, limit);
    },
  };
}
