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

/** What is counted in tokens, by its name in usage records and in figures. */
export const TOKEN_COUNTS = [
  'promptTokens',
  'completionTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'promptAudioTokens',
  'completionAudioTokens',
] as const;

export type TokenCount = (typeof TOKEN_COUNTS)[number];

/** An object of these members. */
export function objectOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  const members: Partial<Record<Name, Value>> = {};
  for (const name of names) members[name] = valueFor(name);
  return members as Record<Name, Value>;
}

/** A finished request and what it was charged. */
export interface ChargedRequest extends Readonly<Record<TokenCount, number>> {
  readonly model: string;
  readonly keyId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly succeeded: boolean;
  /** It ended because its client closed the connection. */
  readonly clientGone: boolean;
  /** A vendor did not answer in time. */
  readonly timedOut: boolean;
  /** A vendor found the request itself wrong, which its client was told. */
  readonly invalid: boolean;
  /** More than one call was made for it: a retry or a hedge, whichever of the two answered. */
  readonly retried: boolean;
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
  const { model, keyId, latencyMs } = record;
  const request: ChargedRequest = {
    model,
    keyId,
    latencyMs,
    chargedNano,
    ...objectOf(TOKEN_COUNTS, (name) => record[name] ?? 0),
    userId: record.userId ?? '',
    channelId: record.channelId ?? '',
    succeeded: record.status === 'succeeded',
    clientGone: record.reason === 'client_gone',
    timedOut: isTimeout(record.errorCode),
    invalid: isRequestFault(record.errorCode),
    retried: record.attempts > 1,
    firstTokenMs: record.firstTokenMs ?? null,
  };
  return { request };
}

/** Whether what a client was told is that a vendor did not answer in time. */
export function isTimeout(errorCode: string | null | undefined): boolean {
  return errorCode === ('UPSTREAM_TIMEOUT' satisfies ErrorCode);
}

const REQUEST_FAULTS: ReadonlySet<string> = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'CONTEXT_LENGTH_EXCEEDED',
  'CONTENT_POLICY',
]);

/**
 * Whether what a client was told is that a vendor found its request wrong. What we find wrong
 * ourselves has no record.
 */
export function isRequestFault(errorCode: string | null | undefined): boolean {
  return REQUEST_FAULTS.has(errorCode ?? '');
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
