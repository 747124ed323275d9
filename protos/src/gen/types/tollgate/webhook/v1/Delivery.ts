// Original file: tollgate/webhook/v1/webhook.proto

import type { DeliveryStatus as _tollgate_webhook_v1_DeliveryStatus, DeliveryStatus__Output as _tollgate_webhook_v1_DeliveryStatus__Output } from '../../../tollgate/webhook/v1/DeliveryStatus';
import type { Long } from '@grpc/proto-loader';

export interface Delivery {
  'id'?: (string);
  'endpointId'?: (string);
  'eventId'?: (string);
  'eventType'?: (string);
  'sequence'?: (number | string | Long);
  'status'?: (_tollgate_webhook_v1_DeliveryStatus);
  'attempts'?: (number);
  'lastStatusCode'?: (number);
  /**
   * One of our own sentences; never the receiver's body.
   */
  'lastError'?: (string);
  'nextAttemptAt'?: (string);
  'createdAt'?: (string);
  'deliveredAt'?: (string);
  '_lastStatusCode'?: "lastStatusCode";
}

export interface Delivery__Output {
  'id': (string);
  'endpointId': (string);
  'eventId': (string);
  'eventType': (string);
  'sequence': (string);
  'status': (_tollgate_webhook_v1_DeliveryStatus__Output);
  'attempts': (number);
  'lastStatusCode'?: (number);
  /**
   * One of our own sentences; never the receiver's body.
   */
  'lastError': (string);
  'nextAttemptAt': (string);
  'createdAt': (string);
  'deliveredAt': (string);
  '_lastStatusCode'?: "lastStatusCode";
}
