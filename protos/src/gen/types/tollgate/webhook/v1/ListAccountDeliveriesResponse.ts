// Original file: tollgate/webhook/v1/webhook.proto

import type { Delivery as _tollgate_webhook_v1_Delivery, Delivery__Output as _tollgate_webhook_v1_Delivery__Output } from '../../../tollgate/webhook/v1/Delivery';

export interface ListAccountDeliveriesResponse {
  'deliveries'?: (_tollgate_webhook_v1_Delivery)[];
}

export interface ListAccountDeliveriesResponse__Output {
  'deliveries': (_tollgate_webhook_v1_Delivery__Output)[];
}
