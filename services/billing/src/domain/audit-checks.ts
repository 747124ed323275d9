import { type Account, leasedOf } from './account';
import type { LedgerEntry } from './ledger-entry';

/** A rule that an account or its ledger breaks. */
export interface Finding {
  readonly accountId: string;
  /** Short and stable, such as `sum` or `ledger_gap`. */
  readonly rule: string;
  readonly detail: string;
  /** By how much money, in nano-units; 0 where the rule is not about an amount. */
  readonly drift: bigint;
}

type Report = (rule: string, detail: string, drift?: bigint) => void;

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function checkSums(account: Account, report: Report): void {
  const { granted, available, posted } = account;
  const reserved = leasedOf(account);
  const difference = granted - (available + reserved + posted);
  if (difference !== 0n) {
    const parts = `available ${available} + leases ${reserved} + posted ${posted}`;
    report('sum', `granted ${granted} is not ${parts}`, absolute(difference));
  }
  const amounts = { granted, available, posted, absorbed: account.absorbed };
  for (const [name, amount] of Object.entries({ ...amounts, overrun: account.overrun })) {
    if (amount < 0n) report('negative', `${name} is ${amount}`, -amount);
  }
}

function checkLeases(account: Account, report: Report): void {
  const nonces = new Set<string>();
  for (const [number, lease] of account.leases) {
    const { remaining, nextNumber, nonce } = lease;
    if (remaining < 0n) report('negative', `lease ${number} holds ${remaining}`, -remaining);
    if (lease.swept && remaining !== 0n) report('swept', `lease ${number} holds ${remaining}`);
    if (number < 1 || number > account.leaseNo) report('lease_number', `lease ${number}`);
    if (nextNumber < 1) report('lease_number', `lease ${number} waits for record ${nextNumber}`);
    if (nonces.has(nonce)) report('nonce', `lease ${number} repeats another lease's nonce`);
    nonces.add(nonce);
    if (account.retired.has(number)) report('retired', `lease ${number} is open and retired`);
  }
  for (const number of account.retired.keys()) {
    if (number < 1 || number > account.leaseNo) report('lease_number', `retired lease ${number}`);
  }
}

function checkBudgets(account: Account, report: Report): void {
  const leased = new Map<string, bigint>();
  for (const { keyId, remaining } of account.leases.values()) {
    if (keyId !== undefined) leased.set(keyId, (leased.get(keyId) ?? 0n) + remaining);
  }
  for (const [keyId, budget] of account.budgets) {
    if (budget.spent < 0n) report('negative', `key ${keyId} spent ${budget.spent}`);
    const expected = leased.get(keyId) ?? 0n;
    if (budget.leased !== expected) {
      const detail = `key ${keyId} has ${budget.leased} leased, its leases hold ${expected}`;
      report('budget', detail, absolute(budget.leased - expected));
    }
    leased.delete(keyId);
  }
  for (const [keyId, amount] of leased) {
    if (amount !== 0n) report('budget', `key ${keyId} leases ${amount} without a budget`, amount);
  }
}

function checkJournal(account: Account, report: Report): void {
  let no = account.journalNo - account.journal.length;
  const entries = account.journal.filter(({ kind }) => kind === 'entry').length;
  let seq = account.ledgerSeq - entries;
  let noticeSeq = 0;
  for (const item of account.journal) {
    no += 1;
    if (item.no !== no) report('journal_gap', `item ${item.no} stands where ${no} belongs`);
    if (item.kind === 'notice') {
      // A restore raises the account's number beyond those that stand in its journal.
      const isInOrder = item.noticeSeq > noticeSeq && item.noticeSeq <= account.noticeSeq;
      if (!isInOrder) report('journal_gap', `notice ${item.noticeSeq}`);
      noticeSeq = item.noticeSeq;
      continue;
    }
    seq += 1;
    if (item.entry.seq !== seq) report('journal_gap', `entry ${item.entry.seq}, not ${seq}`);
  }
}

