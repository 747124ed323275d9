// Original file: tollgate/billing/v1/billing.proto


export interface GetBalanceRequest {
  'accountId'?: (string);
}

export interface GetBalanceRequest__Output {
  'accountId': (string);
}
