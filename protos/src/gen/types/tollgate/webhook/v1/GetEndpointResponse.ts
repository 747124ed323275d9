// Original file: tollgate/webhook/v1/webhook.proto

import type { Endpoint as _tollgate_webhook_v1_Endpoint, Endpoint__Output as _tollgate_webhook_v1_Endpoint__Output } from '../../../tollgate/webhook/v1/Endpoint';

export interface GetEndpointResponse {
  'endpoint'?: (_tollgate_webhook_v1_Endpoint | null);
}

export interface GetEndpointResponse__Output {
  'endpoint': (_tollgate_webhook_v1_Endpoint__Output | null);
}
