import {
  AppError,
  firstIdAt,
  type TurnsByKey,
  type WaitingCall,
  waitBoundOf,
} from '@tollgate/core';
import type { Account } from '../domain/account';
import { entriesOf } from '../domain/journal';
import type { ChargeEntry, LedgerEntry, LedgerFilter } from '../domain/ledger-entry';
import type { AccountStore, LedgerQueries } from '../domain/ports';

/** Clocks of replicas differ by less. */
const CLOCK_MARGIN_MS = 60_000;

export interface SearchDependencies {
  readonly store: Pick<AccountStore, 'find'>;
  /** The queries of one call: they read no longer than the call waits. */
  readonly queriesOf: (call: WaitingCall) => LedgerQueries;
  /** Searches are dear: they take turns, by account; those of all accounts together are one. */
  readonly inTurn: TurnsByKey;
  /** Entries that one page looks at, at most, where a filter may refuse most of them. */
  readonly scannedMax: number;
}

/** The searches that people make in the ledger. */
export interface LedgerSearches {
  ledger(search: LedgerSearch, call: WaitingCall): Promise<LedgerSearchPage>;
  charges(search: ChargeSearch, call: WaitingCall): Promise<ChargeSearchPage>;
  /** The charge of a request of any account; NOT_FOUND when the ledger has none. */
  receipt(requestId: string, call: WaitingCall): Promise<ChargeEntry>;
}

export function createLedgerSearches(deps: SearchDependencies): LedgerSearches {
  const { queriesOf, inTurn } = deps;
  const ledger = createSearchLedger(deps);
  const charges = createSearchCharges(deps);
  return {
    ledger: (search, call) =>
      inTurn(search.accountId, () => ledger(search, call), waitBoundOf(call)),
    charges: (search, call) =>
      inTurn(search.accountId ?? '', () => charges(search, call), waitBoundOf(call)),
    async receipt(requestId, call) {
      const entry = await queriesOf(call).findCharge(requestId);
      if (entry === undefined) throw new AppError('NOT_FOUND');
      return entry;
    },
  };
}

export interface LedgerSearch {
  readonly accountId: string;
  readonly filter: LedgerFilter;
  readonly limit: number;
  /** Undefined begins with the newest. */
  readonly beforeSeq: number | undefined;
}

/** A page, and before which entry the next one begins; undefined when nothing follows. */
export interface LedgerSearchPage {
  readonly entries: readonly LedgerEntry[];
  readonly nextBeforeSeq: number | undefined;
}

/**
 * Searches one account's ledger, newest first; what still waits in the journal is found too.
 * Sequence numbers have no gap and ascend with time, so that the part that a time span names is
 * found by halving, without an index of its own.
 */
function createSearchLedger(deps: SearchDependencies): LedgerSearches['ledger'] {
  const { store, scannedMax } = deps;
  return async ({ accountId, filter, limit, beforeSeq }, call) => {
    const queries = deps.queriesOf(call);
    const account = await store.find(accountId);
    if (account === undefined) return { entries: [], nextBeforeSeq: undefined };
    const waiting = entriesOf(account.journal);
    // By time an entry can be wanted whose sequence is above `above` and below `end`.
    const storedSeq = (waiting[0]?.seq ?? account.ledgerSeq + 1) - 1;
    const { above, end } = await seqsOfSpan(queries, account, storedSeq, filter);
    // Read from here downwards.
    let below = Math.min(beforeSeq ?? Number.MAX_SAFE_INTEGER, end);
    const entries = waiting
      .filter((entry) => entry.seq < below && matches(entry, filter))
      .slice(-limit)
      .reverse();
    below = entries.length === limit ? lastSeqOf(entries) : Math.min(below, storedSeq + 1);
    // However little matches, a page reads no further than this.
    const stopAbove = Math.max(above, below - 1 - scannedMax);
    while (entries.length < limit && below - 1 > stopAbove) {
      const found = await queries.list(accountId, { above: stopAbove, below }, filter, limit);
      entries.push(...found.filter((entry) => matches(entry, filter)));
      below = found.length < limit ? stopAbove + 1 : lastSeqOf(found);
    }
    const page = entries.slice(0, limit);
    const next = entries.length >= limit ? lastSeqOf(page) : below;
    return { entries: page, nextBeforeSeq: next - 1 > above ? next : undefined };
  };
}

