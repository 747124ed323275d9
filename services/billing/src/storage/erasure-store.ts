import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { ErasureStore } from '../domain/ports';
import { ANSWERS } from './answer-store';
import { CLAIMS } from './claim-store';
import { LEDGER } from './ledger-store';

export const ERASURES = 'billing_erasures';

interface ErasureDocument {
  /** The account. */
  readonly _id: string;
  readonly told_at: Date;
  readonly through_seq: number;
  /** Absent when it is done. */
  readonly open?: true;
}

interface OwnedDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly seq?: number;
  readonly kind?: string;
  readonly note?: string;
}

/** Erasures in the document store. They are the only writes to a ledger entry after its insert. */
export function createErasureStore(mongo: MongoStore): ErasureStore {
  const erasures = () => mongo.connection.collection<ErasureDocument>(ERASURES);
  const owned = (name: string) => mongo.connection.collection<OwnedDocument>(name);
  return {
    async begin(accountId, heardAtMs) {
      const $set = { told_at: new Date(heardAtMs), open: true as const };
      await withDatabaseFailures(() =>
        erasures().updateOne(
          { _id: accountId },
          { $set, $setOnInsert: { through_seq: 0 } },
          { upsert: true },
        ),
      );
    },
    async listOpen({ after, limit }) {
      const filter = {
        open: true as const,
        ...(after === undefined ? {} : { _id: { $gt: after } }),
      };
      const found = await withDatabaseFailures(() =>
        erasures().find(filter).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return found.map(({ _id: accountId, told_at, through_seq }) => ({
        accountId,
        heardAtMs: told_at.getTime(),
        throughSeq: Number(through_seq),
      }));
    },
    async blankEntries(accountId, afterSeq, throughSeq) {
      const seq = { $gt: afterSeq, $lte: throughSeq };
      const texts = {
        charge: { 'record.client_request_id': null, 'record.failed_attempts': null },
        credit: { note: '' },
      };
      for (const [kind, $set] of Object.entries(texts)) {
        const entries = { account_id: accountId, seq, kind };
        await withDatabaseFailures(() => owned(LEDGER).updateMany(entries, { $set }));
      }
    },
    async noteProgress(accountId, throughSeq) {
      await withDatabaseFailures(() =>
        erasures().updateOne({ _id: accountId }, { $set: { through_seq: throughSeq } }),
      );
    },
    async blankClaims(accountId) {
      await withDatabaseFailures(() =>
        owned(CLAIMS).updateMany({ account_id: accountId }, { $set: { note: '' } }),
      );
    },
    async removeAnswers(accountId) {
      await withDatabaseFailures(() => owned(ANSWERS).deleteMany({ account_id: accountId }));
    },
    async end({ accountId, heardAtMs }) {
      await withDatabaseFailures(() =>
        erasures().updateOne(
          { _id: accountId, told_at: new Date(heardAtMs) },
          { $unset: { open: '' } },
        ),
      );
    },
  };
}
