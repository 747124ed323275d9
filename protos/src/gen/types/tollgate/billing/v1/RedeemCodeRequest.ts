// Original file: tollgate/billing/v1/billing.proto


export interface RedeemCodeRequest {
  'accountId'?: (string);
  /**
   * As somebody typed it.
   */
  'text'?: (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId'?: (string);
}

export interface RedeemCodeRequest__Output {
  'accountId': (string);
  /**
   * As somebody typed it.
   */
  'text': (string);
  /**
   * The user or the API key that asked for it; empty where nobody is known.
   */
  'actorId': (string);
}
