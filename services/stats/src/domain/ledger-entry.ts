import type { ErrorCode, NumberedRecord } from '@tollgate/core';

/** An entry of an account's ledger, as far as figures are made from it. */
export interface LedgerEntry {
  readonly accountId: string;
  /** Place in the account's ledger, gapless from 1. */
  readonly seq: bigint;
  readonly atMs: number;
  /** Absent for entries that are no requests: credits move the sequence and nothing else. */
  readonly request?: ChargedRequest;
}

/** A finished request and what it was charged. */
export interface ChargedRequest {
  readonly model: string;
  readonly keyId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly succeeded: boolean;
  /** It ended because its client closed the connection. */
  readonly clientGone: boolean;
  /** A vendor did not answer in time. */
  readonly timedOut: boolean;
  /** More than one call was made for it: a retry or a hedge, whichever of the two answered. */
  readonly retried: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly promptAudioTokens: number;
  readonly completionAudioTokens: number;
  readonly chargedNano: bigint;
  readonly latencyMs: number;
  readonly firstTokenMs: number | null;
}

/** The counts of a settled record that figures are made of; none in the last record of a lease. */
export function chargedRequestOf(
  record: NumberedRecord,
  chargedNano: bigint,
): Pick<LedgerEntry, 'request'> {
  if (record.kind === 'close') return {};
  const { model, keyId, promptTokens, completionTokens, cachedTokens, latencyMs } = record;
  const request: ChargedRequest = {
    model,
    keyId,
    promptTokens,
    completionTokens,
    cachedTokens,
    latencyMs,
    chargedNano,
    cacheWriteTokens: record.cacheWriteTokens ?? 0,
    reasoningTokens: record.reasoningTokens ?? 0,
    promptAudioTokens: record.promptAudioTokens ?? 0,
    completionAudioTokens: record.completionAudioTokens ?? 0,
    userId: record.userId ?? '',
    channelId: record.channelId ?? '',
    succeeded: record.status === 'succeeded',
    clientGone: record.reason === 'client_gone',
    timedOut: isTimeout(record.errorCode),
    retried: record.attempts > 1,
    firstTokenMs: record.firstTokenMs ?? null,
  };
  return { request };
}

/** Whether what a client was told is that a vendor did not answer in time. */
export function isTimeout(errorCode: string | null | undefined): boolean {
  return errorCode === ('UPSTREAM_TIMEOUT' satisfies ErrorCode);
}

/** By what figures can be told apart. */
export interface Dimensions {
  readonly accountId: string;
  readonly model: string;
  readonly keyId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly status: 'succeeded' | 'failed';
}

/** Where the figures of a request belong besides their time. */
export function dimensionsOf(accountId: string, request: ChargedRequest): Dimensions {
  const { model, keyId, userId, channelId, succeeded } = request;
  return { accountId, model, keyId, userId, channelId, status: succeeded ? 'succeeded' : 'failed' };
}

/** The entries of each account in the order of its ledger. */
export function entriesByAccount(
  entries: readonly LedgerEntry[],
): ReadonlyMap<string, readonly LedgerEntry[]> {
  const accounts = Map.groupBy(entries, ({ accountId }) => accountId);
  for (const queue of accounts.values()) queue.sort(bySeq);
  return accounts;
}

function bySeq(a: LedgerEntry, b: LedgerEntry): number {
  if (a.seq === b.seq) return 0;
  return a.seq < b.seq ? -1 : 1;
}

/** The ordered entries that follow the cursor without a gap; those that came before are left out. */
export function entriesAfter(
  cursor: bigint,
  ordered: readonly LedgerEntry[],
): readonly LedgerEntry[] {
  const following: LedgerEntry[] = [];
  let expected = cursor + 1n;
  for (const entry of ordered) {
    if (entry.seq > expected) break;
    if (entry.seq < expected) continue;
    following.push(entry);
    expected += 1n;
  }
  return following;
}
