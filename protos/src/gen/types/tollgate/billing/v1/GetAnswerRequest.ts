// Original file: tollgate/billing/v1/billing.proto


export interface GetAnswerRequest {
  'accountId'?: (string);
  'keyId'?: (string);
  'requestId'?: (string);
}

export interface GetAnswerRequest__Output {
  'accountId': (string);
  'keyId': (string);
  'requestId': (string);
}
