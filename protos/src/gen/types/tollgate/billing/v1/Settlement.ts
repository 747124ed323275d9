// Original file: tollgate/billing/v1/billing.proto


export interface Settlement {
  'accountId'?: (string);
  'lease'?: (number);
  'nextNumber'?: (number);
  'complete'?: (boolean);
}

export interface Settlement__Output {
  'accountId': (string);
  'lease': (number);
  'nextNumber': (number);
  'complete': (boolean);
}
