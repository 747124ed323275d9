import { fromIsoTime } from '@tollgate/core';
import {
  type DenialsCounted,
  fromUsageRecordEvent,
  type LedgerAdjustmentPosted,
  type LedgerEntryPosted,
} from '@tollgate/events';
import { chargedRequestOf, type LedgerEntry } from '../domain/ledger-entry';
import type { Denials } from '../domain/ports';

/** A ledger entry as figures see it. */
export function fromLedgerEvent(entry: LedgerEntryPosted | LedgerAdjustmentPosted): LedgerEntry {
  const place = {
    accountId: entry.account_id,
    seq: BigInt(entry.seq),
    atMs: fromIsoTime(entry.at) ?? 0,
  };
  // Credits and adjustments are places in the sequence and nothing to count.
  if (!('charge' in entry) || entry.charge === null) return place;
  const { record, charged } = entry.charge;
  return { ...place, ...chargedRequestOf(fromUsageRecordEvent(record), BigInt(charged)) };
}

/** Denials that one gateway counted within one window. */
export function fromDenialsEvent(id: string, denied: DenialsCounted): Denials {
  return {
    id,
    accountId: denied.account_id,
    keyId: denied.key_id ?? '',
    atMs: fromIsoTime(denied.window_start) ?? 0,
    count: denied.count,
  };
}
