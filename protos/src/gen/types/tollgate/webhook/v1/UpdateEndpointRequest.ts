// Original file: tollgate/webhook/v1/webhook.proto

import type { EventList as _tollgate_webhook_v1_EventList, EventList__Output as _tollgate_webhook_v1_EventList__Output } from '../../../tollgate/webhook/v1/EventList';
import type { EndpointStatus as _tollgate_webhook_v1_EndpointStatus, EndpointStatus__Output as _tollgate_webhook_v1_EndpointStatus__Output } from '../../../tollgate/webhook/v1/EndpointStatus';

export interface UpdateEndpointRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
  'url'?: (string);
  'events'?: (_tollgate_webhook_v1_EventList | null);
  'status'?: (_tollgate_webhook_v1_EndpointStatus);
  'description'?: (string);
  'operator'?: (boolean);
  '_url'?: "url";
  '_status'?: "status";
  '_description'?: "description";
}

export interface UpdateEndpointRequest__Output {
  'accountId': (string);
  'endpointId': (string);
  'url'?: (string);
  'events': (_tollgate_webhook_v1_EventList__Output | null);
  'status'?: (_tollgate_webhook_v1_EndpointStatus__Output);
  'description'?: (string);
  'operator': (boolean);
  '_url'?: "url";
  '_status'?: "status";
  '_description'?: "description";
}
