import {
  AppError,
  createId,
  type Idempotency,
  invalidCursor,
  isId,
  type Page,
  pageByCursor,
  pageSize,
} from '@tollgate/core';
import type { Wakeup } from '@tollgate/jobs';
import { type IdempotencyOptions, type IdempotentResult, runIdempotently } from '@tollgate/mongo';
import { type Delivery, type DeliveryView, deliveryViewOf } from '../domain/delivery';
import type { EndpointId } from '../domain/endpoint';
import type { DeliveryStore } from '../domain/ports';
import { appendDelivery } from './endpoint-queue';
import type { EndpointOperations } from './endpoints';

export interface DeliveryOperationsOptions extends IdempotencyOptions {
  readonly endpoints: Pick<EndpointOperations, 'get'>;
  readonly deliveries: DeliveryStore;
  readonly wakeup: Pick<Wakeup, 'wake'>;
  /** Test deliveries that may wait for one endpoint. */
  readonly testsPendingMax: number;
}

/** Deliveries as their account may see and repeat them; those of others do not exist. */
export interface DeliveryOperations {
  /** Newest first. */
  list(
    accountId: string,
    endpointId: string,
    page: { readonly limit: number; readonly cursor: string },
  ): Promise<Page<DeliveryView>>;
  /** Of all endpoints of the account, made within the span, the oldest first. */
  listOfAccount(
    accountId: string,
    span: { readonly fromAtMs: number; readonly untilAtMs: number },
    limit: number,
  ): Promise<readonly DeliveryView[]>;
  /**
   * Sends it again, same id and number, with the whole retry schedule ahead; CONFLICT while an
   * attempt is running.
   */
  redeliver(
    accountId: string,
    deliveryId: string,
    idempotency: Idempotency,
  ): Promise<IdempotentResult<DeliveryView>>;
  /** Sends a `webhook.test`, subscribed or not. */
  sendTest(
    accountId: string,
    endpointId: string,
    idempotency: Idempotency,
  ): Promise<IdempotentResult<DeliveryView>>;
}

/** Creates the operations over their ports. */
export function createDeliveryOperations(options: DeliveryOperationsOptions): DeliveryOperations {
  const { endpoints, deliveries, clock, wakeup } = options;

  const get = async (accountId: string, deliveryId: string): Promise<Delivery> => {
    const delivery = isId('delivery', deliveryId)
      ? await deliveries.find(accountId, deliveryId)
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
      return pageByCursor(found.map(deliveryViewOf), size, (last) => last.sequence.toString());
    },
    async listOfAccount(accountId, span, limit) {
      const found = await deliveries.listOfAccount(accountId, span, pageSize(limit));
      return found.map(deliveryViewOf);
    },
    redeliver: (accountId, deliveryId, idempotency) =>
      runIdempotently<DeliveryView, string>(options, {
        scope: accountId,
        operation: `redeliver ${deliveryId}`,
        idempotency,
        async effect(restartId) {
          const delivery = await get(accountId, deliveryId);
          await getEnabled(accountId, delivery.endpointId);
          if (!(await deliveries.restart(delivery, clock.now(), restartId))) throw beingSent();
          wakeup.wake();
          return deliveryViewOf(await get(accountId, deliveryId));
        },
        async findEffect(restartId) {
          const delivery = await deliveries.findRestarted(accountId, deliveryId, restartId);
          return delivery && deliveryViewOf(delivery);
        },
      }),
    sendTest: (accountId, endpointId, idempotency) =>
      runIdempotently<DeliveryView, string>(options, {
        scope: accountId,
        operation: `send-test ${endpointId}`,
        idempotency,
        newEffectId: () => createId('event'),
        async effect(eventId) {
          const endpoint = await getEnabled(accountId, endpointId);
          await requireRoom(options, endpoint.id);
          const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, {
            key: eventId,
            eventId,
            type: 'webhook.test',
            atMs: clock.now(),
            audience: { kind: 'account', accountId },
            data: { endpoint_id: endpoint.id },
          });
          wakeup.wake();
          return deliveryViewOf(delivery);
        },
        async findEffect(eventId) {
          const endpoint = await endpoints.get(accountId, endpointId);
          const delivery = await deliveries.findOfEvent(endpoint.id, eventId);
          return delivery && deliveryViewOf(delivery);
        },
      }),
  };
}

function beingSent(): AppError {
  return new AppError('CONFLICT', {
    publicMessage:
      'This delivery is being sent at this moment. Please ask again when that attempt is over.',
    retryable: true,
    retryAfterMs: 1000,
  });
}

async function requireRoom(
  { deliveries, testsPendingMax }: DeliveryOperationsOptions,
  endpointId: EndpointId,
): Promise<void> {
  const waiting = await deliveries.countWaiting(endpointId, testsPendingMax, 'webhook.test');
  if (waiting < testsPendingMax) return;
  throw new AppError('RATE_LIMIT_EXCEEDED', {
    publicMessage: 'Too many test deliveries wait for this webhook endpoint already.',
  });
}

/** The number of the last delivery that was shown; undefined for the first page. */
function readCursor(cursor: string): number | undefined {
  if (cursor === '') return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw invalidCursor();
}
