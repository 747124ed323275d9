import {
  afterId,
  documentsOf,
  insertNewOnes,
  type MongoStore,
  withDatabaseFailures,
} from '@tollgate/mongo';
import type { OutboxBatch, OutboxItem } from '../domain/journal';
import type { OutboxStore, StoredBatch } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { fromNoticeDocument, type NoticeDocument, toNoticeDocument } from './notice-document';

type OutboxItemDocument = { readonly no: number; readonly seq: number } | NoticeDocument;

interface OutboxDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly items: readonly OutboxItemDocument[];
}

function toItemDocument(item: OutboxItem): OutboxItemDocument {
  return item.kind === 'notice' ? toNoticeDocument(item) : { no: item.no, seq: item.seq };
}

function fromItemDocument(document: OutboxItemDocument): OutboxItem {
  if (!('seq' in document)) return fromNoticeDocument(document);
  return { kind: 'entry', no: document.no, seq: document.seq };
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
