// Original file: tollgate/webhook/v1/webhook.proto


export interface ListDeliveriesRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListDeliveriesRequest__Output {
  'accountId': (string);
  'endpointId': (string);
  'limit': (number);
  'cursor': (string);
}
