import type { Account } from './account';
import type { Finding } from './check-account';
import type { LedgerEntry } from './ledger-entry';

/** Sums up an account's ledger, entry by entry, and compares it with the account. */
export interface LedgerCheck {
  /** The next entry, in ascending order. */
  add(entry: LedgerEntry): void;
  /** What is wrong once every entry up to the account's `ledgerSeq` was added. */
  findings(): readonly Finding[];
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Starts a check against the account as it was read before its ledger was. */
export function createLedgerCheck(account: Account): LedgerCheck {
  const findings: Finding[] = [];
  const sums = { charges: 0n, granted: 0n, absorbed: 0n, overrun: 0n };
  let lastSeq = 0;

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
