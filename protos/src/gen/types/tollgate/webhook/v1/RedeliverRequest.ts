// Original file: tollgate/webhook/v1/webhook.proto


export interface RedeliverRequest {
  'accountId'?: (string);
  'deliveryId'?: (string);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface RedeliverRequest__Output {
  'accountId': (string);
  'deliveryId': (string);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
