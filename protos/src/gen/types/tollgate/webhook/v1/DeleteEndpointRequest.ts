// Original file: tollgate/webhook/v1/webhook.proto


export interface DeleteEndpointRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
}

export interface DeleteEndpointRequest__Output {
  'accountId': (string);
  'endpointId': (string);
}
