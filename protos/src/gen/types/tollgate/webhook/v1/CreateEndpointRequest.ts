// Original file: tollgate/webhook/v1/webhook.proto


export interface CreateEndpointRequest {
  'accountId'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'description'?: (string);
  'operator'?: (boolean);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface CreateEndpointRequest__Output {
  'accountId': (string);
  'url': (string);
  'events': (string)[];
  'description': (string);
  'operator': (boolean);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
