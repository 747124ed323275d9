// Original file: tollgate/webhook/v1/webhook.proto

import type { Delivery as _tollgate_webhook_v1_Delivery, Delivery__Output as _tollgate_webhook_v1_Delivery__Output } from '../../../tollgate/webhook/v1/Delivery';

export interface ListDeliveriesResponse {
  'deliveries'?: (_tollgate_webhook_v1_Delivery)[];
  'nextCursor'?: (string);
}

export interface ListDeliveriesResponse__Output {
  'deliveries': (_tollgate_webhook_v1_Delivery__Output)[];
  'nextCursor': (string);
}
