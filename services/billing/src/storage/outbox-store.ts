import { isDuplicateKey, type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { OutboxBatch, OutboxItem } from '../domain/outbox';
import type { OutboxStore } from '../domain/ports';
import { fromNoticeDocument, type NoticeDocument, toNoticeDocument } from './account-document';

const OUTBOX = 'billing_outbox';

type OutboxItemDocument =
  | { readonly no: number; readonly seq: number }
  | {
      readonly no: number;
      readonly notice_seq: number;
      readonly at: number;
      readonly notice: NoticeDocument;
    };

interface OutboxDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly items: readonly OutboxItemDocument[];
}

function toItemDocument(item: OutboxItem): OutboxItemDocument {
  const { no } = item;
  if (item.kind === 'entry') return { no, seq: item.seq };
  return { no, notice_seq: item.noticeSeq, at: item.at, notice: toNoticeDocument(item.notice) };
}

function fromItemDocument(document: OutboxItemDocument): OutboxItem {
  const { no } = document;
  if ('seq' in document) return { kind: 'entry', no, seq: document.seq };
  const { notice_seq: noticeSeq, at } = document;
  return { kind: 'notice', no, noticeSeq, at, notice: fromNoticeDocument(document.notice) };
}

function toDocument({ id, accountId, items }: OutboxBatch): OutboxDocument {
  return { _id: id, account_id: accountId, items: items.map(toItemDocument) };
}

function fromDocument({ _id: id, account_id: accountId, items }: OutboxDocument): OutboxBatch {
  return { id, accountId, items: items.map(fromItemDocument) };
}

/** The outbox in the document store. The index of `_id` is the order of publication. */
export function createOutboxStore(mongo: MongoStore): OutboxStore {
  const outbox = () => mongo.connection.collection<OutboxDocument>(OUTBOX);
  return {
    add: (batches) =>
      withDatabaseFailures(async () => {
        try {
          await outbox().insertMany(batches.map(toDocument), { ordered: false });
        } catch (error) {
          // The same items have the same id, so what stands there says the same.
          if (!isDuplicateKey(error)) throw error;
        }
      }),
    async list({ after, limit }) {
      const filter = after === undefined ? {} : { _id: { $gt: after } };
      const documents = await withDatabaseFailures(() =>
        outbox().find(filter).sort({ _id: 1 }).limit(limit).toArray(),
      );
      return documents.map((document) => ({
        id: document._id,
        read: () => fromDocument(document),
      }));
    },
    async remove(ids) {
      await withDatabaseFailures(() => outbox().deleteMany({ _id: { $in: [...ids] } }));
    },
  };
}
