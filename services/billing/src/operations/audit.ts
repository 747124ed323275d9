import { createHash } from 'node:crypto';
import {
  AppError,
  type Clock,
  DAY_MS,
  delay,
  isPassing,
  toAppError,
  toIsoTime,
} from '@tollgate/core';
import type { Account } from '../domain/account';
import {
  type AuditReport,
  type AuditTally,
  type CheckedAccount,
  createAuditTally,
  FINDINGS_MAX,
} from '../domain/audit-report';
import {
  checkAccount,
  createLedgerCheck,
  type Finding,
  type LedgerSums,
  NO_ENTRIES,
} from '../domain/checks';
import { entriesOf } from '../domain/journal';
import type { LedgerEntry } from '../domain/ledger-entry';
import type {
  AccountStore,
  AuditMark,
  AuditMarkStore,
  LedgerStore,
  QuarantineStore,
} from '../domain/ports';

/** The scope of an audit, and where its result is added up. */
export interface AuditRequest {
  /** This account alone. */
  readonly accountId?: string | undefined;
  /** Goes on after this account; absent, it begins with the first. */
  readonly after?: string | undefined;
  /** Where it says how far it has come. */
  readonly tally?: AuditTally;
  /** Each ledger is read behind its mark; absent, all of every ledger is. */
  readonly marks?: AuditMarkStore | undefined;
  /** After each page of accounts but the last. */
  readonly onPage?: (report: AuditReport) => Promise<void>;
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

/** Where the check of a ledger begins, and who is told how far it came. */
interface Progress {
  readonly from: LedgerSums;
  keep(sums: LedgerSums): Promise<void>;
}

/**
 * The account is read first. Entries never change, and one that is not in the journal that was read
 * is in the ledger, so the comparison is exact while new charges arrive. With progress, a request is
 * looked for in the whole ledger as soon as its charge is read.
 */
async function checkLedger(
  { ledger, clock }: Dependencies,
  account: Account,
  signal: AbortSignal | undefined,
  progress: Progress | undefined,
): Promise<readonly Finding[]> {
  const waiting = entriesOf(account.journal);
  const firstWaiting = waiting[0]?.seq ?? account.ledgerSeq + 1;
  const from = progress?.from ?? NO_ENTRIES;
  const check = createLedgerCheck(account, from);
  const repeated: Finding[] = [];
  let afterSeq = from.seq;
  let kept = from;
  while (afterSeq + 1 < firstWaiting) {
    goOnUnless(signal);
    if (afterSeq > from.seq) await pause(clock, signal);
    const page = await ledger.listAfter(account.id, afterSeq, LEDGER_PAGE);
    const own = page.filter(({ seq }) => seq < firstWaiting);
    for (const entry of own) check.add(entry);
    if (progress !== undefined) {
      repeated.push(...(await checkRequests(ledger, account, signal, requestIdsOf(own))));
      const isSound = repeated.length === 0 && check.isGapless();
      if (isSound && page.length === LEDGER_PAGE) await progress.keep(check.sums());
    }
    kept = check.sums();
    afterSeq = page.at(-1)?.seq ?? afterSeq;
    if (page.length < LEDGER_PAGE) break;
  }
  for (const entry of waiting) check.add(entry);
  if (progress === undefined) repeated.push(...(await checkRequests(ledger, account, signal)));
  const findings = [...check.findings(), ...repeated];
  if (findings.length === 0) await progress?.keep(kept);
  return findings;
}

function requestIdsOf(entries: readonly LedgerEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'charge' ? [entry.record.requestId] : []));
}

async function checkRequests(
  ledger: LedgerStore,
  account: Account,
  signal: AbortSignal | undefined,
  among?: readonly string[],
): Promise<readonly Finding[]> {
  if (among?.length === 0) return [];
  const findings: Finding[] = [];
  let previous: string | undefined;
  for await (const requestId of ledger.requestIds(account.id, among)) {
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
  return async (
    accountId: string,
    signal: AbortSignal | undefined,
    progress?: Progress,
  ): Promise<CheckedAccount> => {
    try {
      const [newest] = await ledger.listBefore(accountId, Number.MAX_SAFE_INTEGER, 1);
      const account = await store.read(accountId);
      if (account === undefined) return { account, findings: [] };
      const findings = [
        ...checkAccount(account),
        ...checkNewest(account, newest?.seq ?? 0),
        ...(await checkLedger(dependencies, account, signal, progress)),
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

/**
 * Checks an account behind its mark, and moves the mark. What is found there is believed after a
 * check of the whole ledger only, because the mark may be from before a restore; and whole ledgers
 * are checked about once a day, because an old entry may be damaged. An account with findings is
 * checked as a whole until it has none.
 */
function createCheckFromMark({ clock }: Dependencies, check: ReturnType<typeof createCheck>) {
  return async (
    accountId: string,
    signal: AbortSignal | undefined,
    marks: AuditMarkStore,
    mark: AuditMark | undefined,
  ): Promise<CheckedAccount> => {
    const progressOf = ({ sums: from, wholeAt }: AuditMark): Progress => ({
      from,
      async keep(sums) {
        if (sums.seq !== mark?.sums.seq || wholeAt !== mark.wholeAt) {
          await marks.write(accountId, { sums, wholeAt });
        }
      },
    });
    if (mark !== undefined && !isWholeDue(accountId, clock.now() - mark.wholeAt)) {
      const checked = await check(accountId, signal, progressOf(mark));
      if (checked.findings.length === 0) return checked;
    }
    const whole = { sums: NO_ENTRIES, wholeAt: clock.now() };
    const checked = await check(accountId, signal, progressOf(whole));
    if (checked.findings.length > 0) {
      await marks.write(accountId, { sums: NO_ENTRIES, wholeAt: 0 });
    }
    return checked;
  };
}

/** After 12 to 36 hours, by the account's name, so that not all of them are due together. */
function isWholeDue(accountId: string, ageMs: number): boolean {
  const [part = 0] = createHash('sha256').update(accountId).digest();
  return ageMs < 0 || ageMs >= DAY_MS * (0.5 + part / 256);
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
      const detail = `${id} is quarantined since ${toIsoTime(since)}: ${reason}`;
      return { accountId, rule: 'quarantined', detail, drift: 0n };
    });
}

export function createAudit(dependencies: Dependencies): AuditOperation {
  const { store, quarantine, clock } = dependencies;
  const check = createCheck(dependencies);
  const checkFromMark = createCheckFromMark(dependencies, check);

  return async ({ accountId: only, after, signal, ...rest } = {}) => {
    const tally = rest.tally ?? createAuditTally(clock.now(), after);
    // Who goes on after an account was told of them with the first page.
    if (after === undefined) tally.addFindings(await quarantineFindings(quarantine, only));
    const { marks, onPage } = rest;
    let last = after;
    for (;;) {
      const page =
        only === undefined ? await store.listIds({ after: last, limit: ACCOUNT_PAGE }) : [only];
      const marked = page.length === 0 ? undefined : await marks?.read(page);
      for (const accountId of page) {
        goOnUnless(signal);
        const checked =
          marks === undefined
            ? await check(accountId, signal)
            : await checkFromMark(accountId, signal, marks, marked?.get(accountId));
        tally.add(accountId, checked);
      }
      if (page.length < ACCOUNT_PAGE) break;
      await onPage?.(tally.report(clock.now()));
      last = page.at(-1);
      await pause(clock, signal);
    }
    tally.finish();
    return tally.report(clock.now());
  };
}
