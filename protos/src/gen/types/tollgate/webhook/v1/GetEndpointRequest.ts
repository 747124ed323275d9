// Original file: tollgate/webhook/v1/webhook.proto


export interface GetEndpointRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
}

export interface GetEndpointRequest__Output {
  'accountId': (string);
  'endpointId': (string);
}
