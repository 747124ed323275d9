import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { AuditReport } from '../domain/audit-report';
import type { AuditResultStore } from '../domain/ports';

const AUDITS = 'billing_audits';

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
}

const NEWEST = 'newest';

function toDocument(report: AuditReport): Omit<AuditDocument, '_id'> {
  const { ok, drift, absorbed, overrun, reserved } = report;
  return {
    ...{ ok, drift, absorbed, overrun, reserved },
    accounts_checked: report.accountsChecked,
    findings: report.findings.map(({ accountId: account_id, ...finding }) => ({
      account_id,
      ...finding,
    })),
    started_at: new Date(report.startedAt),
    checked_at: new Date(report.checkedAt),
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
      ...{ accountId, rule, detail, drift: BigInt(drift) },
    })),
    // Only complete ones are kept.
    complete: true,
    checkedUpTo: undefined,
    startedAt: document.started_at.getTime(),
    checkedAt: document.checked_at.getTime(),
  };
}

/** The newest audit in the document store. */
export function createAuditResultStore(mongo: MongoStore): AuditResultStore {
  const audits = () => mongo.connection.collection<AuditDocument>(AUDITS);
  return {
    async read() {
      const document = await withDatabaseFailures(() => audits().findOne({ _id: NEWEST }));
      return document === null ? undefined : fromDocument(document);
    },
    async write(report) {
      await withDatabaseFailures(() =>
        audits().updateOne({ _id: NEWEST }, { $set: toDocument(report) }, { upsert: true }),
      );
    },
  };
}
