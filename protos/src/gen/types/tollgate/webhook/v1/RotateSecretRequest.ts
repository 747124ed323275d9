// Original file: tollgate/webhook/v1/webhook.proto


export interface RotateSecretRequest {
  'accountId'?: (string);
  'endpointId'?: (string);
  'gracePeriodSeconds'?: (number);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface RotateSecretRequest__Output {
  'accountId': (string);
  'endpointId': (string);
  'gracePeriodSeconds': (number);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
