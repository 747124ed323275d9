import {
  AppError,
  type Clock,
  chunksOf,
  DAY_MS,
  delay,
  isTransient,
  toAppError,
  toIsoTime,
} from '@tollgate/core';
import { forEachConcurrently } from '@tollgate/jobs';
import type { Account } from '../domain/account';
import {
  type AuditMark,
  checkAccount,
  createLedgerCheck,
  type FaultyMark,
  type Finding,
  type LedgerSums,
  NO_ENTRIES,
  type SoundMark,
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
  AuditMarkStore,
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
const WHOLE_ACCOUNTS_MAX = 10_000;
/** After a page of accounts or of a ledger: requests come first. */
const PAUSE_MS = 10;

interface Dependencies {
  readonly store: AccountStore;
  readonly ledger: LedgerStore;
  readonly quarantineStore: QuarantineStore;
  readonly clock: Clock;
  /** Entries that one audit checks in whole ledgers, of one ledger at least. */
  readonly wholeEntriesMax: number;
}

/** Where the check of a ledger begins, and where it is kept how far it came. */
interface Progress {
  readonly from: LedgerSums;
  keep(sums: LedgerSums): Promise<void>;
}

/**
 * The account is read first. No amount, sequence or request id of an entry ever changes, and an entry
 * that is not in the journal that was read is in the ledger, so the comparison is exact while new
 * charges arrive.
 *
 * A check that keeps its progress must know of each page, before it keeps it, that its requests are
 * charged once: it looks for them in the whole ledger, page by page. A check that keeps nothing reads
 * every request id of the account once, in order, at the end.
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
    requireGoingOn(signal);
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
    requireGoingOn(signal);
    if (requestId === previous) {
      const detail = `request ${requestId} has more than one charge`;
      findings.push({ accountId: account.id, rule: 'duplicate_request', detail, drift: 0n });
    }
    previous = requestId;
  }
  return findings;
}

function requireGoingOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const internalMessage = 'nobody waits for the audit any more';
  throw new AppError('SERVICE_UNAVAILABLE', { internalMessage });
}

/** Waits between pages. An aborted signal ends the wait, and whoever goes on asks `requireGoingOn`. */
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
 * Checks an account and keeps a mark of it:
 *
 * ```
 *  sound mark  ──▶ only the entries after it. A fault there may just mean that the mark is older
 *                  than a restore, so the whole ledger is checked next
 *  faulty mark ──▶ the whole ledger. Of a large one the mark's findings are told again in place of
 *                  that, until `isToRepeat` has it checked after all accounts
 *  no mark     ──▶ the whole ledger
 * ```
 */
function createCheckFromMark(deps: Dependencies, check: ReturnType<typeof createCheck>) {
  const { clock } = deps;
  return async (
    accountId: string,
    signal: AbortSignal | undefined,
    marks: AuditMarkStore,
    mark: AuditMark | undefined,
  ): Promise<CheckedAccount> => {
    const progressOf = (from: LedgerSums, wholeAtMs: number): Progress => ({
      from,
      async keep(sums) {
        const next: SoundMark = { kind: 'sound', sums, wholeAtMs };
        if (!isSameMark(mark, next)) await marks.write(accountId, next);
      },
    });
    if (mark?.kind === 'faulty' && isLarge(deps, mark)) {
      return check(accountId, signal, undefined, mark.findings);
    }
    // A mark of the future is from before the clock was set back.
    if (mark?.kind === 'sound' && mark.wholeAtMs <= clock.now()) {
      const checked = await check(accountId, signal, progressOf(mark.sums, mark.wholeAtMs));
      if (checked.findings.length === 0) return checked;
    }
    const now = clock.now();
    const checked = await check(accountId, signal, progressOf(NO_ENTRIES, now));
    if (checked.findings.length > 0) {
      const entries = checked.account?.ledgerSeq ?? 0;
      const findings = checked.ofLedger.slice(0, FINDINGS_KEPT_MAX);
      await marks.write(accountId, { kind: 'faulty', atMs: now, entries, findings });
    }
    return checked;
  };
}

/** Entries up to one sequence, checked since one moment, come to the same. */
function isSameMark(mark: AuditMark | undefined, { sums, wholeAtMs }: SoundMark): boolean {
  return mark?.kind === 'sound' && mark.sums.seq === sums.seq && mark.wholeAtMs === wholeAtMs;
}

/** Of one account, in its mark. */
const FINDINGS_KEPT_MAX = 20;

/** A ledger that was checked as a whole since is left alone. */
const WHOLE_AGE_MS = DAY_MS / 2;

/** Whether the ledger takes so long that a page of accounts must not wait for it every hour. */
function isLarge({ wholeEntriesMax }: Dependencies, { entries }: FaultyMark): boolean {
  return entries > wholeEntriesMax / 100;
}

/** Whether a large ledger with findings is to be checked again once all accounts are through. */
function isToRepeat(deps: Dependencies, mark: AuditMark): mark is FaultyMark {
  if (mark.kind === 'sound' || !isLarge(deps, mark)) return false;
  const now = deps.clock.now();
  return mark.atMs > now || mark.atMs <= now - WHOLE_AGE_MS;
}

/**
 * Checks whole ledgers, because an old entry may be damaged: first those with
 * findings, then those that were checked the longest ago, as many as one audit has room for. As
 * ledgers grow an audit takes no longer, but it takes more audits until each was checked.
 */
async function checkOldest(
  { clock, wholeEntriesMax }: Dependencies,
  marks: AuditMarkStore,
  toRepeat: readonly LedgerPlace[],
  signal: AbortSignal | undefined,
  checkWhole: (accountId: string) => Promise<CheckedAccount>,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const oldest = await marks.listOldest(clock.now() - WHOLE_AGE_MS, WHOLE_ACCOUNTS_MAX);
  let entries = 0;
  const chosen = [...toRepeat, ...oldest].filter(({ seq }) => {
    const hasRoom = entries < wholeEntriesMax;
    entries += seq;
    return hasRoom;
  });
  await forEachConcurrently(chosen, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, async (newest) => {
    const checked = await checkWhole(newest.accountId);
    // What is wrong with a ledger of `toRepeat` stands in its mark, and was told with its page.
    if (!toRepeat.includes(newest)) findings.push(...checked.findings);
  });
  requireGoingOn(signal);
  return findings;
}

/** The quarantined work of one account or of all. */
async function quarantineFindings(
  quarantineStore: QuarantineStore,
  only: string | undefined,
): Promise<readonly Finding[]> {
  const records = await quarantineStore.list(FINDINGS_MAX, only);
  return records.map(({ id, accountId, reason, quarantinedAtMs }) => {
    const detail = `${id} is quarantined since ${toIsoTime(quarantinedAtMs)}: ${reason}`;
    return { accountId, rule: 'quarantined', detail, drift: 0n };
  });
}

/** Checks the accounts beside each other, and adds them up in their order: the tally goes by it. */
async function checkPage(
  page: readonly string[],
  tally: AuditTally,
  signal: AbortSignal | undefined,
  checkOne: (accountId: string) => Promise<CheckedAccount>,
): Promise<void> {
  for (const some of chunksOf(page, ACCOUNTS_AT_ONCE)) {
    requireGoingOn(signal);
    const checked = new Map<string, CheckedAccount>();
    await forEachConcurrently(some, { atOnceMax: ACCOUNTS_AT_ONCE, signal }, async (accountId) => {
      checked.set(accountId, await checkOne(accountId));
    });
    for (const accountId of some) {
      const found = checked.get(accountId);
      if (found !== undefined) tally.add(accountId, found);
    }
  }
}

export function createAudit(deps: Dependencies): AuditOperation {
  const { store, quarantineStore, clock } = deps;
  const check = createCheck(deps);
  const checkFromMark = createCheckFromMark(deps, check);

  return async ({ accountId: only, after, marks, onPage, signal, ...request } = {}) => {
    const tally = request.tally ?? createAuditTally(clock.now(), after);
    // Who goes on after an account was told of them with the first page.
    if (after === undefined) tally.addFindings(await quarantineFindings(quarantineStore, only));
    const listAccounts = (last: string | undefined) =>
      only === undefined ? store.listIds({ after: last, limit: ACCOUNT_PAGE }) : [only];
    const toRepeat: LedgerPlace[] = [];
    for (let last = after; ; ) {
      const page = await listAccounts(last);
      const marked = page.length === 0 ? undefined : await marks?.find(page);
      for (const [accountId, mark] of marked ?? []) {
        if (toRepeat.length >= WHOLE_ACCOUNTS_MAX || !isToRepeat(deps, mark)) continue;
        toRepeat.push({ accountId, seq: mark.entries });
      }
      await checkPage(page, tally, signal, (accountId) =>
        marks === undefined
          ? check(accountId, signal)
          : checkFromMark(accountId, signal, marks, marked?.get(accountId)),
      );
      if (page.length < ACCOUNT_PAGE) break;
      await onPage?.(tally.report(clock.now()));
      last = page.at(-1);
      await pause(clock, signal);
    }
    if (marks !== undefined && only === undefined) {
      const checkWhole = (accountId: string) => checkFromMark(accountId, signal, marks, undefined);
      tally.addFindings(await checkOldest(deps, marks, toRepeat, signal, checkWhole));
    }
    tally.finish();
    return tally.report(clock.now());
  };
}
