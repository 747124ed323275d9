import {
  type definitionOf,
  fromProtoIdempotency,
  fromProtoTime,
  type Handlers,
} from '@tollgate/rpc';
import type { DeliveryOperations } from '../operations/deliveries';
import type { EndpointOperations } from '../operations/endpoints';
import { fromProtoChange, fromProtoCreation, toProtoDelivery, toProtoEndpoint } from './mapping';

type WebhookDefinition = ReturnType<typeof definitionOf<'webhook'>>;

export interface WebhookHandlersOptions {
  readonly endpoints: EndpointOperations;
  readonly deliveries: DeliveryOperations;
}

/** Translate, call one operation, translate back. */
export function createWebhookHandlers(
  options: WebhookHandlersOptions,
): Handlers<WebhookDefinition> {
  const { endpoints, deliveries } = options;
  return {
    async createEndpoint(request) {
      const { endpoint, secret, replayed } = await endpoints.create(
        request.accountId,
        fromProtoCreation(request),
        { operator: request.operator, idempotency: fromProtoIdempotency(request) },
      );
      return { endpoint: toProtoEndpoint(endpoint), secret, replayed };
    },
    async listEndpoints(request) {
      const page = await endpoints.list(request.accountId, request.limit, request.cursor);
      return { endpoints: page.items.map(toProtoEndpoint), nextCursor: page.nextCursor };
    },
    async listAutoDisabledEndpoints({ limit }) {
      return { endpoints: (await endpoints.listAutoDisabled(limit)).map(toProtoEndpoint) };
    },
    async getEndpoint(request) {
      const endpoint = await endpoints.get(request.accountId, request.endpointId);
      return { endpoint: toProtoEndpoint(endpoint) };
    },
    async updateEndpoint(request) {
      const change = { settings: fromProtoChange(request), operator: request.operator };
      const endpoint = await endpoints.update(request.accountId, request.endpointId, change);
      return { endpoint: toProtoEndpoint(endpoint) };
    },
    async deleteEndpoint(request) {
      await endpoints.remove(request.accountId, request.endpointId);
      return {};
    },
    async rotateSecret(request) {
      const { endpoint, secret, replayed } = await endpoints.rotateSecret(
        request.accountId,
        request.endpointId,
        request.gracePeriodSeconds,
        fromProtoIdempotency(request),
      );
      return { endpoint: toProtoEndpoint(endpoint), secret, replayed };
    },
    async listDeliveries(request) {
      const { limit, cursor } = request;
      const page = await deliveries.list(request.accountId, request.endpointId, { limit, cursor });
      return { deliveries: page.items.map(toProtoDelivery), nextCursor: page.nextCursor };
    },
    async listAccountDeliveries({ accountId, start, end, limit }) {
      const span = {
        fromAtMs: fromProtoTime(start, 'start'),
        untilAtMs: fromProtoTime(end, 'end'),
      };
      const found = await deliveries.listOfAccount(accountId, span, limit);
      return { deliveries: found.map(toProtoDelivery) };
    },
    async redeliver(request) {
      const { accountId, deliveryId } = request;
      const idempotency = fromProtoIdempotency(request);
      const { answer, replayed } = await deliveries.redeliver(accountId, deliveryId, idempotency);
      return { delivery: toProtoDelivery(answer), replayed };
    },
    async sendTest(request) {
      const { accountId, endpointId } = request;
      const idempotency = fromProtoIdempotency(request);
      const { answer, replayed } = await deliveries.sendTest(accountId, endpointId, idempotency);
      return { delivery: toProtoDelivery(answer), replayed };
    },
  };
}
