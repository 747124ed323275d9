import { AppError, type Clock, toAppError } from '@tollgate/core';
import { type Account, reservedOf } from '../domain/account';
import { checkAccount, type Finding } from '../domain/check-account';
import { createLedgerCheck } from '../domain/check-ledger';
import type { AccountStore, LedgerStore, QuarantineStore } from '../domain/ports';
import { journalEntries } from './list-ledger';
import { isAway } from './quarantine';

/** What the audit found. */
export interface AuditReport {
  readonly ok: boolean;
  /** Sum of the absolute differences, in nano-units. */
  readonly drift: bigint;
  readonly accountsChecked: number;
  readonly absorbed: bigint;
  readonly overrun: bigint;
  readonly reserved: bigint;
  /** At most `FINDINGS_MAX`; `ok` and `drift` cover all of them. */
  readonly findings: readonly Finding[];
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

/**
 * Checks one account, or all: the sums within the document, the ledger against the document, and
 * that no request is charged twice. Reads only, one account at a time, while work goes on. Rejects
 * when the signal aborts.
 */
export type AuditOperation = (
  accountId: string | undefined,
  /** Ends it when nobody waits any more: it reads every entry of every account. */
  signal?: AbortSignal,
) => Promise<AuditReport>;

const FINDINGS_MAX = 1_000;
const ACCOUNT_PAGE = 200;
const LEDGER_PAGE = 500;

interface Dependencies {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly quarantine: QuarantineStore;
  readonly clock: Clock;
}

/**
 * The account is read first. Entries never change, and one that is not in the journal that was read
 * is in the ledger, so the comparison is exact while new charges arrive.
 */
async function checkLedger(
  ledger: LedgerStore,
  account: Account,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const check = createLedgerCheck(account);
  const waiting = journalEntries(account);
  const firstWaiting = waiting[0]?.seq ?? account.ledgerSeq + 1;
  let afterSeq = 0;
  for (;;) {
    goOnUnless(signal);
    const page = await ledger.listAfter(account.id, afterSeq, LEDGER_PAGE);
    for (const entry of page) {
      if (entry.seq < firstWaiting) check.add(entry);
    }
    afterSeq = page.at(-1)?.seq ?? afterSeq;
    if (page.length < LEDGER_PAGE || afterSeq >= firstWaiting) break;
  }
  for (const entry of waiting) check.add(entry);
  return check.findings();
}

async function checkRequests(
  ledger: LedgerStore,
  account: Account,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let previous: string | undefined;
  for await (const requestId of ledger.requestIds(account.id)) {
    goOnUnless(signal);
    if (requestId === previous) {
      const detail = `request ${requestId} has more than one charge`;
      findings.push({ accountId: account.id, rule: 'duplicate_request', detail, drift: 0n });
    }
    previous = requestId;
  }
  return findings;
}

function goOnUnless(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const internalMessage = 'nobody waits for the audit any more';
  throw new AppError('SERVICE_UNAVAILABLE', { internalMessage });
}

/** What can be said of one account. */
interface Checked {
  /** Undefined when it does not exist, or cannot be read. */
  readonly account: Account | undefined;
  readonly findings: readonly Finding[];
}

/** An entry reaches the ledger after the account was written: never does the ledger know more. */
function checkAhead(account: Account, newestSeq: number): readonly Finding[] {
  if (newestSeq <= account.ledgerSeq) return [];
  const detail = `the ledger ends at ${newestSeq}, the account at ${account.ledgerSeq}`;
  return [{ accountId: account.id, rule: 'ledger_ahead', detail, drift: 0n }];
}

/** Checks an account; one that makes no sense is a finding and not the end of the audit. */
function createCheck({ store, ledger }: Dependencies) {
  return async (accountId: string, signal: AbortSignal | undefined): Promise<Checked> => {
    try {
      const [newest] = await ledger.listBefore(accountId, Number.MAX_SAFE_INTEGER, 1);
      const account = await store.read(accountId);
      if (account === undefined) return { account, findings: [] };
      const findings = [
        ...checkAccount(account),
        ...checkAhead(account, newest?.seq ?? 0),
        ...(await checkLedger(ledger, account, signal)),
        ...(await checkRequests(ledger, account, signal)),
      ];
      return { account, findings };
    } catch (error) {
      if (isAway(error)) throw error;
      const detail = toAppError(error).message;
      const finding: Finding = { accountId, rule: 'unreadable', detail, drift: 0n };
      return { account: undefined, findings: [finding] };
    }
  };
}

/** What is set apart, of one account or of all. */
async function quarantineFindings(
  quarantine: QuarantineStore,
  only: string | undefined,
): Promise<readonly Finding[]> {
  const records = await quarantine.list(FINDINGS_MAX);
  return records
    .filter(({ accountId }) => only === undefined || accountId === only)
    .map(({ id, accountId, reason }) => {
      return { accountId, rule: 'quarantined', detail: `${id}: ${reason}`, drift: 0n };
    });
}

export function createAudit(dependencies: Dependencies): AuditOperation {
  const { store, quarantine, clock } = dependencies;
  const check = createCheck(dependencies);

  async function* accountIds(accountId: string | undefined): AsyncGenerator<string> {
    if (accountId !== undefined) {
      yield accountId;
      return;
    }
    let after: string | undefined;
    for (;;) {
      const page = await store.listIds({ after, limit: ACCOUNT_PAGE });
      yield* page;
      after = page.at(-1);
      if (page.length < ACCOUNT_PAGE) return;
    }
  }

  return async (only, signal) => {
    const sums = { drift: 0n, absorbed: 0n, overrun: 0n, reserved: 0n };
    const findings = [...(await quarantineFindings(quarantine, only))];
    let ok = findings.length === 0;
    let accountsChecked = 0;
    for await (const accountId of accountIds(only)) {
      goOnUnless(signal);
      const { account, findings: found } = await check(accountId, signal);
      if (account !== undefined) {
        accountsChecked += 1;
        sums.absorbed += account.absorbed;
        sums.overrun += account.overrun;
        sums.reserved += reservedOf(account);
      }
      ok &&= found.length === 0;
      for (const finding of found) sums.drift += finding.drift;
      findings.push(...found.slice(0, FINDINGS_MAX - findings.length));
    }
    return { ok, ...sums, accountsChecked, findings, checkedAt: clock.now() };
  };
}
