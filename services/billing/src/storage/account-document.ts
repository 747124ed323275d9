import { type BudgetPeriod, nano } from '@tollgate/core';
import type { Account, BudgetSpend, Lease, OwnThresholds, SpendWindows } from '../domain/account';
import type { JournalItem } from '../domain/journal';
import type { WatermarkView } from '../domain/lease-lifecycle';
import { type EntryDocument, fromEntryDocument, toEntryDocument } from './ledger-document';
import { fromNoticeDocument, type NoticeDocument, toNoticeDocument } from './notice-document';

interface LeaseDocument {
  readonly nonce: string;
  readonly holder: string;
  readonly address: string;
  readonly key_id: string | null;
  readonly remaining: bigint;
  readonly next_seq: number;
  readonly expires_at: number;
  readonly swept: boolean;
  readonly recall: boolean;
}

interface BudgetDocument {
  readonly limit: bigint;
  readonly period: BudgetPeriod;
  readonly period_start: number;
  readonly spent: bigint;
  readonly leased: bigint;
  readonly notified: boolean;
  /** Absent while the key's period was not changed. */
  readonly former?: Omit<BudgetDocument, 'former' | 'leased'>;
}

type JournalDocument = { readonly no: number; readonly entry: EntryDocument } | NoticeDocument;

interface SpendDocument {
  readonly started_at: number;
  readonly current: bigint;
  readonly previous: bigint;
}

interface ThresholdsDocument {
  readonly amounts: readonly bigint[];
  readonly days: readonly number[];
  readonly suspend_below?: bigint;
}

/** An account as it is stored. Amounts are Int64, times are milliseconds since the epoch. */
export interface AccountDocument {
  readonly _id: string;
  readonly rev: number;
  readonly granted: bigint;
  readonly available: bigint;
  readonly posted: bigint;
  readonly ledger_seq: number;
  readonly notice_seq: number;
  readonly journal_no: number;
  readonly lease_no: number;
  readonly leases: Readonly<Record<string, LeaseDocument>>;
  readonly retired: Readonly<Record<string, number>>;
  readonly absorbed: bigint;
  readonly overrun: bigint;
  readonly budgets: Readonly<Record<string, BudgetDocument>>;
  readonly key_spend: Readonly<Record<string, bigint>>;
  /** Absent while no key was dropped from them. */
  readonly key_spend_cut?: true;
  readonly journal: readonly JournalDocument[];
  readonly last_credit: bigint;
  readonly exhausted_notified: boolean;
  readonly spend: SpendDocument;
  readonly day_spend: SpendDocument;
  /** These three are absent where there are none. */
  readonly thresholds?: ThresholdsDocument;
  readonly days_told?: readonly number[];
  readonly plan?: string;
  /** Absent while it is not known. */
  readonly plan_at?: number;
  readonly updated_at: number;

  // Derived members, for the indexes that journals, the sweeper and retirement search.
  /** When the account was written; absent while its journal is empty. */
  readonly journal_at?: number;
  /** Earliest expiry of a lease that is not swept; absent when there is none. */
  readonly sweep_at?: number;
  /** Earliest expiry of a swept lease; absent when there is none. */
  readonly swept_at?: number;
  readonly holders?: readonly string[];
}

/** The members that `findWatermarks` asks for. */
type WatermarkDocument = Pick<AccountDocument, '_id' | 'lease_no' | 'retired'> & {
  readonly leases: Readonly<Record<string, Pick<LeaseDocument, 'next_seq'>>>;
};

function toLeaseDocument(lease: Lease): LeaseDocument {
  return {
    nonce: lease.nonce,
    holder: lease.holder,
    address: lease.holderAddress,
    key_id: lease.keyId ?? null,
    remaining: lease.remaining,
    next_seq: lease.nextNumber,
    expires_at: lease.expiresAtMs,
    swept: lease.swept,
    recall: lease.recall,
  };
}

