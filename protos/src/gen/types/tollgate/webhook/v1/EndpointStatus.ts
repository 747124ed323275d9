// Original file: tollgate/webhook/v1/webhook.proto

export const EndpointStatus = {
  ENDPOINT_STATUS_UNSPECIFIED: 'ENDPOINT_STATUS_UNSPECIFIED',
  ENDPOINT_STATUS_ENABLED: 'ENDPOINT_STATUS_ENABLED',
  ENDPOINT_STATUS_DISABLED: 'ENDPOINT_STATUS_DISABLED',
  /**
   * The receiver answered 410 or failed for too long, or too many deliveries waited.
   */
  ENDPOINT_STATUS_AUTO_DISABLED: 'ENDPOINT_STATUS_AUTO_DISABLED',
} as const;

export type EndpointStatus =
  | 'ENDPOINT_STATUS_UNSPECIFIED'
  | 0
  | 'ENDPOINT_STATUS_ENABLED'
  | 1
  | 'ENDPOINT_STATUS_DISABLED'
  | 2
  /**
   * The receiver answered 410 or failed for too long, or too many deliveries waited.
   */
  | 'ENDPOINT_STATUS_AUTO_DISABLED'
  | 3

export type EndpointStatus__Output = typeof EndpointStatus[keyof typeof EndpointStatus]
