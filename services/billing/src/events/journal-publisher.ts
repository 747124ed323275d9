import { assertNever, type BudgetPeriod, toIsoTime, writeUsageRecordText } from '@tollgate/core';
import {
  createWaitingEvent,
  type EventBus,
  type LedgerAdjustmentPosted,
  type LedgerEntryPosted,
  ledgerEventId,
  type OutgoingEvent,
  type SerialisedEvent,
  type SerialisedLedgerEntry,
  type TollgateEvent,
  toOutgoing,
  writeLedgerEvents,
} from '@tollgate/events';
import type { JournalItem } from '../domain/journal';
import type { ChargeEntry, GrantEntry, LedgerEntry } from '../domain/ledger-entry';
import type { BillingEvent, EventPublisher } from '../domain/ports';
import { createDeadLetter } from './dead-letter-publisher';

type NoticeItem = Extract<JournalItem, { kind: 'notice' }>;

function toEventNotice(accountId: string, item: NoticeItem, currency: string): TollgateEvent {
  const { atMs, notice, noticeSeq: notice_seq } = item;
  const event = { id: `evt_${accountId}_notice_${notice_seq}`, atMs };
  const base = { account_id: accountId, notice_seq, currency };
  switch (notice.type) {
    case 'balance.low': {
      const available = notice.available.toString();
      const threshold = notice.threshold.toString();
      const { days = null } = notice;
      return createWaitingEvent(notice.type, { ...base, available, threshold, days }, event);
    }
    case 'spending.suspended':
    case 'spending.resumed': {
      const available = notice.available.toString();
      const threshold = notice.threshold.toString();
      return createWaitingEvent(notice.type, { ...base, available, threshold }, event);
    }
    case 'balance.exhausted': {
      const available = notice.available.toString();
      return createWaitingEvent(notice.type, { ...base, available }, event);
    }
    case 'credits.added': {
      const amount = notice.amount.toString();
      const available = notice.available.toString();
      const data = { ...base, credit_id: notice.creditId, amount, available };
      return createWaitingEvent(notice.type, data, event);
    }
    case 'key.budget_exceeded': {
      const { keyId: key_id, period } = notice;
      const limit = notice.limit.toString();
      const data = { ...base, key_id, limit, period: toEventPeriod(period) };
      return createWaitingEvent(notice.type, data, event);
    }
    default:
      return assertNever(notice);
  }
}

/**
 * The events of journal items: charges and credits in batches, and a refused record goes to the
 * dead letters too. Ids come from the item's place, and times from when it was written, so that a
 * repeated publication is recognisable as one.
 */
function toEvents(
  items: readonly BillingEvent[],
  currency: string,
): readonly (OutgoingEvent | SerialisedEvent)[] {
  const events: (OutgoingEvent | SerialisedEvent)[] = [];
  let entries: SerialisedLedgerEntry[] = [];
  const closeBatches = () => {
    events.push(...writeLedgerEvents(entries));
    entries = [];
  };
  for (const { accountId, item } of items) {
    if (item.kind === 'notice') {
      events.push(toOutgoing(accountId, toEventNotice(accountId, item, currency)));
      continue;
    }
    const { entry } = item;
    if (entry.kind === 'adjustment') {
      // An event of its own, which stays in its place between the others.
      closeBatches();
      events.push(toPostedAdjustment(entry));
      continue;
    }
    entries.push(writeLedgerEntry(entry));
    if (entry.kind === 'charge' && entry.settledReason === 'refused') {
      const event = { id: `evt_${accountId}_refused_${entry.seq}`, atMs: entry.atMs };
      events.push(createDeadLetter(entry.record, 'the record makes no sense', event));
    }
  }
  closeBatches();
  return events;
}

function toPostedAdjustment(entry: GrantEntry): OutgoingEvent {
  const { accountId, atMs, seq } = entry;
  const event = { id: ledgerEventId(accountId, seq), atMs };
  const data = toEventAdjustment(entry);
  return toOutgoing(accountId, createWaitingEvent('ledger.adjustment_posted', data, event));
}

/** Publishes journal items: entries to the ledger topic, notices to the billing topic. */
export function createJournalPublisher(options: {
  readonly bus: Pick<EventBus, 'publish'>;
  readonly publishTimeoutMs: number;
  readonly currency: string;
}): EventPublisher {
  const { bus, publishTimeoutMs: timeoutMs, currency } = options;
  return {
    async publish(events) {
      await bus.publish(toEvents(events, currency), { timeoutMs });
    },
  };
}

function toEventPeriod(period: BudgetPeriod): 'day' | 'week' | 'month' | null {
  return period === 'none' ? null : period;
}

/** An adjustment as those who follow the ledger read it. */
function toEventAdjustment(entry: GrantEntry): LedgerAdjustmentPosted {
  const { accountId: account_id, seq, creditId: adjustment_id, note: reason } = entry;
  const amount = entry.amount.toString();
  return { account_id, seq, amount, at: toIsoTime(entry.atMs), adjustment_id, reason };
}

/** A credit or a charge as those who follow the ledger read it, written at once. */
export function writeLedgerEntry(entry: LedgerEntry): SerialisedLedgerEntry {
  const { accountId, seq, atMs } = entry;
  return {
    accountId,
    seq,
    atMs,
    text: entry.kind === 'charge' ? chargeText(entry) : creditText(entry),
  };
}

function creditText(entry: GrantEntry): string {
  const { creditId: credit_id, note } = entry;
  const credit = { credit_id, note: note === '' ? null : note };
  const event: LedgerEntryPosted = { ...placeOf(entry), kind: 'credit', charge: null, credit };
  return JSON.stringify(event);
}

/** Its record is written by those who write nothing else: from the table it would take longer. */
function chargeText(entry: ChargeEntry): string {
  const place = JSON.stringify({ ...placeOf(entry), kind: 'charge', credit: null });
  const sums = JSON.stringify({
    charged: `${entry.amount}`,
    absorbed: `${entry.absorbed}`,
    overrun: `${entry.overrun}`,
    settled_reason: entry.settledReason,
  });
  const charge = `{"record":${writeUsageRecordText(entry.record)},${sums.slice(1)}`;
  return `${place.slice(0, -1)},"charge":${charge}}`;
}

function placeOf({ accountId: account_id, seq, amount, atMs }: LedgerEntry) {
  return { account_id, seq, amount: `${amount}`, at: toIsoTime(atMs) };
}
