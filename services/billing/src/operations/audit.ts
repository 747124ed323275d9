import { AppError, type Clock, delay, isPassing, toAppError, toIsoTime } from '@tollgate/core';
import type { Account } from '../domain/account';
import {
  type AuditReport,
  type AuditTally,
  type CheckedAccount,
  createAuditTally,
  FINDINGS_MAX,
} from '../domain/audit-report';
import { checkAccount, createLedgerCheck, type Finding } from '../domain/checks';
import { entriesOf } from '../domain/journal';
import type { AccountStore, LedgerStore, QuarantineStore } from '../domain/ports';

/** The scope of an audit, and where its result is added up. */
export interface AuditRequest {
  /** This account alone. */
  readonly accountId?: string | undefined;
  /** Goes on after this account; absent, it begins with the first. */
  readonly after?: string | undefined;
  /** Where it says how far it has come. */
  readonly tally?: AuditTally;
  /** Ends it when nobody waits any more: it reads every entry of every account. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks one account, or all: the sums within the document, the ledger against the document, and
 * that no request is charged twice. Reads only, page by page with a pause after each, while work
 * goes on. Rejects when the signal aborts.
 */
export type AuditOperation = (request?: AuditRequest) => Promise<AuditReport>;

const ACCOUNT_PAGE = 100;
const LEDGER_PAGE = 500;
/** After a page of accounts or of a ledger: requests come first. */
const PAUSE_MS = 10;

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
  { ledger, clock }: Dependencies,
  account: Account,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const check = createLedgerCheck(account);
  const waiting = entriesOf(account.journal);
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
    await pause(clock, signal);
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

/** Waits between pages. An aborted signal ends the wait, and the next page is not begun. */
async function pause(clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  await delay(clock, PAUSE_MS, signal).catch(() => {});
}

/** An entry reaches the ledger after the account was written: never does the ledger know more. */
function checkNewest(account: Account, newestSeq: number): readonly Finding[] {
  if (newestSeq <= account.ledgerSeq) return [];
  const detail = `the ledger ends at ${newestSeq}, the account at ${account.ledgerSeq}`;
  return [{ accountId: account.id, rule: 'ledger_ahead', detail, drift: 0n }];
}

/** Checks an account; one that makes no sense is a finding and not the end of the audit. */
function createCheck(dependencies: Dependencies) {
  const { store, ledger } = dependencies;
  return async (accountId: string, signal: AbortSignal | undefined): Promise<CheckedAccount> => {
    try {
      const [newest] = await ledger.listBefore(accountId, Number.MAX_SAFE_INTEGER, 1);
      const account = await store.read(accountId);
      if (account === undefined) return { account, findings: [] };
      const findings = [
        ...checkAccount(account),
        ...checkNewest(account, newest?.seq ?? 0),
        ...(await checkLedger(dependencies, account, signal)),
        ...(await checkRequests(ledger, account, signal)),
      ];
      return { account, findings };
    } catch (error) {
      if (isPassing(error)) throw error;
      const detail = toAppError(error).message;
      const finding: Finding = { accountId, rule: 'unreadable', detail, drift: 0n };
      return { account: undefined, findings: [finding] };
    }
  };
}

/** The quarantined work of one account or of all. */
async function quarantineFindings(
  quarantine: QuarantineStore,
  only: string | undefined,
): Promise<readonly Finding[]> {
  const records = await quarantine.list(FINDINGS_MAX);
  return records
    .filter(({ accountId }) => only === undefined || accountId === only)
    .map(({ id, accountId, reason, since }) => {
      const detail = `${id} is set apart since ${toIsoTime(since)}: ${reason}`;
      return { accountId, rule: 'quarantined', detail, drift: 0n };
    });
}

export function createAudit(dependencies: Dependencies): AuditOperation {
  const { store, quarantine, clock } = dependencies;
  const check = createCheck(dependencies);

  return async ({ accountId: only, after, signal, ...rest } = {}) => {
    const tally = rest.tally ?? createAuditTally(clock.now(), after);
    // Who goes on after an account was told of them with the first page.
    if (after === undefined) tally.addFindings(await quarantineFindings(quarantine, only));
    let last = after;
    for (;;) {
      const page =
        only === undefined ? await store.listIds({ after: last, limit: ACCOUNT_PAGE }) : [only];
      for (const accountId of page) {
        goOnUnless(signal);
        tally.add(accountId, await check(accountId, signal));
      }
      if (page.length < ACCOUNT_PAGE) break;
      last = page.at(-1);
      await pause(clock, signal);
    }
    tally.finish();
    return tally.report(clock.now());
  };
}