function fromLeaseDocument(document: LeaseDocument): Lease {
  return {
    nonce: document.nonce,
    holder: document.holder,
    holderAddress: document.address,
    keyId: document.key_id ?? undefined,
    remaining: nano(document.remaining),
    nextNumber: document.next_seq,
    expiresAtMs: document.expires_at,
    swept: document.swept,
    recall: document.recall,
  };
}

function toBudgetDocument(budget: BudgetSpend): BudgetDocument {
  const { former, leased, ...own } = budget;
  const document = { ...toPeriodDocument(own), leased };
  return former === undefined ? document : { ...document, former: toPeriodDocument(former) };
}

type PeriodSpend = NonNullable<BudgetSpend['former']>;
type PeriodDocument = NonNullable<BudgetDocument['former']>;

function toPeriodDocument({ limit, notified, period, periodStartMs, spent }: PeriodSpend) {
  return { limit, period, period_start: periodStartMs, spent, notified };
}

function fromBudgetDocument({ former, leased, ...own }: BudgetDocument): BudgetSpend {
  const budget = { ...fromPeriodDocument(own), leased: nano(leased) };
  return former === undefined ? budget : { ...budget, former: fromPeriodDocument(former) };
}

function fromPeriodDocument(document: PeriodDocument): PeriodSpend {
  return {
    limit: nano(document.limit),
    period: document.period,
    periodStartMs: document.period_start,
    spent: nano(document.spent),
    notified: document.notified,
  };
}

function toJournalDocument(item: JournalItem): JournalDocument {
  if (item.kind === 'notice') return toNoticeDocument(item);
  return { no: item.no, entry: toEntryDocument(item.entry) };
}

function fromJournalDocument(document: JournalDocument): JournalItem {
  if (!('entry' in document)) return fromNoticeDocument(document);
  return { kind: 'entry', no: document.no, entry: fromEntryDocument(document.entry) };
}

function mapValues<Key extends string | number, From, To>(
  map: ReadonlyMap<Key, From>,
  convert: (value: From) => To,
): Readonly<Record<string, To>> {
  const record: Record<string, To> = {};
  for (const [key, value] of map) record[String(key)] = convert(value);
  return record;
}

function toNumberMap<From, To>(
  record: Readonly<Record<string, From>>,
  convert: (value: From) => To,
): ReadonlyMap<number, To> {
  return new Map(Object.entries(record).map(([key, value]) => [Number(key), convert(value)]));
}

function derivedMembers(account: Account): Partial<AccountDocument> {
  let sweepAt = Number.POSITIVE_INFINITY;
  let sweptAt = Number.POSITIVE_INFINITY;
  const holders = new Set<string>();
  for (const { swept, expiresAtMs, holder } of account.leases.values()) {
    if (swept) sweptAt = Math.min(sweptAt, expiresAtMs);
    else sweepAt = Math.min(sweepAt, expiresAtMs);
    holders.add(holder);
  }
  return {
    ...(account.journal.length > 0 ? { journal_at: account.updatedAtMs } : {}),
    ...(Number.isFinite(sweepAt) ? { sweep_at: sweepAt } : {}),
    ...(Number.isFinite(sweptAt) ? { swept_at: sweptAt } : {}),
    ...(holders.size > 0 ? { holders: [...holders] } : {}),
  };
}

function toSpendDocument({ startedAtMs, current, previous }: SpendWindows): SpendDocument {
  return { started_at: startedAtMs, current, previous };
}

function fromSpendDocument({ started_at, current, previous }: SpendDocument): SpendWindows {
  return { startedAtMs: started_at, current: nano(current), previous: nano(previous) };
}

function toThresholdsDocument(thresholds: OwnThresholds): ThresholdsDocument {
  const { amounts, days, suspendBelow } = thresholds;
  return { amounts, days, ...(suspendBelow === undefined ? {} : { suspend_below: suspendBelow }) };
}

