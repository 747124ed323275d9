import {
  type Clock,
  createId,
  type NumberedRecord,
  toIsoTime,
  writeUsageRecordText,
} from '@tollgate/core';
import { EVENT_BYTES_MAX } from './codec';
import type { SerialisedEvent } from './event-bus';
import { EVENT_SCHEMA_VERSION, type EventType, topicOf } from './event-catalogue';
import { ledgerEventId } from './schemas/ledger';
import { ITEMS_PER_EVENT_MAX } from './schemas/primitives';

/** Half of what an event may have, in characters of which a few may take three bytes. */
const BATCH_TEXT_MAX = EVENT_BYTES_MAX / 2;

/**
 * The records as the usage topic carries them, each account's in order: alone as one event, and
 * several of an account as batches, because a message costs both of its ends more than a record.
 */
export function writeUsageEvents(
  records: readonly NumberedRecord[],
  clock: Clock,
): readonly SerialisedEvent[] {
  const written = records.map((record) => {
    return { accountId: record.accountId, text: writeUsageRecordText(record) };
  });
  return batchesOf(written).map(({ first: { accountId, text }, texts }) => {
    const envelope = { id: createId('event'), time: toIsoTime(clock.now()) };
    return texts.length === 1
      ? write('usage.recorded', accountId, envelope, text)
      : write('usage.batch_recorded', accountId, envelope, `{"records":[${texts.join(',')}]}`);
  });
}

/** A charge or a credit, with the JSON of its `ledger.entry_posted`. */
export interface SerialisedLedgerEntry {
  readonly accountId: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly text: string;
}

/** As `writeUsageEvents`, for entries on the ledger topic; a batch bears the id of its first one. */
export function writeLedgerEvents(
  entries: readonly SerialisedLedgerEntry[],
): readonly SerialisedEvent[] {
  return batchesOf(entries).map(({ first: { accountId, seq, atMs, text }, texts }) => {
    const envelope = { id: ledgerEventId(accountId, seq), time: toIsoTime(atMs) };
    return texts.length === 1
      ? write('ledger.entry_posted', accountId, envelope, text)
      : write('ledger.batch_posted', accountId, envelope, `{"entries":[${texts.join(',')}]}`);
  });
}

interface OfAccount {
  readonly accountId: string;
  readonly text: string;
}

interface Batch<Item> {
  readonly first: Item;
  readonly texts: string[];
  length: number;
}

/** The items of each account in their order, in as few batches as the bounds allow. */
function batchesOf<Item extends OfAccount>(items: readonly Item[]): readonly Batch<Item>[] {
  const batches: Batch<Item>[] = [];
  const open = new Map<string, Batch<Item>>();
  for (const item of items) {
    const { accountId, text } = item;
    const batch = open.get(accountId);
    if (
      batch === undefined ||
      batch.texts.length === ITEMS_PER_EVENT_MAX ||
      batch.length + text.length > BATCH_TEXT_MAX
    ) {
      const next = { first: item, texts: [text], length: text.length };
      open.set(accountId, next);
      batches.push(next);
    } else {
      batch.texts.push(text);
      batch.length += text.length;
    }
  }
  return batches;
}

/** The envelope of `createEvent` around data that are written already. */
function write(
  type: EventType,
  key: string,
  { id, time }: { readonly id: string; readonly time: string },
  data: string,
): SerialisedEvent {
  const envelope = JSON.stringify({ id, type, schema_version: EVENT_SCHEMA_VERSION, time });
  return { topic: topicOf(type), key, type, text: `${envelope.slice(0, -1)},"data":${data}}` };
}
