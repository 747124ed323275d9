// Original file: tollgate/stats/v1/stats.proto


export interface GetRefusalRequest {
  'requestId'?: (string);
  /**
   * Empty for any account: operators only.
   */
  'accountId'?: (string);
}

export interface GetRefusalRequest__Output {
  'requestId': (string);
  /**
   * Empty for any account: operators only.
   */
  'accountId': (string);
}