/**
 * Which entries can be of the time span of the filter: those above the first sequence and below the
 * second. Only what is stored can be asked for its time, so a span that reaches beyond that ends with
 * the newest entry of the journal.
 */
async function seqsOfSpan(
  queries: LedgerQueries,
  { id, ledgerSeq }: Account,
  storedSeq: number,
  { startAtMs, endAtMs }: LedgerFilter,
): Promise<{ readonly above: number; readonly end: number }> {
  const firstAt = (atMs: number) => firstSeqAt(atMs, storedSeq, (seq) => queries.timeOf(id, seq));
  const above = startAtMs === undefined ? 0 : (await firstAt(startAtMs - CLOCK_MARGIN_MS)) - 1;
  const storedEnd =
    endAtMs === undefined ? storedSeq + 1 : await firstAt(endAtMs + CLOCK_MARGIN_MS);
  return { above, end: storedEnd > storedSeq ? ledgerSeq + 1 : storedEnd };
}

function lastSeqOf(entries: readonly LedgerEntry[]): number {
  return entries.at(-1)?.seq ?? 1;
}

/** The first of the entries 1 to `count` that is of the time or later, or `count + 1`. */
async function firstSeqAt(
  atMs: number,
  count: number,
  timeOf: (seq: number) => Promise<number | undefined>,
): Promise<number> {
  let low = 1;
  let high = count + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const atMiddle = await timeOf(middle);
    // An entry that is on its way to the ledger is among the newest.
    if (atMiddle === undefined || atMiddle >= atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

export interface ChargeSearch {
  /** Undefined: every account. */
  readonly accountId: string | undefined;
  readonly filter: LedgerFilter;
  readonly limit: number;
  /** Undefined begins with the newest. */
  readonly beforeRequestId: string | undefined;
}

export interface ChargeSearchPage {
  readonly charges: readonly ChargeEntry[];
  /** Undefined when nothing follows. */
  readonly nextBeforeRequestId: string | undefined;
}

/**
 * Searches charges by the time of their requests, newest first. Request ids sort by that time, so
 * that the index that finds one by its id also gives them in order.
 */
function createSearchCharges(deps: SearchDependencies): LedgerSearches['charges'] {
  const { scannedMax } = deps;
  return async ({ accountId, filter, limit, beforeRequestId }, call) => {
    const queries = deps.queriesOf(call);
    const { startAtMs, endAtMs } = filter;
    const range = {
      above: startAtMs === undefined ? undefined : firstIdAt('request', startAtMs),
      below: least(
        beforeRequestId,
        endAtMs === undefined ? undefined : firstIdAt('request', endAtMs),
      ),
    };
    // Without a filter every charge of the range is wanted, and a page is all that is looked at.
    const scannedTo = hasRecordFilter(filter)
      ? await queries.lastRequestIdOf(accountId, range, scannedMax)
      : undefined;
    const scanned = scannedTo === undefined ? range : { ...range, from: scannedTo };
    const charges = await queries.listCharges(accountId, scanned, filter, limit + 1);
    const page = charges.slice(0, limit);
    const next = charges.length > limit ? page.at(-1)?.record.requestId : scannedTo;
    return { charges: page, nextBeforeRequestId: next };
  };
}

function hasRecordFilter(filter: LedgerFilter): boolean {
  const { keyId, model, status, errorCode, channelId, clientRequestId } = filter;
  const wanted = [keyId, model, status, errorCode, channelId, clientRequestId];
  return wanted.some((one) => one !== undefined);
}

function least(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

function matches(entry: LedgerEntry, filter: LedgerFilter): boolean {
  const { kind, keyId, model, status, errorCode, channelId, startAtMs, endAtMs } = filter;
  const { clientRequestId } = filter;
  const { atMs } = entry;
  const record = entry.kind === 'charge' ? entry.record : undefined;
  return (
    (kind === undefined || entry.kind === kind) &&
    (keyId === undefined || record?.keyId === keyId) &&
    (model === undefined || record?.model === model) &&
    (status === undefined || record?.status === status) &&
    (errorCode === undefined || record?.errorCode === errorCode) &&
    (channelId === undefined || record?.channelId === channelId) &&
    (clientRequestId === undefined || record?.clientRequestId === clientRequestId) &&
    (startAtMs === undefined || atMs >= startAtMs) &&
    (endAtMs === undefined || atMs < endAtMs)
  );
}
