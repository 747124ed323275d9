// Original file: tollgate/webhook/v1/webhook.proto

import type { EndpointStatus as _tollgate_webhook_v1_EndpointStatus, EndpointStatus__Output as _tollgate_webhook_v1_EndpointStatus__Output } from '../../../tollgate/webhook/v1/EndpointStatus';

export interface Endpoint {
  'id'?: (string);
  'accountId'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'status'?: (_tollgate_webhook_v1_EndpointStatus);
  'description'?: (string);
  'createdAt'?: (string);
  'lastDeliveryAt'?: (string);
  'lastStatusCode'?: (number);
  'consecutiveFailures'?: (number);
  '_lastStatusCode'?: "lastStatusCode";
}

export interface Endpoint__Output {
  'id': (string);
  'accountId': (string);
  'url': (string);
  'events': (string)[];
  'status': (_tollgate_webhook_v1_EndpointStatus__Output);
  'description': (string);
  'createdAt': (string);
  'lastDeliveryAt': (string);
  'lastStatusCode'?: (number);
  'consecutiveFailures': (number);
  '_lastStatusCode'?: "lastStatusCode";
}
