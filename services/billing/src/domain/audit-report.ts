import { NANO_MAX } from '@tollgate/core';
import { type Account, leasedOf } from './account';
import type { Finding } from './audit-checks';

/** The result of an audit. */
export interface AuditReport {
  readonly ok: boolean;
  /** Sum of the absolute differences, in nano-units; each sum is an amount at most. */
  readonly drift: bigint;
  readonly accountsChecked: number;
  readonly absorbed: bigint;
  readonly overrun: bigint;
  readonly reserved: bigint;
  /** At most `FINDINGS_MAX`; `ok` and `drift` cover all of them. */
  readonly findings: readonly Finding[];
  /** False when the time was over before the last account was checked. */
  readonly complete: boolean;
  /** The account to go on after; undefined when it is complete, or no account was checked yet. */
  readonly checkedUpTo: string | undefined;
  readonly startedAtMs: number;
  /** Milliseconds since the epoch, as `startedAtMs`. */
  readonly checkedAtMs: number;
}

/** So many findings are told, and so much of each. */
export const FINDINGS_MAX = 1_000;
const DETAIL_LENGTH_MAX = 500;

/** The findings about one account. */
export interface CheckedAccount {
  /** Undefined when it does not exist, or cannot be read. */
  readonly account: Account | undefined;
  readonly findings: readonly Finding[];
}

/** Sums an audit up while it goes on, so that it can say at any time how far it has come. */
export interface AuditTally {
  add(accountId: string, checked: CheckedAccount): void;
  /** Findings that belong to no page of accounts. */
  addFindings(findings: readonly Finding[]): void;
  finish(): void;
  report(now: number): AuditReport;
}

/** Starts an audit that goes on after an account, or begins with the first. */
export function createAuditTally(startedAtMs: number, after: string | undefined): AuditTally {
  const nothing = { drift: 0n, accountsChecked: 0, absorbed: 0n, overrun: 0n, reserved: 0n };
  return tallyFrom({ ...nothing, ok: true, findings: [], startedAtMs }, after);
}

/** Goes on with an audit that came as far as it says. */
export function resumeAuditTally(begun: AuditReport): AuditTally {
  return tallyFrom(begun, begun.checkedUpTo);
}

/** A sum of many accounts may pass what an amount can be. */
function capped(sum: bigint): bigint {
  return sum < NANO_MAX ? sum : NANO_MAX;
}

function tallyFrom(
  begun: Omit<AuditReport, 'complete' | 'checkedUpTo' | 'checkedAtMs'>,
  after: string | undefined,
): AuditTally {
  const { drift, accountsChecked, absorbed, overrun, reserved, startedAtMs } = begun;
  const sums = { drift, accountsChecked, absorbed, overrun, reserved };
  const findings = [...begun.findings];
  let { ok } = begun;
  let complete = false;
  let checkedUpTo = after;

  const addFindings = (found: readonly Finding[]): void => {
    ok &&= found.length === 0;
    for (const { drift } of found) sums.drift += drift;
    for (const finding of found.slice(0, FINDINGS_MAX - findings.length)) {
      findings.push({ ...finding, detail: finding.detail.slice(0, DETAIL_LENGTH_MAX) });
    }
  };

  return {
    addFindings,
    add(accountId, { account, findings: found }) {
      checkedUpTo = accountId;
      addFindings(found);
      if (account === undefined) return;
      sums.accountsChecked += 1;
      sums.absorbed += account.absorbed;
      sums.overrun += account.overrun;
      sums.reserved += leasedOf(account);
    },
    finish() {
      complete = true;
    },
    report: (now) => ({
      ok,
      drift: capped(sums.drift),
      accountsChecked: sums.accountsChecked,
      absorbed: capped(sums.absorbed),
      overrun: capped(sums.overrun),
      reserved: capped(sums.reserved),
      findings: [...findings],
      complete,
      checkedUpTo: complete ? undefined : checkedUpTo,
      startedAtMs,
      checkedAtMs: now,
    }),
  };
}
