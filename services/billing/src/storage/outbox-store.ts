import {
  afterId,
  documentsOf,
  insertNewOnes,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { OutboxBatch, OutboxItem } from '../domain/journal';
import type { OutboxStore, StoredBatch } from '../domain/ports';
import { fromNoticeDocument, type NoticeDocument, toNoticeDocument } from './account-document';
import { COLLECTIONS } from './collections';

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
  return { no, notice_seq: item.noticeSeq, at: item.atMs, notice: toNoticeDocument(item.notice) };
}

function fromItemDocument(document: OutboxItemDocument): OutboxItem {
  const { no } = document;
  if ('seq' in document) return { kind: 'entry', no, seq: document.seq };
  const { notice_seq: noticeSeq, at: atMs } = document;
  return { kind: 'notice', no, noticeSeq, atMs, notice: fromNoticeDocument(document.notice) };
}

function toDocument({ id, accountId, items }: OutboxBatch): OutboxDocument {
  return { _id: id, account_id: accountId, items: items.map(toItemDocument) };
}

function fromDocument({ _id: id, account_id: accountId, items }: OutboxDocument): OutboxBatch {
  return { id, accountId, items: items.map(fromItemDocument) };
}

function toStoredBatch(document: OutboxDocument): StoredBatch {
  // Of a damaged document as well: it is read only when it is published.
  const items: unknown = document.items;
  const messageCount = Array.isArray(items) ? items.length : 1;
  return { id: document._id, messageCount, read: () => fromDocument(document) };
}

/** The outbox in the document store. The index of `_id` is the order of publication. */
export function createOutboxStore(mongo: MongoStore): OutboxStore {
  const outbox = documentsOf<OutboxDocument>(mongo, COLLECTIONS.outbox);
  return {
    async insert(batches) {
      // The same items have the same id, so what stands there says the same.
      await insertNewOnes(() =>
        outbox.collection().insertMany(batches.map(toDocument), { ordered: false }),
      );
    },
    list: ({ after, limit, messagesMax }) =>
      withDatabaseFailures(async () => {
        const batches: StoredBatch[] = [];
        let messages = 0;
        // A busy account has hundreds of items in each batch: the cursor is left when it is enough.
        for await (const document of outbox
          .collection()
          .find(afterId(after))
          .sort({ _id: 1 })
          .limit(limit)) {
          const batch = toStoredBatch(document);
          batches.push(batch);
          messages += batch.messageCount;
          if (messages >= messagesMax) break;
        }
        return batches;
      }),
    remove: (ids) => outbox.removeMany({ _id: { $in: [...ids] } }),
  };
}
