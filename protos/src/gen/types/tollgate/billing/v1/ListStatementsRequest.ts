// Original file: tollgate/billing/v1/billing.proto


export interface ListStatementsRequest {
  'accountId'?: (string);
}

export interface ListStatementsRequest__Output {
  'accountId': (string);
}
