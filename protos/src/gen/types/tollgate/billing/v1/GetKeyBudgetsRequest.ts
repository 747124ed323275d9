// Original file: tollgate/billing/v1/billing.proto


export interface GetKeyBudgetsRequest {
  'accountId'?: (string);
  'keyIds'?: (string)[];
}

export interface GetKeyBudgetsRequest__Output {
  'accountId': (string);
  'keyIds': (string)[];
}
