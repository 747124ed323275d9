import {
  AppError,
  type Clock,
  DAY_MS,
  delay,
  isTransient,
  toAppError,
  toIsoTime,
} from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import {
  checkAccount,
  createLedgerCheck,
  type Finding,
  type LedgerSums,
  NO_ENTRIES,
} from '../domain/audit-checks';
import {
  type AuditReport,
  type AuditTally,
  type CheckedAccount,
  createAuditTally,
  FINDINGS_MAX,
} from '../domain/audit-report';
import { entriesOf } from '../domain/journal';
import type { LedgerEntry } from '../domain/ledger-entry';
import type {
  AccountStore,
  AuditMark,
  AuditMarkStore,
  LedgerFindings,
  LedgerPlace,
  LedgerStore,
  QuarantineStore,
} from '../domain/ports';

/** Which accounts an audit is of, and where its result is added up. */
export interface AuditRequest {
  /** This account alone. */
  readonly accountId?: string | undefined;
  /** Goes on after this account; absent, it begins with the first. */
  readonly after?: string | undefined;
  /** Where it says how far it has come. */
  readonly tally?: AuditTally;
  /** Where each account's check goes on. Without it every ledger is read from its first entry. */
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
/** Accounts that are checked beside each other: most of the time goes into waiting for the store. */
const ACCOUNTS_AT_ONCE = 8;
const LEDGER_PAGE = 500;
/** Of ledgers that one audit checks as a whole; some 24 million entries a day, once an hour. */
const WHOLE_ENTRIES_MAX = 1_000_000;
const WHOLE_ACCOUNTS_MAX = 10_000;
/** After a page of accounts or of a ledger: requests come first. */
const PAUSE_MS = 10;

interface Dependencies {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly quarantine: QuarantineStore;
  readonly clock: Clock;
  /** Entries that one audit checks in whole ledgers, one of them at least; 1,000,000 unless given. */
  readonly wholeEntriesMax?: number;
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

/** An account that was checked, with those of its findings that are the ledger's. */
interface Checked extends CheckedAccount {
  readonly ofLedger: readonly Finding[];
}

/**
 * Checks an account; one that makes no sense is a finding and not the end of the audit. What is
 * known of its ledger already is not looked for again.
 */
function createCheck(deps: Dependencies) {
  const { store, ledger } = deps;
  return async (
    accountId: string,
    signal: AbortSignal | undefined,
    progress?: Progress,
    known?: readonly Finding[],
  ): Promise<Checked> => {
    try {
      const [newest] = await ledger.listBefore(accountId, Number.MAX_SAFE_INTEGER, 1);
      const account = await store.find(accountId);
      if (account === undefined) return { account, findings: [], ofLedger: [] };
      const ofLedger = known ?? (await checkLedger(deps, account, signal, progress));
      const ofAccount = [...checkAccount(account), ...checkNewest(account, newest?.seq ?? 0)];
      return { account, findings: [...ofAccount, ...ofLedger], ofLedger };
    } catch (error) {
      if (isTransient(error)) throw error;
      const detail = toAppError(error).message;
      const finding: Finding = { accountId, rule: 'unreadable', detail, drift: 0n };
      return { account: undefined, findings: [finding], ofLedger: [] };
    }
  };
}

/**
 * Checks an account behind its mark, and moves the mark. What is found there is believed after a
 * check of the whole ledger only, because the mark may be from before a restore. An account with
 * findings is checked as a whole until it has none: a small ledger at every audit, a large one only
 * when `isToRepeat` says so; until then its mark tells what was found.
 */
function createCheckFromMark(deps: Dependencies, check: ReturnType<typeof createCheck>) {
  const { clock } = deps;
  return async (
    accountId: string,
    signal: AbortSignal | undefined,
    marks: AuditMarkStore,
    mark: AuditMark | undefined,
  ): Promise<CheckedAccount> => {
    const progressOf = ({ sums: from, wholeAtMs }: AuditMark): Progress => ({
      from,
      async keep(sums) {
        if (sums.seq !== mark?.sums.seq || wholeAtMs !== mark.wholeAtMs) {
          await marks.write(accountId, { sums, wholeAtMs });
        }
      },
    });
    if (mark?.found !== undefined && isLarge(deps, mark.found)) {
      return check(accountId, signal, undefined, mark.found.findings);
    }
    // A mark of the future is from before the clock was set back.
    if (mark !== undefined && mark.wholeAtMs > HAS_FINDINGS && mark.wholeAtMs <= clock.now()) {
      const checked = await check(accountId, signal, progressOf(mark));
      if (checked.findings.length === 0) return checked;
    }
    const whole = { sums: NO_ENTRIES, wholeAtMs: clock.now() };
    const checked = await check(accountId, signal, progressOf(whole));
    if (checked.findings.length > 0) {
      const entries = checked.account?.ledgerSeq ?? 0;
      const findings = checked.ofLedger.slice(0, FINDINGS_KEPT_MAX);
      const found = { atMs: whole.wholeAtMs, entries, findings };
      await marks.write(accountId, { sums: NO_ENTRIES, wholeAtMs: HAS_FINDINGS, found });
    }
    return checked;
  };
}

/** In place of the time of a check of the whole ledger. */
const HAS_FINDINGS = 0;

/** Of one account, in its mark. */
const FINDINGS_KEPT_MAX = 20;

/** A ledger that was checked as a whole since is left alone. */
const WHOLE_AGE_MS = DAY_MS / 2;

/** Whether the ledger takes so long that a page of accounts must not wait for it every hour. */
function isLarge(
  { wholeEntriesMax = WHOLE_ENTRIES_MAX }: Dependencies,
  { entries }: LedgerFindings,
): boolean {
  return entries > wholeEntriesMax / 100;
}

/** Whether a large ledger with findings is to be checked again once all accounts are through. */
function isToRepeat(deps: Dependencies, found: LedgerFindings): boolean {
  const now = deps.clock.now();
  return isLarge(deps, found) && (found.atMs > now || found.atMs <= now - WHOLE_AGE_MS);
}

/**
 * Checks whole ledgers, because an old entry may be damaged: first those with
 * findings, then those that were checked the longest ago, as many as one audit has room for. As
 * ledgers grow an audit takes no longer, but it takes more audits until each was checked.
 */
async function checkOldest(
  { clock, wholeEntriesMax = WHOLE_ENTRIES_MAX }: Dependencies,
  marks: AuditMarkStore,
  again: readonly LedgerPlace[],
  signal: AbortSignal | undefined,
  checkWhole: (accountId: string) => Promise<CheckedAccount>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const oldest = await marks.listOldest(clock.now() - WHOLE_AGE_MS, WHOLE_ACCOUNTS_MAX);
  let entries = 0;
  const chosen = [...again, ...oldest].filter(({ seq }) => {
    const hasRoom = entries < wholeEntriesMax;
    entries += seq;
    return hasRoom;
  });
  await forEachConcurrently(chosen, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, async (place) => {
    const checked = await checkWhole(place.accountId);
    // What is wrong with an account of `again` stands in its mark, and was told with its page.
    if (!again.includes(place)) findings.push(...checked.findings);
  });
  goOnUnless(signal);
  return findings;
}

/** The quarantined work of one account or of all. */
async function quarantineFindings(
  quarantine: QuarantineStore,
  only: string | undefined,
): Promise<readonly Finding[]> {
  const records = await quarantine.list(FINDINGS_MAX, only);
  return records.map(({ id, accountId, reason, sinceMs }) => {
    const detail = `${id} is quarantined since ${toIsoTime(sinceMs)}: ${reason}`;
    return { accountId, rule: 'quarantined', detail, drift: 0n };
  });
}

export function createAudit(deps: Dependencies): AuditOperation {
  const { store, quarantine, clock } = deps;
  const check = createCheck(deps);
  const checkFromMark = createCheckFromMark(deps, check);

  return async ({ accountId: only, after, signal, ...rest } = {}) => {
    const tally = rest.tally ?? createAuditTally(clock.now(), after);
    // Who goes on after an account was told of them with the first page.
    if (after === undefined) tally.addFindings(await quarantineFindings(quarantine, only));
    const { marks, onPage } = rest;
    const again: LedgerPlace[] = [];
    let last = after;
    for (;;) {
      const page =
        only === undefined ? await store.listIds({ after: last, limit: ACCOUNT_PAGE }) : [only];
      const marked = page.length === 0 ? undefined : await marks?.find(page);
      for (const [accountId, { found }] of marked ?? []) {
        if (found === undefined || !isToRepeat(deps, found)) continue;
        if (again.length < WHOLE_ACCOUNTS_MAX) again.push({ accountId, seq: found.entries });
      }
      const checkOne = (accountId: string): Promise<CheckedAccount> =>
        marks === undefined
          ? check(accountId, signal)
          : checkFromMark(accountId, signal, marks, marked?.get(accountId));
      for (let start = 0; start < page.length; start += ACCOUNTS_AT_ONCE) {
        goOnUnless(signal);
        const some = page.slice(start, start + ACCOUNTS_AT_ONCE);
        const checked = new Map<string, CheckedAccount>();
        await forEachConcurrently(
          some,
          { atOnceMax: ACCOUNTS_AT_ONCE, signal },
          async (accountId) => {
            checked.set(accountId, await checkOne(accountId));
          },
        );
        // In the order of the accounts: the tally tells after which one to go on.
        for (const accountId of some) {
          const found = checked.get(accountId);
          if (found !== undefined) tally.add(accountId, found);
        }
      }
      if (page.length < ACCOUNT_PAGE) break;
      await onPage?.(tally.report(clock.now()));
      last = page.at(-1);
      await pause(clock, signal);
    }
    if (marks !== undefined && only === undefined) {
      const checkWhole = (accountId: string) => checkFromMark(accountId, signal, marks, undefined);
      tally.addFindings(await checkOldest(deps, marks, again, signal, checkWhole));
    }
    tally.finish();
    return tally.report(clock.now());
  };
}
