// Original file: tollgate/webhook/v1/webhook.proto


export interface ListEndpointsRequest {
  'accountId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListEndpointsRequest__Output {
  'accountId': (string);
  'limit': (number);
  'cursor': (string);
}
