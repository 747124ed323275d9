// Original file: tollgate/stats/v1/stats.proto


/**
 * A completion that was refused before a vendor was asked.
 */
export interface Refusal {
  'requestId'?: (string);
  'accountId'?: (string);
  'keyId'?: (string);
  'gatewayId'?: (string);
  'errorCode'?: (string);
  /**
   * What the client was told.
   */
  'message'?: (string);
  'at'?: (string);
}

/**
 * A completion that was refused before a vendor was asked.
 */
export interface Refusal__Output {
  'requestId': (string);
  'accountId': (string);
  'keyId': (string);
  'gatewayId': (string);
  'errorCode': (string);
  /**
   * What the client was told.
   */
  'message': (string);
  'at': (string);
}
