// Original file: tollgate/webhook/v1/webhook.proto

export const DeliveryStatus = {
  DELIVERY_STATUS_UNSPECIFIED: 'DELIVERY_STATUS_UNSPECIFIED',
  DELIVERY_STATUS_PENDING: 'DELIVERY_STATUS_PENDING',
  DELIVERY_STATUS_SUCCEEDED: 'DELIVERY_STATUS_SUCCEEDED',
  DELIVERY_STATUS_FAILED: 'DELIVERY_STATUS_FAILED',
} as const;

export type DeliveryStatus =
  | 'DELIVERY_STATUS_UNSPECIFIED'
  | 0
  | 'DELIVERY_STATUS_PENDING'
  | 1
  | 'DELIVERY_STATUS_SUCCEEDED'
  | 2
  | 'DELIVERY_STATUS_FAILED'
  | 3

export type DeliveryStatus__Output = typeof DeliveryStatus[keyof typeof DeliveryStatus]
