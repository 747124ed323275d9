import { assertNever, type Clock, toIsoTime } from '@tollgate/core';
import { createEvent, type EventBus, type OutgoingEvent, toOutgoing } from '@tollgate/events';
import type { JournalItem } from '../domain/journal';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { BillingEvent, EventPublisher } from '../domain/ports';
import { createDeadLetter } from './dead-letters';
import { toEventAdjustment, toEventLedgerEntry, toEventPeriod } from './to-event';

type NoticeItem = Extract<JournalItem, { kind: 'notice' }>;

function toEventNotice(accountId: string, item: NoticeItem, clock: Clock) {
  const base = { account_id: accountId, notice_seq: item.noticeSeq };
  const { notice } = item;
  switch (notice.type) {
    case 'balance.low': {
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

function toPosted(entry: LedgerEntry, clock: Clock) {
  return entry.kind === 'adjustment'
    ? createEvent('ledger.adjustment_posted', toEventAdjustment(entry), clock)
    : createEvent('ledger.entry_posted', toEventLedgerEntry(entry), clock);
}

/**
 * The events of one journal item; a refused record goes to the dead letters too. Ids come
 * from the item's place, so that a repeated publication is recognisable as one.
 */
function toEvents({ accountId, item }: BillingEvent, clock: Clock): readonly OutgoingEvent[] {
  if (item.kind === 'notice') {
    const notice = toEventNotice(accountId, item, clock);
    return [toOutgoing(accountId, { ...notice, id: `evt_${accountId}_notice_${item.noticeSeq}` })];
  }
  const { entry } = item;
  const posted = toPosted(entry, clock);
  const id = `evt_${accountId}_ledger_${entry.seq}`;
  const event = toOutgoing(accountId, { ...posted, id, time: toIsoTime(entry.at) });
  if (entry.kind !== 'charge' || entry.settledReason !== 'refused') return [event];
  return [event, createDeadLetter(entry.record, 'the record makes no sense', clock)];
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
      await bus.publish(
        events.flatMap((event) => toEvents(event, clock)),
        { timeoutMs },
      );
    },
  };
}
