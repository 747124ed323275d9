// Original file: tollgate/webhook/v1/webhook.proto


export interface ListAutoDisabledEndpointsRequest {
  /**
   * How many at most.
   */
  'limit'?: (number);
}

export interface ListAutoDisabledEndpointsRequest__Output {
  /**
   * How many at most.
   */
  'limit': (number);
}
