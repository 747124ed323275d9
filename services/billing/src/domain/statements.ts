import { NANO_MAX, type Nano, nano, toIsoTime, ZERO_NANO } from '@tollgate/core';
import type { ChargeEntry, LedgerEntry } from './ledger-entry';

/** What one API key was charged for one model within a month. */
export interface StatementLine {
  /** Empty in the line of all that the others have no room for. */
  readonly model: string;
  readonly keyId: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly amount: Nano;
}

/**
 * A month of an account's ledger: closing = opening + credits + adjustments - charges. It is final
 * once a later month has begun.
 */
export interface Statement {
  readonly accountId: string;
  /** As `2026-01`, UTC. */
  readonly month: string;
  /** The balance when it began. */
  readonly opening: Nano;
  readonly credits: Nano;
  /** Below 0 when more was taken back than given. See `asAmounts` for where the two are lessened. */
  readonly adjustments: Nano;
  readonly charges: Nano;
  readonly closing: Nano;
  readonly lines: readonly StatementLine[];
  /** Every entry of the account up to this sequence is in this statement or in an earlier one. */
  readonly throughSeq: number;
}

const LINES_MAX = 500;
const OTHER = { model: '', keyId: '' } as const;

/** The statement of an entry that follows another statement, or that is the account's first. */
export function openStatement(entry: LedgerEntry, before: Statement | undefined): Statement {
  const opening = before?.closing ?? ZERO_NANO;
  return {
    accountId: entry.accountId,
    month: monthOf(entry),
    opening,
    closing: opening,
    credits: ZERO_NANO,
    adjustments: ZERO_NANO,
    charges: ZERO_NANO,
    lines: [],
    throughSeq: before?.throughSeq ?? 0,
  };
}

/**
 * Whether an entry begins the next statement. Clocks of replicas differ: what was added after an
 * entry of a later month belongs to that month, too.
 */
export function beginsNext(statement: Statement, entry: LedgerEntry): boolean {
  return monthOf(entry) > statement.month;
}

/** The statement with the entries, which follow what it has without a gap and are of its month. */
export function withEntries(statement: Statement, entries: readonly LedgerEntry[]): Statement {
  let { throughSeq } = statement;
  // Credits and adjustments may be more than an amount on the way to sums that are none.
  const sums: Record<LedgerEntry['kind'], bigint> = {
    credit: statement.credits,
    adjustment: statement.adjustments,
    charge: statement.charges,
  };
  const lines = new Map(statement.lines.map((line) => [`${line.keyId} ${line.model}`, line]));
  for (const entry of entries) {
    throughSeq = entry.seq;
    sums[entry.kind] += entry.amount;
    if (entry.kind === 'charge') addCharge(lines, entry);
  }
  const { credit, adjustment, charge } = sums;
  return {
    ...statement,
    ...asAmounts(credit, adjustment),
    charges: nano(charge),
    closing: nano(statement.opening + credit + adjustment - charge),
    throughSeq,
    lines: [...lines.values()],
  };
}

/**
 * Credit that is given, taken back and given again may come to more in a month than an amount can be,
 * though the account never had so much. Then both sums are lessened alike, and the closing balance
 * is still theirs. Both fit after that, because together they are an amount.
 */
function asAmounts(
  credits: bigint,
  adjustments: bigint,
): Pick<Statement, 'credits' | 'adjustments'> {
  const over = [credits - NANO_MAX, -NANO_MAX - adjustments, 0n];
  const most = over.reduce((a, b) => (a > b ? a : b));
  return { credits: nano(credits - most), adjustments: nano(adjustments + most) };
}

function addCharge(lines: Map<string, StatementLine>, { amount, record }: ChargeEntry): void {
  const { keyId, model } = record;
  const own = `${keyId} ${model}`;
  const hasRoom = lines.has(own) || lines.size < LINES_MAX - 1;
  // Without a key and a model it is the line of all others.
  const name = hasRoom ? own : ' ';
  const line = lines.get(name);
  lines.set(name, {
    ...(hasRoom ? { model, keyId } : OTHER),
    requests: (line?.requests ?? 0) + 1,
    promptTokens: (line?.promptTokens ?? 0) + record.promptTokens,
    completionTokens: (line?.completionTokens ?? 0) + record.completionTokens,
    amount: nano((line?.amount ?? 0n) + amount),
  });
}

function monthOf({ atMs }: LedgerEntry): string {
  return toIsoTime(atMs).slice(0, 'yyyy-mm'.length);
}
