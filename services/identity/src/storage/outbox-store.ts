import type { IdPage } from '@tollgate/core';
import mongoose from 'mongoose';
import type { OutboxStore, RecordRevision } from '../domain/ports';
import type { ModelDocuments } from './document-model';

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
  documents: ModelDocuments<Document>,
  fromDocument: (document: Document) => Item,
): OutboxStore<Item> {
  // The names are those of every marked document; the type of a generic one hides them.
  const marked = documents as unknown as ModelDocuments<MarkedDocument>;
  const list = (mark: OutboxMarks, { after, limit }: IdPage, projection?: { readonly rev: 1 }) => {
    const filter = after === undefined ? mark : { ...mark, _id: mongoose.trusted({ $gt: after }) };
    return marked.list(filter, { sort: { _id: 1 }, limit, ...(projection && { projection }) });
  };
  return {
    async clearOutbox({ id, rev }) {
      const emptied = { $set: { outbox: [] }, $unset: { outboxPending: 1 } };
      await marked.update({ _id: id, rev }, emptied);
    },
    async listPending(page) {
      const found: readonly unknown[] = await list({ outboxPending: true }, page);
      return (found as readonly Document[]).map(fromDocument);
    },
    async listUnnotified(page) {
      const found = await list({ gatewaysPending: true }, page, { rev: 1 });
      return found.map(({ _id: id, rev }) => ({ id, rev }));
    },
    async markNotified({ id, rev }) {
      await marked.update({ _id: id, rev }, { $unset: { gatewaysPending: 1 } });
    },
  };
}
