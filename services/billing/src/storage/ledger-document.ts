import {
  createUsageRecordCodec,
  nano,
  type SettledReason,
  toSnakeCase,
  type UnitPrices,
  type UsageRecord,
} from '@tollgate/core';
import { isAdjustmentId, type LedgerEntry } from '../domain/ledger-entry';

interface EntryBaseDocument {
  readonly account_id: string;
  readonly seq: number;
  readonly amount: bigint;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A ledger entry, in the ledger and within a journal item. */
export type EntryDocument = EntryBaseDocument &
  (
    | {
        readonly kind: 'charge';
        readonly record: UsageRecordDocument;
        readonly absorbed: bigint;
        readonly overrun: bigint;
        readonly settled_reason: SettledReason;
      }
    // An adjustment too: a credit whose id says so, which may be below 0. A version that knows no
    // adjustments, beside this one during an upgrade, reads and keeps it as a credit.
    | {
        readonly kind: 'credit';
        readonly credit_id: string;
        readonly note: string;
        /** Absent where nobody is known, and of entries from before it was kept. */
        readonly actor_id?: string;
      }
  );

/** A document of the ledger: `_id` is `<account>:<seq>`. */
export type LedgerDocument = EntryDocument & { readonly _id: string };

export function toEntryDocument(entry: LedgerEntry): EntryDocument {
  const { accountId: account_id, seq, amount, atMs } = entry;
  if (entry.kind !== 'charge') {
    const { creditId: credit_id, note } = entry;
    const grant = { account_id, seq, amount, at: atMs, kind: 'credit', credit_id, note } as const;
    return withActor(grant, entry.actorId);
  }
  const { absorbed, overrun, settledReason: settled_reason } = entry;
  const record = toUsageRecordDocument(entry.record);
  return {
    account_id,
    seq,
    amount,
    at: atMs,
    kind: 'charge',
    record,
    absorbed,
    overrun,
    settled_reason,
  };
}

/** What nobody is known of has no such member: the store would keep a null. */
function withActor<Kept extends object>(
  kept: Kept,
  actorId: string | undefined,
): Kept & { readonly actor_id?: string } {
  return actorId === undefined ? kept : { ...kept, actor_id: actorId };
}

function actorOf({ actor_id: actorId }: { readonly actor_id?: string }): {
  readonly actorId?: string;
} {
  return actorId === undefined ? {} : { actorId };
}

export function fromEntryDocument(document: EntryDocument): LedgerEntry {
  const { account_id: accountId, seq, at: atMs } = document;
  const amount = nano(document.amount);
  if (document.kind === 'credit') {
    const { credit_id: creditId, note } = document;
    const kind = isAdjustmentId(creditId) ? 'adjustment' : 'credit';
    return { accountId, seq, amount, atMs, kind, creditId, note, ...actorOf(document) };
  }
  return {
    accountId,
    seq,
    amount,
    atMs,
    kind: 'charge',
    record: fromUsageRecordDocument(document.record),
    absorbed: nano(document.absorbed),
    overrun: nano(document.overrun),
    settledReason: document.settled_reason,
  };
}

/** A usage record within a journal item or a ledger entry: names in snake case, amounts Int64. */
export interface UsageRecordDocument {
  readonly request_id: string;
}

interface PricesDocument {
  readonly prompt: bigint;
  readonly completion: bigint;
  readonly cached_prompt: bigint;
  /** Absent is that of the prompt. */
  readonly cache_write?: bigint;
}

const codec = createUsageRecordCodec({
  nameOf: toSnakeCase,
  absent: null,
  write(value, { type }) {
    if (type !== 'prices') return value;
    const { prompt, completion, cachedPrompt, cacheWrite } = value as UnitPrices;
    const document: PricesDocument = { prompt, completion, cached_prompt: cachedPrompt };
    return cacheWrite === undefined ? document : { ...document, cache_write: cacheWrite };
  },
  read(value, { type }) {
    if (type === 'amount') return nano(value as bigint);
    if (type !== 'prices') return value;
    const { prompt, completion, cached_prompt, cache_write } = value as PricesDocument;
    return {
      prompt: nano(prompt),
      completion: nano(completion),
      cachedPrompt: nano(cached_prompt),
      ...(cache_write === undefined ? {} : { cacheWrite: nano(cache_write) }),
    };
  },
});

export function toUsageRecordDocument(record: UsageRecord): UsageRecordDocument {
  // The table of the record's members made these.
  return codec.write(record) as unknown as UsageRecordDocument;
}

export function fromUsageRecordDocument(document: UsageRecordDocument): UsageRecord {
  return codec.read('usage', document) as UsageRecord;
}
