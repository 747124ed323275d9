// Original file: tollgate/stats/v1/stats.proto


export interface ListRefusalsRequest {
  /**
   * Empty for all accounts: operators only.
   */
  'accountId'?: (string);
  'limit'?: (number);
  /**
   * Only those before this one; empty for the newest.
   */
  'beforeRequestId'?: (string);
}

export interface ListRefusalsRequest__Output {
  /**
   * Empty for all accounts: operators only.
   */
  'accountId': (string);
  'limit': (number);
  /**
   * Only those before this one; empty for the newest.
   */
  'beforeRequestId': (string);
}
