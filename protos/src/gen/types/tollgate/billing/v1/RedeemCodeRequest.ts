// Original file: tollgate/billing/v1/billing.proto


export interface RedeemCodeRequest {
  'accountId'?: (string);
  /**
   * As somebody typed it.
   */
  'text'?: (string);
}

export interface RedeemCodeRequest__Output {
  'accountId': (string);
  /**
   * As somebody typed it.
   */
  'text': (string);
}
