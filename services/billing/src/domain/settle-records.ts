import {
  DAY_MS,
  minNano,
  type Nano,
  type SettledReason,
  type UsageRecord,
  ZERO_NANO,
} from '@tollgate/core';
import { type Account, type Change, type Lease, minus, minusToZero, plus } from './account';
import type { AccountBounds } from './account-bounds';
import { budgetRoom, notifyOfBudget, rollBudget, spendBudget } from './budgets';
import { type AccountDraft, addEntry, draftOf, hasJournalRoom } from './draft';
import { countKeyCharge } from './key-charges';
import { releaseRemaining } from './lease-lifecycle';
import type { ChargeEntry } from './ledger-entry';
import { recordSpend } from './spend';
import { notifyOfBalance } from './thresholds';
import {
  type MalformedRecord,
  priceOfRecord,
  type ReceivedRecord,
  toRefusedRecord,
} from './usage-record';

/**
 * The outcome of one record.
 * - `charged`: it was next in its lease and is in the ledger (free and refused ones with 0).
 * - `closed`: it was the lease's CLOSE; the remainder is back and the lease is gone.
 * - `duplicate`: it settled before.
 * - `gap`: a lower number is missing; the spool sends both again.
 * - `foreign`: no such lease was ever granted to this spool; nothing was done.
 * - `deferred`: the journal is full; send it again once it was stored.
 */
export type RecordOutcome =
  | {
      readonly kind: 'charged';
      readonly record: ReceivedRecord;
      readonly settledReason: SettledReason;
      readonly charged: Nano;
      readonly absorbed: Nano;
      readonly overrun: Nano;
      /** The holder's own figure differs from what its tokens and reservation give. */
      readonly mismatch: boolean;
    }
  | {
      readonly kind: 'closed' | 'duplicate' | 'gap' | 'foreign' | 'deferred';
      readonly record: ReceivedRecord;
    };

interface Charge {
  readonly charged: Nano;
  readonly absorbed: Nano;
  readonly overrun: Nano;
  readonly settledReason: SettledReason;
}

const NO_CHARGE = { charged: ZERO_NANO, absorbed: ZERO_NANO, overrun: ZERO_NANO };

interface Settling {
  readonly draft: AccountDraft;
  /** Leases with a deferred record: later records of the same lease are `deferred`, not a `gap`. */
  readonly deferred: Set<number>;
  readonly now: number;
  readonly bounds: AccountBounds;
}

/** By lease and number, so that a batch that was shuffled on its way leaves no gaps of its own. */
function inOrder(records: readonly ReceivedRecord[]): readonly ReceivedRecord[] {
  return [...records].sort((a, b) => a.lease - b.lease || a.number - b.number);
}

/** The account's share of a record that its open lease has room for, and the rest. */
function chargeOpenLease(price: Nano, reserved: Nano, lease: Lease): Charge {
  const charged = minNano(minNano(price, reserved), lease.remaining);
  const overrun = minus(price, charged);
  return { charged, absorbed: ZERO_NANO, overrun, settledReason: 'settled' };
}

/** After a sweep the reservation is gone: the account pays what it and the key still can. */
function chargeSweptLease(settling: Settling, price: Nano, reserved: Nano, lease: Lease): Charge {
  const { draft, now } = settling;
  const due = minNano(price, reserved);
  const budget = lease.keyId === undefined ? undefined : draft.budgets.get(lease.keyId);
  const payable = minNano(due, draft.available);
  const charged =
    budget === undefined ? payable : minNano(payable, budgetRoom(rollBudget(budget, now)));
  return {
    charged,
    absorbed: minus(due, charged),
    overrun: minus(price, due),
    settledReason: 'swept',
  };
}

/** Counts a charge in the key's present period; the leased part of it is no longer leased. */
function chargeBudget(settling: Settling, lease: Lease, charged: Nano): void {
  const { draft, now } = settling;
  if (lease.keyId === undefined) return;
  const budget = draft.budgets.get(lease.keyId);
  if (budget === undefined) return;
  const rolled = rollBudget(budget, now);
  const spent = spendBudget(rolled, charged);
  const leased = lease.swept ? rolled.leased : minusToZero(rolled.leased, charged);
  draft.budgets.set(lease.keyId, { ...spent, leased });
  if (spent.spent >= rolled.limit) notifyOfBudget(draft, lease.keyId, now);
}

/** Writes the charge into the account's sums and its journal. */
function post(settling: Settling, record: UsageRecord, charge: Charge): void {
  const { draft, now, bounds } = settling;
  const { thresholds, granted, posted } = draft;
  draft.posted = plus(draft.posted, charge.charged);
  draft.absorbed = plus(draft.absorbed, charge.absorbed);
  draft.overrun = plus(draft.overrun, charge.overrun);
  draft.spend = recordSpend(draft.spend, charge.charged, now, bounds.spendWindowMs);
  draft.daySpend = recordSpend(draft.daySpend, charge.charged, now, DAY_MS);
  const { charged, absorbed, overrun, settledReason } = charge;
  addEntry<ChargeEntry>(draft, {
    kind: 'charge',
    amount: charged,
    atMs: now,
    record,
    absorbed,
    overrun,
    settledReason,
  });
  notifyOfBalance(draft, { thresholds, granted, posted }, now, bounds);
  countKeyCharge(draft, record.keyId, charged, bounds.budgetsMax);
}

