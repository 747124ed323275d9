// Original file: tollgate/billing/v1/billing.proto


export interface RetireLeasesRequest {
  /**
   * Every lease of this spool, in every account.
   */
  'holder'?: (string);
}

export interface RetireLeasesRequest__Output {
  /**
   * Every lease of this spool, in every account.
   */
  'holder': (string);
}
