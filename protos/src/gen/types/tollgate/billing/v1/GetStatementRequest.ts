// Original file: tollgate/billing/v1/billing.proto


export interface GetStatementRequest {
  'accountId'?: (string);
  'month'?: (string);
}

export interface GetStatementRequest__Output {
  'accountId': (string);
  'month': (string);
}
