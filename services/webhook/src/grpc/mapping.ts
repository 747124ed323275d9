import { invalid, toIsoTime } from '@tollgate/core';
import type { webhookV1 } from '@tollgate/protos';
import { fromProtoName, type Mutable, type Sent, toProtoName, toProtoTime } from '@tollgate/rpc';
import type { DeliveryView } from '../domain/delivery';
import { ENDPOINT_STATUSES, type EndpointStatus, type EndpointView } from '../domain/endpoint';
import type { EndpointSettings } from '../domain/endpoint-settings';

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
  const known = fromProtoName(ENDPOINT_STATUSES, 'ENDPOINT_STATUS', status);
  if (known !== undefined) return known;
  throw invalid('status', 'The status can be set to enabled or disabled.');
}

/** The endpoint as its account sees it: no secret, nothing about operators. */
export function toProtoEndpoint(endpoint: EndpointView): Sent<webhookV1.Endpoint> {
  const { id, accountId, url, events, description, lastStatusCode } = endpoint;
  return {
    id,
    accountId,
    url,
    events,
    status: toProtoName('ENDPOINT_STATUS', endpoint.status),
    description,
    createdAt: toIsoTime(endpoint.createdAtMs),
    lastDeliveryAt: toProtoTime(endpoint.lastDeliveryAtMs),
    consecutiveFailures: endpoint.consecutiveFailures,
    ...(lastStatusCode === null ? {} : { lastStatusCode }),
  };
}

/** The delivery without its body. */
export function toProtoDelivery(delivery: DeliveryView): webhookV1.Delivery {
  const { id, endpointId, eventId, eventType, status, attempts, lastError, lastStatusCode } =
    delivery;
  return {
    id,
    endpointId,
    eventId,
    eventType,
    sequence: delivery.sequence.toString(),
    // One that waits for its endpoint to be enabled is pending to the owner.
    status: toProtoName('DELIVERY_STATUS', status === 'paused' ? 'pending' : status),
    attempts,
    lastError,
    nextAttemptAt: status === 'pending' ? toIsoTime(delivery.dueAtMs) : '',
    createdAt: toIsoTime(delivery.createdAtMs),
    deliveredAt: toProtoTime(delivery.deliveredAtMs),
    ...(lastStatusCode === null ? {} : { lastStatusCode }),
  };
}
