// Original file: tollgate/webhook/v1/webhook.proto

import type { Endpoint as _tollgate_webhook_v1_Endpoint, Endpoint__Output as _tollgate_webhook_v1_Endpoint__Output } from '../../../tollgate/webhook/v1/Endpoint';

export interface CreateEndpointResponse {
  'endpoint'?: (_tollgate_webhook_v1_Endpoint | null);
  /**
   * whsec_..., shown once; empty when replayed.
   */
  'secret'?: (string);
  'replayed'?: (boolean);
}

export interface CreateEndpointResponse__Output {
  'endpoint': (_tollgate_webhook_v1_Endpoint__Output | null);
  /**
   * whsec_..., shown once; empty when replayed.
   */
  'secret': (string);
  'replayed': (boolean);
}
