import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { Finding, LedgerSums } from '../domain/audit-checks';
import type { AuditReport } from '../domain/audit-report';
import type { AuditMarkStore, AuditResultStore, LedgerFindings } from '../domain/ports';

const AUDITS = 'billing_audits';
export const AUDIT_MARKS = 'billing_audit_marks';

interface AuditDocument {
  readonly _id: string;
  readonly ok: boolean;
  readonly drift: bigint;
  readonly accounts_checked: number;
  readonly absorbed: bigint;
  readonly overrun: bigint;
  readonly reserved: bigint;
  readonly findings: readonly {
    readonly account_id: string;
    readonly rule: string;
    readonly detail: string;
    readonly drift: bigint;
  }[];
  readonly started_at: Date;
  readonly checked_at: Date;
  /** Of an audit that is not complete: the account to go on after. */
  readonly checked_up_to?: string;
}

const NEWEST = 'newest';
const BEGUN = 'begun';

function toDocument(report: AuditReport): Omit<AuditDocument, '_id'> {
  const { ok, drift, absorbed, overrun, reserved } = report;
  return {
    ok,
    drift,
    absorbed,
    overrun,
    reserved,
    accounts_checked: report.accountsChecked,
    findings: report.findings.map(({ accountId: account_id, ...finding }) => ({
      account_id,
      ...finding,
    })),
    started_at: new Date(report.startedAtMs),
    checked_at: new Date(report.checkedAtMs),
    ...(report.checkedUpTo === undefined ? {} : { checked_up_to: report.checkedUpTo }),
  };
}

function fromDocument(document: AuditDocument): AuditReport {
  return {
    ok: document.ok,
    drift: BigInt(document.drift),
    accountsChecked: document.accounts_checked,
    absorbed: BigInt(document.absorbed),
    overrun: BigInt(document.overrun),
    reserved: BigInt(document.reserved),
    findings: document.findings.map(({ account_id: accountId, rule, detail, drift }) => ({
      accountId,
      rule,
      detail,
      drift: BigInt(drift),
    })),
    complete: document.checked_up_to === undefined,
    checkedUpTo: document.checked_up_to,
    startedAtMs: document.started_at.getTime(),
    checkedAtMs: document.checked_at.getTime(),
  };
}

/** The newest audit, and the one that was begun since, in the document store. */
export function createAuditResultStore(mongo: MongoStore): AuditResultStore {
  const audits = () => mongo.connection.collection<AuditDocument>(AUDITS);
  const read = async (_id: string): Promise<AuditReport | undefined> => {
    const document = await withDatabaseFailures(() => audits().findOne({ _id }));
    return document === null ? undefined : fromDocument(document);
  };
  const write = async (_id: string, report: AuditReport): Promise<void> => {
    await withDatabaseFailures(() =>
      audits().updateOne({ _id }, { $set: toDocument(report) }, { upsert: true }),
    );
  };
  return {
    find: () => read(NEWEST),
    write: (report) => write(NEWEST, report),
    findBegun: () => read(BEGUN),
    writeBegun: (report) => write(BEGUN, report),
  };
}

interface AuditMarkDocument extends LedgerSums {
  /** The account. */
  readonly _id: string;
  readonly whole_at: Date;
  /** Only of an account with findings. */
  readonly found?: {
    readonly at: Date;
    readonly entries: number;
    readonly findings: readonly Omit<Finding, 'accountId'>[];
  };
}

/** The marks of accounts in the document store. */
export function createAuditMarkStore(mongo: MongoStore): AuditMarkStore {
  const marks = () => mongo.connection.collection<AuditMarkDocument>(AUDIT_MARKS);
  return {
    async find(accountIds) {
      const found = await withDatabaseFailures(() =>
        marks()
          .find({ _id: { $in: [...accountIds] } })
          .toArray(),
      );
      return new Map(
        found.map(({ _id, whole_at, found: kept, ...sums }) => {
          const mark = { sums, wholeAtMs: whole_at.getTime() };
          return [_id, kept === undefined ? mark : { ...mark, found: toFindings(_id, kept) }];
        }),
      );
    },
    async write(accountId, { sums, wholeAtMs, found }) {
      const document = { ...sums, whole_at: new Date(wholeAtMs) };
      const update =
        found === undefined
          ? { $set: document, $unset: { found: '' } as const }
          : { $set: { ...document, found: fromFindings(found) } };
      await withDatabaseFailures(() =>
        marks().updateOne({ _id: accountId }, update, { upsert: true }),
      );
    },
    async listOldest(until, limit) {
      const wholeAt = { $gt: new Date(0), $lte: new Date(until) };
      const found = await withDatabaseFailures(() =>
        marks()
          .find({ whole_at: wholeAt }, { projection: { seq: 1 } })
          .sort({ whole_at: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id: accountId, seq }) => ({ accountId, seq }));
    },
  };
}

function fromFindings({
  atMs,
  entries,
  findings,
}: LedgerFindings): NonNullable<AuditMarkDocument['found']> {
  const kept = findings.map(({ rule, detail, drift }) => ({ rule, detail, drift }));
  return { at: new Date(atMs), entries, findings: kept };
}

function toFindings(
  accountId: string,
  { at, entries, findings }: NonNullable<AuditMarkDocument['found']>,
): LedgerFindings {
  const kept = findings.map((one) => ({ ...one, accountId, drift: BigInt(one.drift) }));
  return { atMs: at.getTime(), entries: Number(entries), findings: kept };
}
