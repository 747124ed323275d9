import { afterId, documentsOf, type MongoStore } from '@tollgate/mongo';
import type { Erasure, ErasureStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

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
  const erasures = documentsOf<ErasureDocument>(mongo, COLLECTIONS.erasures);
  const owned = (name: string) => documentsOf<OwnedDocument>(mongo, name);
  return {
    begin(accountId, heardAtMs) {
      const $set = { told_at: new Date(heardAtMs), open: true as const, through_seq: 0 };
      return erasures.upsert({ _id: accountId }, { $set });
    },
    async listOpen({ after, limit }) {
      const filter = { open: true, ...afterId(after) } as const;
      const found = await erasures.list(filter, { sort: { _id: 1 }, limit });
      return found.map((document) => ({
        accountId: document._id,
        read: () => fromDocument(document),
      }));
    },
    async blankEntries(accountId, afterSeq, throughSeq) {
      const seq = { $gt: afterSeq, $lte: throughSeq };
      const texts = {
        charge: {
          'record.client_request_id': null,
          'record.failed_attempts': null,
          'record.ignored_members': null,
        },
        credit: { note: '' },
      };
      for (const [kind, $set] of Object.entries(texts)) {
        await owned(COLLECTIONS.ledger).updateMany({ account_id: accountId, seq, kind }, { $set });
      }
    },
    async rememberProgress(erasure, throughSeq) {
      await erasures.update(asTold(erasure), { $set: { through_seq: throughSeq } });
    },
    async blankClaims(accountId) {
      await owned(COLLECTIONS.claims).updateMany({ account_id: accountId }, { $set: { note: '' } });
    },
    removeAnswers: (accountId) => owned(COLLECTIONS.answers).removeMany({ account_id: accountId }),
    async end(erasure) {
      await erasures.update(asTold(erasure), { $unset: { open: '' } });
    },
  };
}

function fromDocument({ _id: accountId, told_at, through_seq }: ErasureDocument): Erasure {
  return { accountId, heardAtMs: told_at.getTime(), throughSeq: Number(through_seq) };
}

/** Nothing once it was begun again since. */
const asTold = ({ accountId, heardAtMs }: Erasure) => ({
  _id: accountId,
  told_at: new Date(heardAtMs),
});
