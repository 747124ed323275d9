import { toIsoTime, writeUsageRecordText } from '@tollgate/core';
import type {
  LedgerAdjustmentPosted,
  LedgerEntryPosted,
  SerialisedLedgerEntry,
} from '@tollgate/events';
import type { AdjustmentEntry, ChargeEntry, CreditEntry } from '../domain/ledger-entry';
import type { BudgetPeriod } from '../domain/usage-record';

export function toEventPeriod(period: BudgetPeriod): 'day' | 'week' | 'month' | null {
  return period === 'none' ? null : period;
}

/** An adjustment as those who follow the ledger read it. */
export function toEventAdjustment(entry: AdjustmentEntry): LedgerAdjustmentPosted {
  const { accountId: account_id, seq, adjustmentId: adjustment_id, reason } = entry;
  const amount = entry.amount.toString();
  return { account_id, seq, amount, at: toIsoTime(entry.atMs), adjustment_id, reason };
}

/** A credit or a charge as those who follow the ledger read it, written at once. */
export function writeLedgerEntry(entry: CreditEntry | ChargeEntry): SerialisedLedgerEntry {
  const { accountId, seq, atMs } = entry;
  return {
    accountId,
    seq,
    at: atMs,
    text: entry.kind === 'credit' ? creditText(entry) : chargeText(entry),
  };
}

function creditText(entry: CreditEntry): string {
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

function placeOf({ accountId: account_id, seq, amount, atMs }: CreditEntry | ChargeEntry) {
  return { account_id, seq, amount: `${amount}`, at: toIsoTime(atMs) };
}
