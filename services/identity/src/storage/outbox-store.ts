import type { IdPage } from '@tollgate/core';
import { withDatabaseFailures } from '@tollgate/mongo';
import mongoose, { type Model } from 'mongoose';
import type { OutboxStore, RecordRevision } from '../domain/ports';

/** Marks of a document whose events still have to go somewhere; each has an index of the few. */
export interface OutboxMarks {
  /** Present while the outbox holds something. */
  readonly outboxPending?: true;
  /**
   * Present while gateways were not notified of a change. Only `markNotified` removes it: neither
   * another change nor the publication says anything about gateways.
   */
  readonly gatewaysPending?: true;
}

interface MarkedDocument extends OutboxMarks {
  readonly _id: string;
  readonly rev: number;
}

/** Finds marked documents and removes their marks when the revision still stands. */
export function createOutboxStore<Document extends MarkedDocument, Item extends RecordRevision>(
  model: Model<Document>,
  fromDocument: (document: Document) => Item,
): OutboxStore<Item> {
  // The names are those of every marked document; the type of a generic one hides them.
  const marked = model as unknown as Model<MarkedDocument>;
  const find = (mark: OutboxMarks, { after, limit }: IdPage) => {
    const filter = after === undefined ? mark : { ...mark, _id: mongoose.trusted({ $gt: after }) };
    return marked.find(filter).sort({ _id: 1 }).limit(limit);
  };
  return {
    async clearOutbox({ id, rev }) {
      await withDatabaseFailures(() =>
        marked.updateOne({ _id: id, rev }, { $set: { outbox: [] }, $unset: { outboxPending: 1 } }),
      );
    },
    async listPending(page) {
      const found = await withDatabaseFailures(() =>
        find({ outboxPending: true }, page).lean<Document[]>(),
      );
      return found.map(fromDocument);
    },
    async listUnnotified(page) {
      const found = await withDatabaseFailures(() =>
        find({ gatewaysPending: true }, page).select({ rev: 1 }).lean<MarkedDocument[]>(),
      );
      return found.map(({ _id: id, rev }) => ({ id, rev }));
    },
    async markNotified({ id, rev }) {
      await withDatabaseFailures(() =>
        marked.updateOne({ _id: id, rev }, { $unset: { gatewaysPending: 1 } }),
      );
    },
  };
}
