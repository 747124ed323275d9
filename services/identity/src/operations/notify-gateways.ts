import { AppError } from '@tollgate/core';
import { createOutboxRelay } from '@tollgate/jobs';
import type { OutboxStore, PrincipalLog, RecordRevision } from '../domain/ports';
import {
  createOnceForEach,
  type OutboxHost,
  type OutboxRecord,
  PENDING_PAGE,
  relayOptions,
} from './outbox-record';

/** Tells gateways to forget principals, for one kind of record. */
export interface GatewayNotifier<Item> {
  /** Resolves when the gateways are notified of the record's events. */
  notify(item: Item): Promise<void>;
  /** Notifies of what is left, oldest first; NOTHING_FOUND when that was nothing. */
  notifyPending(signal: AbortSignal): Promise<unknown>;
}

interface GatewayNotifierOptions<Item extends OutboxRecord> extends OutboxHost {
  readonly principalLog: PrincipalLog;
  readonly store: OutboxStore<Item>;
  /** Those after which a gateway's cache would be wrong. */
  gatewayEvents(item: Item): readonly { readonly id: string }[];
}

export function createGatewayNotifier<Item extends OutboxRecord>(
  options: GatewayNotifierOptions<Item>,
): GatewayNotifier<Item> {
  const { principalLog, store, gatewayEvents } = options;
  const notifyOnce = createOnceForEach<{ readonly id: string }>();
  const relay = createOutboxRelay<RecordRevision, string>({
    outbox: {
      list: store.listUnnotified,
      async remove(records) {
        for (const record of records) await store.markNotified(record);
      },
    },
    toMessages: (records) => records.map(({ id }) => id),
    async publish(ids) {
      try {
        await principalLog.append(ids);
      } catch (cause) {
        // Whatever it is, it is not the fault of a record: the next round notifies again.
        throw new AppError('SERVICE_UNAVAILABLE', { cause });
      }
    },
    publishMax: PENDING_PAGE,
    ...relayOptions(options, 'gateways'),
  });
  return {
    notify: (item) =>
      notifyOnce(gatewayEvents(item), async () => {
        await principalLog.append([item.id]);
        await store.markNotified(item);
      }),
    notifyPending: relay.run,
  };
}
