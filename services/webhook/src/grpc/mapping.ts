import { invalid, toIsoTime } from '@tollgate/core';
import type { webhookV1 } from '@tollgate/protos';
import { toProtoTime } from '@tollgate/rpc';
import type { DeliveryStatus, DeliveryView } from '../domain/delivery';
import type { EndpointStatus, EndpointView } from '../domain/endpoint';
import type { EndpointSettings } from '../domain/endpoint-settings';

const STATUSES: Readonly<Record<string, EndpointStatus>> = {
  ENDPOINT_STATUS_ENABLED: 'enabled',
  ENDPOINT_STATUS_DISABLED: 'disabled',
  ENDPOINT_STATUS_AUTO_DISABLED: 'auto_disabled',
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Settings of a new endpoint. */
export function fromProtoCreation(
  request: webhookV1.CreateEndpointRequest__Output,
): EndpointSettings {
  const { url, events, description } = request;
  return { url, events, description };
}

/** Members that the request left out stay out, so that they keep their present value. */
export function fromProtoChange(
  request: webhookV1.UpdateEndpointRequest__Output,
): EndpointSettings {
  const settings: Mutable<EndpointSettings> = {};
  if (request.url !== undefined) settings.url = request.url;
  if (request.events) settings.events = request.events.values;
  if (request.description !== undefined) settings.description = request.description;
  if (request.status !== undefined) settings.status = fromProtoStatus(request.status);
  return settings;
}

function fromProtoStatus(status: string): EndpointStatus {
  const known = STATUSES[status];
  if (known !== undefined) return known;
  throw invalid('status', 'The status can be set to enabled or disabled.');
}

const ENDPOINT_STATUSES = {
  enabled: 'ENDPOINT_STATUS_ENABLED',
  disabled: 'ENDPOINT_STATUS_DISABLED',
  auto_disabled: 'ENDPOINT_STATUS_AUTO_DISABLED',
} as const satisfies Record<EndpointStatus, string>;

/** A held delivery is pending to its owner: it waits for the endpoint to be enabled. */
const DELIVERY_STATUSES = {
  pending: 'DELIVERY_STATUS_PENDING',
  paused: 'DELIVERY_STATUS_PENDING',
  succeeded: 'DELIVERY_STATUS_SUCCEEDED',
  failed: 'DELIVERY_STATUS_FAILED',
} as const satisfies Record<DeliveryStatus, string>;

/** The endpoint as its account sees it: no secret, nothing about operators. */
export function toProtoEndpoint(endpoint: EndpointView): webhookV1.Endpoint {
  const { id, accountId, url, events, description, lastStatusCode } = endpoint;
  return {
    id,
    accountId,
    url,
    events: [...events],
    status: ENDPOINT_STATUSES[endpoint.status],
    description,
    createdAt: toIsoTime(endpoint.createdAtMs),
    lastDeliveryAt: toProtoTime(endpoint.lastDeliveryAtMs),
    consecutiveFailures: endpoint.consecutiveFailures,
    ...(lastStatusCode === null ? {} : { lastStatusCode }),
  };
}

/** The delivery without its body. */
export function toProtoDelivery(delivery: DeliveryView): webhookV1.Delivery {
  const { id, endpointId, eventId, eventType, attempts, lastError, lastStatusCode } = delivery;
  return {
    id,
    endpointId,
    eventId,
    eventType,
    sequence: delivery.sequence.toString(),
    status: DELIVERY_STATUSES[delivery.status],
    attempts,
    lastError,
    nextAttemptAt: delivery.status === 'pending' ? toIsoTime(delivery.dueAtMs) : '',
    createdAt: toIsoTime(delivery.createdAtMs),
    deliveredAt: toProtoTime(delivery.deliveredAtMs),
    ...(lastStatusCode === null ? {} : { lastStatusCode }),
  };
}
