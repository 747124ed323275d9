import { afterId, type Records } from '@tollgate/mongo';
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
  records: Pick<Records<Item, MarkedDocument>, 'listStored' | 'update'>,
): OutboxStore<Item> {
  return {
    async clearOutbox({ id, rev }) {
      const emptied = { $set: { outbox: [] }, $unset: { outboxPending: 1 } } as const;
      await records.update({ _id: id, rev }, emptied);
    },
    async listPending({ after, limit }) {
      const filter = { outboxPending: true, ...afterId(after) } as const;
      const found = await records.listStored(filter, { sort: { _id: 1 }, limit });
      return found.map(({ document, read }) => ({ id: document._id, read }));
    },
    async listUnnotified({ after, limit }) {
      const found = await records.listStored(
        { gatewaysPending: true, ...afterId(after) },
        { sort: { _id: 1 }, limit, projection: { rev: 1 } },
      );
      return found.map((stored) => {
        const { id, rev } = stored.read();
        return { id, rev };
      });
    },
    async markNotified({ id, rev }) {
      await records.update({ _id: id, rev }, { $unset: { gatewaysPending: 1 } });
    },
  };
}
