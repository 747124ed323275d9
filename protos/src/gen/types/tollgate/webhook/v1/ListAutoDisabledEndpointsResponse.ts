// Original file: tollgate/webhook/v1/webhook.proto

import type { Endpoint as _tollgate_webhook_v1_Endpoint, Endpoint__Output as _tollgate_webhook_v1_Endpoint__Output } from '../../../tollgate/webhook/v1/Endpoint';

export interface ListAutoDisabledEndpointsResponse {
  'endpoints'?: (_tollgate_webhook_v1_Endpoint)[];
}

export interface ListAutoDisabledEndpointsResponse__Output {
  'endpoints': (_tollgate_webhook_v1_Endpoint__Output)[];
}
