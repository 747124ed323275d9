import type { IdPage, PageWindow } from '@tollgate/core';
import type { Account } from './account';
import type { AnnouncedRequest, AnnouncedRequestState } from './announced-request';
import type { AuditMark } from './audit-checks';
import type { AuditReport } from './audit-report';
import type { Claim, OwnedClaim } from './claims';
import type { Code } from './codes';
import type { JournalItem, OutboxBatch } from './journal';
import type { WatermarkView } from './lease-lifecycle';
import type {
  ChargeEntry,
  GrantEntry,
  LedgerEntry,
  LedgerFilter,
  RequestRange,
  SeqRange,
} from './ledger-entry';
import type { Plan } from './plans';
import type { Statement } from './statements';
import type { ReceivedRecord } from './usage-record';

/** An account's id, and the time that an index sorts it by. */
export interface DatedAccount {
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** A page of accounts by time, those of one time by id. */
export interface DatedPage {
  /** The last of the page before; undefined for the first page. */
  readonly after: DatedAccount | undefined;
  readonly limit: number;
}

/** How far an account is settled; one that cannot be read keeps nobody from the others. */
export interface StoredWatermarks {
  /** The account's. */
  readonly id: string;
  /** Throws when the document makes no sense. */
  read(): WatermarkView;
}

/**
 * One document per account. What is read is durable on a majority; what is answered as written is
 * too. A write whose answer is lost may or may not have happened.
 */
export interface AccountStore {
  find(accountId: string): Promise<Account | undefined>;
  /** How far the accounts that exist are settled, in any order. */
  findWatermarks(accountIds: readonly string[]): Promise<readonly StoredWatermarks[]>;
  /** Writes an account that does not exist yet; false when it does. */
  create(account: Account): Promise<boolean>;
  /** Replaces the account if its `rev` is still the expected one; false when it is not. */
  replace(account: Account, expectedRev: number): Promise<boolean>;
  /** Accounts with a journal whose last write was at or before the time; it dates each of them. */
  listJournals(writtenUntilAtMs: number, page: DatedPage): Promise<readonly DatedAccount[]>;
  /** Accounts with a lease that is not swept and expires until then, by the first to expire. */
  listExpired(untilAtMs: number, page: DatedPage): Promise<readonly DatedAccount[]>;
  /** Accounts with a swept lease, by the one of them that expired first. */
  listSwept(page: DatedPage): Promise<readonly DatedAccount[]>;
  /** Accounts with a lease of the holder. */
  listHeldBy(holder: string, page: IdPage): Promise<readonly string[]>;
  listIds(page: IdPage): Promise<readonly string[]>;
}

/** Where an entry stands. Entries have no gaps: the newest one's `seq` is how many there are. */
export type LedgerPlace = Pick<LedgerEntry, 'accountId' | 'seq'>;

/** Entries, named by account and sequence. None is removed, and only an erasure changes one. */
export interface LedgerStore {
  /** Idempotent; rejects when another entry already stands in the place of one of these. */
  insert(entries: readonly LedgerEntry[]): Promise<void>;
  /** The entries in these places that exist, in any order. */
  find(places: readonly LedgerPlace[]): Promise<readonly LedgerEntry[]>;
  findCharge(accountId: string, requestId: string): Promise<ChargeEntry | undefined>;
  findGrant(accountId: string, creditId: string): Promise<GrantEntry | undefined>;
  /** From `afterSeq + 1` upwards. */
  listAfter(accountId: string, afterSeq: number, limit: number): Promise<readonly LedgerEntry[]>;
  /** From `beforeSeq - 1` downwards. */
  listBefore(accountId: string, beforeSeq: number, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * The request ids of the account's charges in lexical order, each as often as it stands there:
   * all, or only these.
   */
  requestIds(accountId: string, among?: readonly string[]): AsyncIterable<string>;
}

/** How the searches ask the stored ledger. */
export interface LedgerQueries {
  /** Entries of the account, newest first; adjustments among credits, which share a form there. */
  list(
    accountId: string,
    range: SeqRange,
    filter: LedgerFilter,
    limit: number,
  ): Promise<readonly LedgerEntry[]>;
  /** When the entry was added; undefined while it is not in the ledger. */
  timeOf(accountId: string, seq: number): Promise<number | undefined>;
  /** Charges of the account, or of every one, newest request first. */
  listCharges(
    accountId: string | undefined,
    range: RequestRange,
    filter: LedgerFilter,
    limit: number,
  ): Promise<readonly ChargeEntry[]>;
  /** The lowest of the `count` highest request ids of the range; undefined for fewer. */
  lastRequestIdOf(
    accountId: string | undefined,
    range: RequestRange,
    count: number,
  ): Promise<string | undefined>;
  /** The charge of a request of any account. */
  findCharge(requestId: string): Promise<ChargeEntry | undefined>;
}

/** A claim as it lies in the store; one that cannot be read keeps nobody from the others. */
export interface StoredClaim extends Pick<Claim, 'id'> {
  /** Throws when the document makes no sense. */
  read(): Claim;
}

/** One whose credit may not be given yet. */
export interface OpenClaim extends StoredClaim, Pick<OwnedClaim, 'accountId'> {
  read(): OwnedClaim;
}

/** Claims by id; a claim is never removed, and only an erasure empties its note. */
export interface ClaimStore {
  /** Keeps the claim unless one is kept under its id, and answers the one that is. */
  keep(claim: Claim): Promise<Claim>;
  /** The claims that are kept under these ids, in any order. */
  find(ids: readonly string[]): Promise<readonly StoredClaim[]>;
  /** Its credit was given. */
  close(id: string): Promise<void>;
  /** Claims of accounts that were kept until then and are not closed, by id. */
  listOpen(untilAtMs: number, page: IdPage): Promise<readonly OpenClaim[]>;
}

/** Which codes are wanted; what is undefined filters nothing. */
export interface CodeFilter {
  readonly batchId: string | undefined;
  /** The last characters. */
  readonly preview: string | undefined;
}

/** A code as it is stored; one that cannot be read keeps nobody from the others. */
export interface StoredCode extends Pick<Code, 'id' | 'digest'> {
  /** Throws when the document makes no sense. */
  read(): Code;
}

/** Codes that can be redeemed. */
export interface CodeStore {
  /** Inserts those whose ids are new; false when some are not. */
  insert(codes: readonly Code[]): Promise<boolean>;
  /** Removes these, and none that has the id of one but another text. */
  remove(codes: readonly Pick<Code, 'id' | 'digest'>[]): Promise<void>;
  find(id: string): Promise<Code | undefined>;
  findStored(id: string): Promise<StoredCode | undefined>;
  findByDigest(digest: string): Promise<Code | undefined>;
  /** In the order in which they were made. */
  listBatch(batchId: string, limit: number): Promise<readonly StoredCode[]>;
  /** Newest first, one more than the window's limit. */
  list(filter: CodeFilter, window: PageWindow): Promise<readonly StoredCode[]>;
}

/** Plans with all of their versions. */
export interface PlanStore {
  /** The newest version of each, in any order. */
  list(): Promise<readonly Plan[]>;
  /** Newest version first; empty for a plan that does not exist. */
  versions(id: string): Promise<readonly Plan[]>;
  /** The plan's first version, made under the effect's id; false when there is a plan of the id. */
  create(plan: Plan, effectId: string): Promise<boolean>;
  /** The effect that made the plan; undefined when it does not exist. */
  effectIdOf(id: string): Promise<string | undefined>;
  /** Adds a version when the newest one is still the one before it. */
  addVersion(plan: Plan): Promise<boolean>;
}

/** A batch as it lies in the outbox; one that cannot be read keeps nobody from the others. */
export interface StoredBatch {
  readonly id: string;
  /** How many items it has, as far as that can be read. */
  readonly messageCount: number;
  /** Throws when the document makes no sense. */
  read(): OutboxBatch;
}

/** Events that listeners still have to be told. A batch is there until all of them were. */
export interface OutboxStore {
  /** Idempotent. */
  insert(batches: readonly OutboxBatch[]): Promise<void>;
  /**
   * By account, and by number within it; a page ends with the batch by which it has `messagesMax`
   * items or more.
   */
  list(page: IdPage & { readonly messagesMax: number }): Promise<readonly StoredBatch[]>;
  remove(ids: readonly string[]): Promise<void>;
}

/** Work that is quarantined because it failed for a reason of its own. */
export interface QuarantineRecord {
  /** The work's name, for example `journal:acc_1`. */
  readonly id: string;
  readonly accountId: string;
  readonly reason: string;
  /** When it failed last, milliseconds since the epoch. */
  readonly failedAtMs: number;
  /** When it was quarantined, milliseconds since the epoch. */
  readonly quarantinedAtMs: number;
}

/** The quarantine of now, for people and for the audit. A record fades when nothing fails. */
export interface QuarantineStore {
  /** A record that is there keeps its `quarantinedAtMs`. */
  keep(record: QuarantineRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Of one account, or of all. */
  list(limit: number, accountId?: string): Promise<readonly QuarantineRecord[]>;
}

/** The newest audit of all accounts. */
export interface AuditResultStore {
  /** Undefined until one was kept. */
  find(): Promise<AuditReport | undefined>;
  write(report: AuditReport): Promise<void>;
  /** The audit that was begun since the newest one, as far as it came. */
  findBegun(): Promise<AuditReport | undefined>;
  writeBegun(report: AuditReport): Promise<void>;
}

/** Marks of accounts. A lost one costs a check of the whole ledger. */
export interface AuditMarkStore {
  find(accountIds: readonly string[]): Promise<ReadonlyMap<string, AuditMark>>;
  write(accountId: string, mark: AuditMark): Promise<void>;
  /**
   * Accounts without findings whose ledger was checked as a whole until then, the one of the longest
   * ago first, with the entry that the mark stands at.
   */
  listOldest(untilAtMs: number, limit: number): Promise<readonly LedgerPlace[]>;
}

/** A holder's answer to a recall: `closing` when its CLOSE is written and will be published. */
export type LeaseDisposition = 'closing' | 'busy' | 'unknownClosed' | 'notHolder';

/** The completion instances that hold leases. */
export interface LeaseHolders {
  /** Asks the holder to close the lease when it is idle. Rejects when it cannot be reached. */
  recall(
    request: {
      readonly accountId: string;
      readonly leaseNumber: number;
      readonly holder: string;
      readonly address: string;
    },
    signal?: AbortSignal,
  ): Promise<LeaseDisposition>;
}

/** An event of an account, as listeners are told: an entry of its ledger, or a notice. */
export interface BillingEvent {
  readonly accountId: string;
  readonly item: JournalItem;
}

/** Everyone who listens to billing. */
export interface EventPublisher {
  /**
   * Resolves when all of them are accepted, in order per account; rejects with EventKeysRefused when
   * those of some accounts were not.
   */
  publish(events: readonly BillingEvent[]): Promise<void>;
}

/** Where records go that settled nothing. */
export interface DeadLetters {
  /** Keeps records of leases that were never granted to their spool. */
  report(records: readonly ReceivedRecord[]): Promise<void>;
}

/** Where announced requests and their answers are kept. It decides nothing, and sees no text. */
export interface AnswerStore {
  /** False when a request with its id is kept already, or when it is refused. */
  insert(request: AnnouncedRequest): Promise<boolean>;
  /** Also one whose day is over. */
  find(id: string): Promise<AnnouncedRequestState | undefined>;
  findByRequest(accountId: string, requestId: string): Promise<AnnouncedRequestState | undefined>;
  /** Puts `next` in the place of `seen`; false when another was faster, or when it is refused. */
  replace(seen: AnnouncedRequestState, next: AnnouncedRequest): Promise<boolean>;
  /** Ends a request that has not ended, with its sealed answer or with none; false otherwise. */
  end(accountId: string, requestId: string, answer: string | undefined): Promise<boolean>;
  /** Forgets a request that has not ended; undefined when there is none. */
  drop(accountId: string, requestId: string): Promise<AnnouncedRequestState | undefined>;
  /** No request of this id is inserted before that time; false when one is there. */
  refuse(accountId: string, requestId: string, untilAtMs: number): Promise<boolean>;
  /** Counts bytes that were kept for an account in an hour since the epoch; below 0 they are gone. */
  countBytes(accountId: string, hour: number, bytes: number): Promise<void>;
  /** The bytes that were counted from `hour` on. */
  bytesSince(accountId: string, hour: number): Promise<number>;
}

/** Where statements are kept as far as they have come. */
export interface StatementStore {
  /** Newest first. */
  list(accountId: string): Promise<readonly Statement[]>;
  find(accountId: string, month: string): Promise<Statement | undefined>;
  newest(accountId: string): Promise<Statement | undefined>;
  /** Writes what came of a statement that had come to `fromSeq`; false when it has not. */
  keep(statement: Statement, fromSeq: number | undefined): Promise<boolean>;
  /** Forgets the statements that have come further than the sequence. */
  dropBeyond(accountId: string, seq: number): Promise<void>;
}

/** An account that is erased, and how far its ledger is done. */
export interface Erasure {
  readonly accountId: string;
  /** When billing heard of it last, milliseconds since the epoch. */
  readonly heardAtMs: number;
  /** Up to this entry of the ledger every text is emptied. */
  readonly throughSeq: number;
}

/** An open erasure as it lies in the store; one that cannot be read keeps nobody from the others. */
export interface StoredErasure extends Pick<Erasure, 'accountId'> {
  /** Throws when the document makes no sense. */
  read(): Erasure;
}

/**
 * Erasures with how far each came, and what they remove of their accounts. Texts go: the notes of
 * credits and claims, the clients' own request ids, the words of vendors, and kept answers. Amounts,
 * counts and ids stay, so that the books are what they were. Every call may be repeated.
 */
export interface ErasureStore {
  /** From now on it is among the open ones; its ledger is gone through from the beginning. */
  begin(accountId: string, heardAtMs: number): Promise<void>;
  /** By account. */
  listOpen(page: IdPage): Promise<readonly StoredErasure[]>;
  /** Empties the texts of the entries after the first sequence, up to and including the second. */
  blankEntries(accountId: string, afterSeq: number, throughSeq: number): Promise<void>;
  /** Unless it was begun again since. */
  rememberProgress(erasure: Erasure, throughSeq: number): Promise<void>;
  blankClaims(accountId: string): Promise<void>;
  /** Requests that are kept for their answers, and the answers. */
  removeAnswers(accountId: string): Promise<void>;
  /** Nothing can come any more, unless it was begun again since. */
  end(erasure: Erasure): Promise<void>;
}
