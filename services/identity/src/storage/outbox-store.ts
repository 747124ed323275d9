import type { IdPage } from '@tollgate/core';
import type { Records } from '@tollgate/mongo';
import type { OutboxStore, RecordRevision } from '../domain/ports';

/** Marks of a document whose events still have to go somewhere; each has an index of the few. */
export interface OutboxMarks {
  /** Present while the outbox holds something. */
  readonly outboxPending?: true | undefined;
  /**
   * Present while gateways were not notified of a change. Only `markNotified` removes it: neither
   * another change nor the publication says anything about gateways.
   */
  readonly gatewaysPending?: true;
}

interface MarkedDocument extends OutboxMarks {
  readonly _id: string;
  readonly rev?: number;
}

/** The marks that come with a record's events. */
export function marksOf<Event>(
  outbox: readonly Event[],
  changesPrincipals: (event: Event) => boolean,
): OutboxMarks {
  return {
    outboxPending: outbox.length > 0 || undefined,
    ...(outbox.some(changesPrincipals) && { gatewaysPending: true }),
  };
}

/** Finds marked documents and removes their marks when the revision still stands. */
export function createOutboxStore<Item extends RecordRevision>(
  records: Pick<Records<Item, MarkedDocument>, 'list' | 'update'>,
): OutboxStore<Item> {
  const pageOf = ({ after }: IdPage) => (after === undefined ? {} : { _id: { $gt: after } });
  return {
    async clearOutbox({ id, rev }) {
      const emptied = { $set: { outbox: [] }, $unset: { outboxPending: 1 } } as const;
      await records.update({ _id: id, rev }, emptied);
    },
    listPending: (page) =>
      records.list(
        { outboxPending: true, ...pageOf(page) },
        { sort: { _id: 1 }, limit: page.limit },
      ),
    async listUnnotified(page) {
      const found = await records.list(
        { gatewaysPending: true, ...pageOf(page) },
        { sort: { _id: 1 }, limit: page.limit, projection: { rev: 1 } },
      );
      return found.map(({ id, rev }) => ({ id, rev }));
    },
    async markNotified({ id, rev }) {
      await records.update({ _id: id, rev }, { $unset: { gatewaysPending: 1 } });
    },
  };
}
