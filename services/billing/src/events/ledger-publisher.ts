import { assertNever, type Clock, toIsoTime } from '@tollgate/core';
import {
  createEvent,
  type EventBus,
  ledgerEventId,
  type OutgoingEvent,
  type SerialisedEvent,
  type SerialisedLedgerEntry,
  toOutgoing,
  writeLedgerEvents,
} from '@tollgate/events';
import type { JournalItem } from '../domain/journal';
import type { AdjustmentEntry } from '../domain/ledger-entry';
import type { BillingEvent, EventPublisher } from '../domain/ports';
import { createDeadLetter } from './dead-letters';
import { toEventAdjustment, toEventPeriod, writeLedgerEntry } from './to-event';

type NoticeItem = Extract<JournalItem, { kind: 'notice' }>;

function toEventNotice(accountId: string, item: NoticeItem, clock: Clock) {
  const base = { account_id: accountId, notice_seq: item.noticeSeq };
  const { notice } = item;
  switch (notice.type) {
    case 'balance.low': {
      const available = notice.available.toString();
      const threshold = notice.threshold.toString();
      const { days = null } = notice;
      return createEvent(notice.type, { ...base, available, threshold, days }, clock);
    }
    case 'spending.suspended':
    case 'spending.resumed': {
      const available = notice.available.toString();
      const threshold = notice.threshold.toString();
      return createEvent(notice.type, { ...base, available, threshold }, clock);
    }
    case 'balance.exhausted': {
      const available = notice.available.toString();
      return createEvent(notice.type, { ...base, available }, clock);
    }
    case 'credits.added': {
      const amount = notice.amount.toString();
      const available = notice.available.toString();
      const data = { ...base, credit_id: notice.creditId, amount, available };
      return createEvent(notice.type, data, clock);
    }
    case 'key.budget_exceeded': {
      const { keyId: key_id, period } = notice;
      const limit = notice.limit.toString();
      const data = { ...base, key_id, limit, period: toEventPeriod(period) };
      return createEvent(notice.type, data, clock);
    }
    default:
      return assertNever(notice);
  }
}

/**
 * The events of journal items: charges and credits in batches, and a refused record goes to the
 * dead letters too. Ids come from the item's place, so that a repeated publication is recognisable
 * as one.
 */
function toEvents(
  items: readonly BillingEvent[],
  clock: Clock,
): readonly (OutgoingEvent | SerialisedEvent)[] {
  const events: (OutgoingEvent | SerialisedEvent)[] = [];
  let entries: SerialisedLedgerEntry[] = [];
  const closeBatches = () => {
    events.push(...writeLedgerEvents(entries));
    entries = [];
  };
  for (const { accountId, item } of items) {
    if (item.kind === 'notice') {
      const notice = toEventNotice(accountId, item, clock);
      const id = `evt_${accountId}_notice_${item.noticeSeq}`;
      events.push(toOutgoing(accountId, { ...notice, id }));
      continue;
    }
    const { entry } = item;
    if (entry.kind === 'adjustment') {
      // An event of its own, which stays in its place between the others.
      closeBatches();
      events.push(toPostedAdjustment(entry, clock));
      continue;
    }
    entries.push(writeLedgerEntry(entry));
    if (entry.kind === 'charge' && entry.settledReason === 'refused') {
      events.push(createDeadLetter(entry.record, 'the record makes no sense', clock));
    }
  }
  closeBatches();
  return events;
}

function toPostedAdjustment(entry: AdjustmentEntry, clock: Clock): OutgoingEvent {
  const { accountId, atMs, seq } = entry;
  const posted = createEvent('ledger.adjustment_posted', toEventAdjustment(entry), clock);
  const place = { id: ledgerEventId(accountId, seq), time: toIsoTime(atMs) };
  return toOutgoing(accountId, { ...posted, ...place });
}

/** Publishes journal items: entries to the ledger topic, notices to the billing topic. */
export function createLedgerPublisher(options: {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly publishTimeoutMs: number;
}): EventPublisher {
  const { bus, clock, publishTimeoutMs: timeoutMs } = options;
  return {
    async publish(events) {
      await bus.publish(toEvents(events, clock), { timeoutMs });
    },
  };
}
