// Original file: tollgate/billing/v1/billing.proto


export interface GetReceiptRequest {
  /**
   * Empty: of whichever account the request is.
   */
  'accountId'?: (string);
  'requestId'?: (string);
}

export interface GetReceiptRequest__Output {
  /**
   * Empty: of whichever account the request is.
   */
  'accountId': (string);
  'requestId': (string);
}
