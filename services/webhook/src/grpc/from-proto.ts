import { invalid } from '@tollgate/core';
import type { webhookV1 } from '@tollgate/protos';
import type { EndpointStatus } from '../domain/endpoint';
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
