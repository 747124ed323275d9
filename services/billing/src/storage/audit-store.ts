import { documentsOf, type MongoStore } from '@tollgate/mongo';
import {
  type AuditMark,
  type FaultyMark,
  type Finding,
  type LedgerSums,
  NO_ENTRIES,
} from '../domain/audit-checks';
import type { AuditReport } from '../domain/audit-report';
import type { AuditMarkStore, AuditResultStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

type FindingDocument = Omit<Finding, 'accountId'>;

interface AuditDocument {
  readonly _id: string;
  readonly ok: boolean;
  readonly drift: bigint;
  readonly accounts_checked: number;
  readonly absorbed: bigint;
  readonly overrun: bigint;
  readonly reserved: bigint;
  readonly findings: readonly (FindingDocument & { readonly account_id: string })[];
  readonly started_at: Date;
  readonly checked_at: Date;
  /** Of an audit that is not complete: the account to go on after. */
  readonly checked_up_to?: string;
}

function toFindingDocument({ rule, detail, drift }: Finding): FindingDocument {
  return { rule, detail, drift };
}

function fromFindingDocument(accountId: string, { rule, detail, drift }: FindingDocument): Finding {
  return { accountId, rule, detail, drift: BigInt(drift) };
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
    findings: report.findings.map((finding) => ({
      account_id: finding.accountId,
      ...toFindingDocument(finding),
    })),
    started_at: new Date(report.startedAtMs),
    checked_at: new Date(report.checkedAtMs),
    ...(report.checkedUpTo === undefined ? {} : { checked_up_to: report.checkedUpTo }),
  };
}

/** One that cannot be read is none: the next audit begins anew and is written in its place. */
function readReport(document: AuditDocument): AuditReport | undefined {
  try {
    return fromDocument(document);
  } catch {
    return undefined;
  }
}

function fromDocument(document: AuditDocument): AuditReport {
  return {
    ok: document.ok,
    drift: BigInt(document.drift),
    // By way of BigInt, which refuses what is no whole number.
    accountsChecked: Number(BigInt(document.accounts_checked)),
    absorbed: BigInt(document.absorbed),
    overrun: BigInt(document.overrun),
    reserved: BigInt(document.reserved),
    findings: document.findings.map(({ account_id, ...finding }) =>
      fromFindingDocument(account_id, finding),
    ),
    complete: document.checked_up_to === undefined,
    checkedUpTo: document.checked_up_to,
    startedAtMs: document.started_at.getTime(),
    checkedAtMs: document.checked_at.getTime(),
  };
}

/** The newest audit, and the one that was begun since, in the document store. */
export function createAuditResultStore(mongo: MongoStore): AuditResultStore {
  const audits = documentsOf<AuditDocument>(mongo, COLLECTIONS.audits);
  const read = async (_id: string): Promise<AuditReport | undefined> => {
    const document = await audits.find({ _id });
    return document && readReport(document);
  };
  const write = (_id: string, report: AuditReport): Promise<void> =>
    audits.upsert({ _id }, { $set: toDocument(report) });
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
  /** `NO_TIME` where something was found, and the sums say nothing. */
  readonly whole_at: Date;
  /** Absent of a sound ledger, and in what a version wrote that did not keep its findings. */
  readonly found?: {
    readonly at: Date;
    readonly entries: number;
    readonly findings: readonly FindingDocument[];
  };
}

/** No ledger was checked then: such a mark is not among those of the longest ago. */
const NO_TIME = new Date(0);

/** The marks of accounts in the document store. */
export function createAuditMarkStore(mongo: MongoStore): AuditMarkStore {
  const marks = documentsOf<AuditMarkDocument>(mongo, COLLECTIONS.auditMarks);
  return {
    async find(accountIds) {
      const found = await marks.list({ _id: { $in: [...accountIds] } });
      return new Map(
        found.flatMap((document) => {
          const mark = readMark(document);
          return mark === undefined ? [] : [[document._id, mark] as const];
        }),
      );
    },
    write(accountId, mark) {
      const update =
        mark.kind === 'sound'
          ? {
              $set: { ...mark.sums, whole_at: new Date(mark.wholeAtMs) },
              $unset: { found: '' } as const,
            }
          : { $set: { ...NO_ENTRIES, whole_at: NO_TIME, found: toFindingsDocument(mark) } };
      return marks.upsert({ _id: accountId }, update);
    },
    async listOldest(untilAtMs, limit) {
      const wholeAt = { $gt: NO_TIME, $lte: new Date(untilAtMs) };
      const options = { projection: { seq: 1 }, sort: { whole_at: 1 }, limit } as const;
      const found = await marks.list({ whole_at: wholeAt }, options);
      return found.map(({ _id: accountId, seq }) => ({ accountId, seq }));
    },
  };
}

/** One that cannot be read is none: the ledger is checked from its beginning, which makes another. */
function readMark(document: AuditMarkDocument): AuditMark | undefined {
  try {
    return fromMarkDocument(document);
  } catch {
    return undefined;
  }
}

/** Undefined where a version found something and did not keep what: the ledger is checked again. */
function fromMarkDocument({ _id, whole_at, found, ...sums }: AuditMarkDocument) {
  if (found !== undefined) return fromFindingsDocument(_id, found);
  const wholeAtMs = whole_at.getTime();
  return wholeAtMs === NO_TIME.getTime()
    ? undefined
    : ({ kind: 'sound', sums, wholeAtMs } as const);
}

type FindingsDocument = NonNullable<AuditMarkDocument['found']>;

function toFindingsDocument({ atMs, entries, findings }: FaultyMark): FindingsDocument {
  return { at: new Date(atMs), entries, findings: findings.map(toFindingDocument) };
}

function fromFindingsDocument(
  accountId: string,
  { at, entries, findings }: FindingsDocument,
): FaultyMark {
  const kept = findings.map((finding) => fromFindingDocument(accountId, finding));
  return { kind: 'faulty', atMs: at.getTime(), entries: Number(entries), findings: kept };
}