function recordOutcomeOf(record: ReceivedRecord, charge: Charge): RecordOutcome {
  const { charged, absorbed, overrun, settledReason } = charge;
  const due = charged + absorbed;
  const mismatch = record.kind === 'usage' && settledReason !== 'refused' && record.amount !== due;
  return { kind: 'charged', record, settledReason, charged, absorbed, overrun, mismatch };
}

/** Settles a record that makes no sense at 0. */
function postRefused(settling: Settling, record: UsageRecord | MalformedRecord): RecordOutcome {
  const charge: Charge = { ...NO_CHARGE, settledReason: 'refused' };
  post(settling, toRefusedRecord(record), charge);
  return recordOutcomeOf(record, charge);
}

/** Applies the record that is next in an open lease. */
function applyToLease(
  settling: Settling,
  record: UsageRecord | MalformedRecord,
  lease: Lease,
): RecordOutcome {
  const { draft } = settling;
  const price = record.kind === 'usage' ? priceOfRecord(record) : undefined;
  if (price === undefined || record.kind === 'malformed') {
    draft.leases.set(record.lease, { ...lease, nextNumber: lease.nextNumber + 1 });
    return postRefused(settling, record);
  }
  const charge = lease.swept
    ? chargeSweptLease(settling, price, record.reserved, lease)
    : chargeOpenLease(price, record.reserved, lease);
  const remaining = lease.swept ? lease.remaining : minus(lease.remaining, charge.charged);
  if (lease.swept) draft.available = minus(draft.available, charge.charged);
  draft.leases.set(record.lease, { ...lease, remaining, nextNumber: lease.nextNumber + 1 });
  post(settling, record, charge);
  chargeBudget(settling, lease, charge.charged);
  return recordOutcomeOf(record, charge);
}

/** Applies the record that is next in a retired lease: delivered, and nobody's to pay. */
function applyToRetired(settling: Settling, record: ReceivedRecord): RecordOutcome {
  const { draft } = settling;
  if (record.kind === 'close') {
    draft.retired.delete(record.lease);
    return { kind: 'closed', record };
  }
  draft.retired.set(record.lease, record.number + 1);
  const price = record.kind === 'usage' ? priceOfRecord(record) : undefined;
  if (price === undefined || record.kind === 'malformed') {
    return postRefused(settling, record);
  }
  const absorbed = minNano(price, record.reserved);
  const overrun = minus(price, absorbed);
  const charge: Charge = { charged: ZERO_NANO, absorbed, overrun, settledReason: 'retired' };
  post(settling, record, charge);
  return recordOutcomeOf(record, charge);
}

function settleOne(settling: Settling, record: ReceivedRecord): RecordOutcome {
  const { draft, bounds } = settling;
  const { lease: leaseNumber, number: recordNumber } = record;
  const lease = draft.leases.get(leaseNumber);
  const next = lease?.nextNumber ?? draft.retired.get(leaseNumber);
  if (next === undefined) {
    // Every lease up to the newest existed once: one that is gone has settled in full.
    const existed = leaseNumber >= 1 && leaseNumber <= draft.leaseNo;
    return { kind: existed ? 'duplicate' : 'foreign', record };
  }
  // Applying another spool's number would make the true record of that number a duplicate.
  if (lease !== undefined && lease.holder !== record.holder) return { kind: 'foreign', record };
  if (recordNumber < next) return { kind: 'duplicate', record };
  if (recordNumber !== next) {
    return { kind: settling.deferred.has(leaseNumber) ? 'deferred' : 'gap', record };
  }
  if (!hasJournalRoom(draft, bounds.journalMax)) {
    settling.deferred.add(leaseNumber);
    return { kind: 'deferred', record };
  }
  if (lease === undefined) return applyToRetired(settling, record);
  if (record.kind !== 'close') return applyToLease(settling, record, lease);
  releaseRemaining(draft, lease, settling.now);
  draft.leases.delete(leaseNumber);
  return { kind: 'closed', record };
}

/**
 * Settles a batch of one account's records, of any of its leases. A record is applied when it is
 * the next of its lease and never otherwise, so that repeats and reordering change nothing. One that
 * makes no sense settles at 0 when it is the next: refused, it would hold up all that come after it.
 */
export function settleRecords(
  account: Account,
  records: readonly ReceivedRecord[],
  now: number,
  bounds: AccountBounds,
): Change<readonly RecordOutcome[]> {
  const settling: Settling = { draft: draftOf(account), deferred: new Set(), now, bounds };
  const outcomes = inOrder(records).map((record) => settleOne(settling, record));
  const changed = outcomes.some(({ kind }) => kind === 'charged' || kind === 'closed');
  return { account: changed ? settling.draft : account, outcome: outcomes };
}
