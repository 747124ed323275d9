import { AppError, type Clock, createId, isId } from '@tollgate/core';
import type { Delivery } from '../domain/delivery';
import { type Page, pageSize, toPage } from '../domain/page';
import type { DeliveryStore, Wakeup } from '../domain/ports';
import { appendDelivery } from './append-delivery';
import type { EndpointOperations } from './manage-endpoints';

/** What these operations work with. */
export interface DeliveryOperationsOptions {
  readonly endpoints: Pick<EndpointOperations, 'get'>;
  readonly deliveries: DeliveryStore;
  readonly clock: Clock;
  readonly dispatcher: Wakeup;
  /** Test deliveries that may wait for one endpoint. */
  readonly testsPendingMax: number;
}

/** What an account may see and ask of its deliveries; those of others do not exist. */
export interface DeliveryOperations {
  /** Newest first. */
  list(
    accountId: string,
    endpointId: string,
    page: { readonly limit: number; readonly cursor: string },
  ): Promise<Page<Delivery>>;
  /** Sends it again, same id and number, with the whole retry schedule ahead. */
  redeliver(accountId: string, deliveryId: string): Promise<Delivery>;
  /** Sends a `webhook.test`, subscribed or not. */
  sendTest(accountId: string, endpointId: string): Promise<Delivery>;
}

/** Creates the operations over their ports. */
export function createDeliveryOperations(options: DeliveryOperationsOptions): DeliveryOperations {
  const { endpoints, deliveries, clock, dispatcher } = options;

  const get = async (accountId: string, deliveryId: string): Promise<Delivery> => {
    const delivery = isId('delivery', deliveryId)
      ? await deliveries.get(accountId, deliveryId)
      : undefined;
    if (delivery === undefined) throw new AppError('NOT_FOUND');
    return delivery;
  };

  const getEnabled = async (accountId: string, endpointId: string) => {
    const endpoint = await endpoints.get(accountId, endpointId);
    if (endpoint.status === 'enabled') return endpoint;
    throw new AppError('CONFLICT', {
      publicMessage: 'The webhook endpoint is disabled: enable it first.',
    });
  };

  return {
    async list(accountId, endpointId, { limit, cursor }) {
      const endpoint = await endpoints.get(accountId, endpointId);
      const size = pageSize(limit);
      const found = await deliveries.list(endpoint.id, size + 1, readCursor(cursor));
      return toPage(found, size, (last) => last.sequence.toString());
    },
    async redeliver(accountId, deliveryId) {
      const delivery = await get(accountId, deliveryId);
      await getEnabled(accountId, delivery.endpointId);
      await deliveries.restart(accountId, delivery.id, clock.now());
      dispatcher.wake();
      return get(accountId, deliveryId);
    },
    async sendTest(accountId, endpointId) {
      const endpoint = await getEnabled(accountId, endpointId);
      const { testsPendingMax } = options;
      const waiting = await deliveries.countWaiting(endpoint.id, testsPendingMax, 'webhook.test');
      if (waiting >= testsPendingMax) {
        throw new AppError('RATE_LIMIT_EXCEEDED', {
          publicMessage: 'Too many test deliveries wait for this webhook endpoint already.',
        });
      }
      const eventId = createId('event');
      const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, {
        key: eventId,
        eventId,
        type: 'webhook.test',
        atMs: clock.now(),
        audience: { kind: 'account', accountId },
        data: { endpoint_id: endpoint.id },
      });
      dispatcher.wake();
      return delivery;
    },
  };
}

/** The number of the last delivery that was shown; undefined for the first page. */
function readCursor(cursor: string): number | undefined {
  if (cursor === '') return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new AppError('VALIDATION_ERROR', {
    param: 'cursor',
    publicMessage: 'The cursor is not one that this list gave.',
  });
}
