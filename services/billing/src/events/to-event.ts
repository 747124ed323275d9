import { toIsoTime } from '@tollgate/core';
import {
  type LedgerAdjustmentPosted,
  type LedgerEntryPosted,
  toUsageRecordEvent,
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
  return { account_id, seq, amount, at: toIsoTime(entry.at), adjustment_id, reason };
}

/** A credit or a charge as those who follow the ledger read it. */
export function toEventLedgerEntry(entry: CreditEntry | ChargeEntry): LedgerEntryPosted {
  const { accountId: account_id, seq } = entry;
  const amount = entry.amount.toString();
  const base = { account_id, seq, amount, at: toIsoTime(entry.at) };
  if (entry.kind === 'credit') {
    const note = entry.note === '' ? null : entry.note;
    return { ...base, kind: 'credit', charge: null, credit: { credit_id: entry.creditId, note } };
  }
  const charge = {
    record: toUsageRecordEvent(entry.record),
    charged: amount,
    absorbed: entry.absorbed.toString(),
    overrun: entry.overrun.toString(),
    settled_reason: entry.settledReason,
  };
  return { ...base, kind: 'charge', charge, credit: null };
}