/** Everything that must hold within one account document; empty when it does. */
export function checkAccount(account: Account): readonly Finding[] {
  const findings: Finding[] = [];
  const report: Report = (rule, detail, drift = 0n) => {
    findings.push({ accountId: account.id, rule, detail, drift });
  };
  checkSums(account, report);
  checkLeases(account, report);
  checkBudgets(account, report);
  checkJournal(account, report);
  return findings;
}

/** The sums of a ledger's entries, from the first up to `seq`. */
export interface LedgerSums {
  /** Of the last entry. */
  readonly seq: number;
  readonly charges: bigint;
  readonly granted: bigint;
  readonly absorbed: bigint;
  readonly overrun: bigint;
}

export const NO_ENTRIES: LedgerSums = {
  seq: 0,
  charges: 0n,
  granted: 0n,
  absorbed: 0n,
  overrun: 0n,
};

/** Sums up an account's ledger, entry by entry, and compares it with the account. */
export interface LedgerCheck {
  /** The next entry, in ascending order. */
  add(entry: LedgerEntry): void;
  /** The sums so far, those that it started from included. */
  sums(): LedgerSums;
  /** Of what was added so far, no entry was missing or repeated. */
  isGapless(): boolean;
  /** The faults once every entry up to the account's `ledgerSeq` was added. */
  findings(): readonly Finding[];
}

/**
 * Starts a check against the account as it was read before its ledger was, with the first entry or
 * after those that were found to be sound before.
 */
export function createLedgerCheck(account: Account, from: LedgerSums = NO_ENTRIES): LedgerCheck {
  const findings: Finding[] = [];
  const sums = {
    charges: from.charges,
    granted: from.granted,
    absorbed: from.absorbed,
    overrun: from.overrun,
  };
  let lastSeq = from.seq;

  const report = (rule: string, detail: string, drift = 0n) => {
    findings.push({ accountId: account.id, rule, detail, drift });
  };
  const compare = (rule: string, name: string, found: bigint, expected: bigint) => {
    if (found === expected) return;
    report(
      rule,
      `the ledger has ${name} ${found}, the account ${expected}`,
      absolute(found - expected),
    );
  };

  return {
    add(entry) {
      if (entry.seq !== lastSeq + 1) {
        report('ledger_gap', `entry ${entry.seq} follows entry ${lastSeq}`);
      }
      lastSeq = entry.seq;
      if (entry.kind !== 'charge') {
        sums.granted += entry.amount;
        return;
      }
      sums.charges += entry.amount;
      sums.absorbed += entry.absorbed;
      sums.overrun += entry.overrun;
    },
    sums: () => ({ seq: lastSeq, ...sums }),
    isGapless: () => findings.length === 0,
    findings() {
      if (lastSeq !== account.ledgerSeq) {
        report('ledger_gap', `the ledger ends at ${lastSeq}, the account at ${account.ledgerSeq}`);
      }
      compare('charges', 'charges of', sums.charges, account.posted);
      compare('credits', 'credits and adjustments of', sums.granted, account.granted);
      compare('absorbed', 'absorbed', sums.absorbed, account.absorbed);
      compare('overrun', 'overrun', sums.overrun, account.overrun);
      return findings;
    },
  };
}

/** How much of an account's ledger was found to be sound, so that the next audit goes on there. */
export interface SoundMark {
  readonly kind: 'sound';
  readonly sums: LedgerSums;
  /** When the check that began with the first entry did so. */
  readonly wholeAtMs: number;
}

/** What a check of a whole ledger found in it. */
export interface FaultyMark {
  readonly kind: 'faulty';
  /** When that check began. */
  readonly atMs: number;
  /** Entries that it read at most. */
  readonly entries: number;
  /** Those of the ledger, not of the account's document. */
  readonly findings: readonly Finding[];
}

/** What audits left of an account's ledger. */
export type AuditMark = SoundMark | FaultyMark;
