// Original file: tollgate/billing/v1/billing.proto


export interface GetReceiptRequest {
  'accountId'?: (string);
  'requestId'?: (string);
}

export interface GetReceiptRequest__Output {
  'accountId': (string);
  'requestId': (string);
}
