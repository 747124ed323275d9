// Original file: tollgate/billing/v1/billing.proto


export interface DropAnswerRequest {
  'accountId'?: (string);
  'requestId'?: (string);
}

export interface DropAnswerRequest__Output {
  'accountId': (string);
  'requestId': (string);
}
