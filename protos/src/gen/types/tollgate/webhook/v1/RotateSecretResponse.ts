// Original file: tollgate/webhook/v1/webhook.proto

import type { Endpoint as _tollgate_webhook_v1_Endpoint, Endpoint__Output as _tollgate_webhook_v1_Endpoint__Output } from '../../../tollgate/webhook/v1/Endpoint';

export interface RotateSecretResponse {
  'endpoint'?: (_tollgate_webhook_v1_Endpoint | null);
  /**
   * Empty when replayed.
   */
  'secret'?: (string);
  'replayed'?: (boolean);
}

export interface RotateSecretResponse__Output {
  'endpoint': (_tollgate_webhook_v1_Endpoint__Output | null);
  /**
   * Empty when replayed.
   */
  'secret': (string);
  'replayed': (boolean);
}
