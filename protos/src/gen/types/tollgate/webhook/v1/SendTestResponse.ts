// Original file: tollgate/webhook/v1/webhook.proto

import type { Delivery as _tollgate_webhook_v1_Delivery, Delivery__Output as _tollgate_webhook_v1_Delivery__Output } from '../../../tollgate/webhook/v1/Delivery';

export interface SendTestResponse {
  'delivery'?: (_tollgate_webhook_v1_Delivery | null);
  'replayed'?: (boolean);
}

export interface SendTestResponse__Output {
  'delivery': (_tollgate_webhook_v1_Delivery__Output | null);
  'replayed': (boolean);
}
