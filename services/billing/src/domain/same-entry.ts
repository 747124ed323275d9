import { AppError } from '@tollgate/core';
import type { LedgerEntry } from './ledger-entry';

/** Whether two entries in one place say the same: what differs otherwise follows from these. */
export function isSameEntry(a: LedgerEntry, b: LedgerEntry): boolean {
  if (a.amount !== b.amount || a.at !== b.at) return false;
  if (a.kind === 'credit') return b.kind === 'credit' && a.creditId === b.creditId;
  if (a.kind === 'adjustment') {
    return b.kind === 'adjustment' && a.adjustmentId === b.adjustmentId;
  }
  if (b.kind !== 'charge') return false;
  return (
    a.record.lease === b.record.lease &&
    a.record.number === b.record.number &&
    a.record.requestId === b.record.requestId &&
    a.settledReason === b.settledReason
  );
}

/** Two histories of one account: nothing may be overwritten, and somebody must look. */
export function createEntryConflict(entry: LedgerEntry): AppError {
  return new AppError('DATABASE_ERROR', {
    internalMessage: `another entry stands at ${entry.accountId}:${entry.seq} of the ledger`,
    retryable: false,
  });
}
