// Original file: tollgate/billing/v1/billing.proto


export interface Settlement {
  'accountId'?: (string);
  'lease'?: (number);
  /**
   * Records below this number are settled; ignored when `complete`.
   */
  'nextNumber'?: (number);
  /**
   * The lease is gone: every record of it is settled.
   */
  'complete'?: (boolean);
  /**
   * The account was never granted it, as after a restore: nobody will settle its records.
   */
  'neverGranted'?: (boolean);
}

export interface Settlement__Output {
  'accountId': (string);
  'lease': (number);
  /**
   * Records below this number are settled; ignored when `complete`.
   */
  'nextNumber': (number);
  /**
   * The lease is gone: every record of it is settled.
   */
  'complete': (boolean);
  /**
   * The account was never granted it, as after a restore: nobody will settle its records.
   */
  'neverGranted': (boolean);
}
