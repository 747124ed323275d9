// Original file: tollgate/webhook/v1/webhook.proto


export interface SendTestRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface SendTestRequest__Output {
  'accountId': (string);
  'endpointId': (string);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