function fromThresholdsDocument(document: ThresholdsDocument): OwnThresholds {
  const { amounts, days, suspend_below: below } = document;
  return {
    amounts: amounts.map(nano),
    days,
    suspendBelow: below === undefined ? undefined : nano(below),
  };
}

export function toAccountDocument(account: Account): AccountDocument {
  const { thresholds, daysNotified, plan, planAtMs } = account;
  return {
    _id: account.id,
    rev: account.rev,
    granted: account.granted,
    available: account.available,
    posted: account.posted,
    ledger_seq: account.ledgerSeq,
    notice_seq: account.noticeSeq,
    journal_no: account.journalNo,
    lease_no: account.leaseNo,
    leases: mapValues(account.leases, toLeaseDocument),
    retired: mapValues(account.retired, (nextNumber) => nextNumber),
    absorbed: account.absorbed,
    overrun: account.overrun,
    budgets: mapValues(account.budgets, toBudgetDocument),
    key_spend: mapValues(account.chargedByKey, (spent) => spent),
    ...(account.chargedKeysDropped ? { key_spend_cut: true } : {}),
    journal: account.journal.map(toJournalDocument),
    last_credit: account.lastCredit,
    exhausted_notified: account.exhaustedNotified,
    spend: toSpendDocument(account.spend),
    day_spend: toSpendDocument(account.daySpend),
    ...(thresholds === undefined ? {} : { thresholds: toThresholdsDocument(thresholds) }),
    ...(daysNotified.length === 0 ? {} : { days_told: daysNotified }),
    ...(plan === undefined ? {} : { plan }),
    ...(planAtMs === 0 ? {} : { plan_at: planAtMs }),
    updated_at: account.updatedAtMs,
    ...derivedMembers(account),
  };
}

export function fromAccountDocument(document: AccountDocument): Account {
  const { thresholds } = document;
  const budgets = Object.entries(document.budgets);
  return {
    id: document._id,
    rev: document.rev,
    granted: nano(document.granted),
    available: nano(document.available),
    posted: nano(document.posted),
    ledgerSeq: document.ledger_seq,
    noticeSeq: document.notice_seq,
    journalNo: document.journal_no,
    leaseNo: document.lease_no,
    leases: toNumberMap(document.leases, fromLeaseDocument),
    retired: toNumberMap(document.retired, (nextNumber) => nextNumber),
    absorbed: nano(document.absorbed),
    overrun: nano(document.overrun),
    budgets: new Map(budgets.map(([keyId, budget]) => [keyId, fromBudgetDocument(budget)])),
    chargedByKey: new Map(
      Object.entries(document.key_spend).map(([keyId, spent]) => [keyId, nano(spent)]),
    ),
    chargedKeysDropped: document.key_spend_cut ?? false,
    journal: document.journal.map(fromJournalDocument),
    lastCredit: nano(document.last_credit),
    exhaustedNotified: document.exhausted_notified,
    spend: fromSpendDocument(document.spend),
    daySpend: fromSpendDocument(document.day_spend),
    thresholds: thresholds === undefined ? undefined : fromThresholdsDocument(thresholds),
    daysNotified: document.days_told ?? [],
    plan: document.plan,
    planAtMs: document.plan_at ?? 0,
    updatedAtMs: document.updated_at,
  };
}

/** Throws for a damaged document: spools forget what a watermark covers, and it has to be true. */
export function fromWatermarkDocument(document: WatermarkDocument): WatermarkView {
  const wholeNumber = (value: unknown): number => {
    if (Number.isSafeInteger(value)) return Number(value);
    throw new TypeError(`${document._id} has something else where a number of a lease should be`);
  };
  return {
    id: document._id,
    leaseNo: wholeNumber(document.lease_no),
    retired: toNumberMap(document.retired, wholeNumber),
    leases: toNumberMap(document.leases, (lease) => ({ nextNumber: wholeNumber(lease.next_seq) })),
  };
}
