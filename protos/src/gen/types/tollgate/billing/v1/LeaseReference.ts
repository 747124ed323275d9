// Original file: tollgate/billing/v1/billing.proto


export interface LeaseReference {
  'accountId'?: (string);
  'lease'?: (number);
}

export interface LeaseReference__Output {
  'accountId': (string);
  'lease': (number);
}
