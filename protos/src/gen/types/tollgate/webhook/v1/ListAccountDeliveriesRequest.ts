// Original file: tollgate/webhook/v1/webhook.proto


export interface ListAccountDeliveriesRequest {
  'accountId'?: (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start'?: (string);
  'end'?: (string);
  /**
   * How many at most.
   */
  'limit'?: (number);
}

export interface ListAccountDeliveriesRequest__Output {
  'accountId': (string);
  /**
   * ISO-8601; start inclusive, end exclusive.
   */
  'start': (string);
  'end': (string);
  /**
   * How many at most.
   */
  'limit': (number);
}
