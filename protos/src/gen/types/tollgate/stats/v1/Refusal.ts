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
  /**
   * The member at fault; absent when none was.
   */
  'param'?: (string);
  'requestedModel'?: (string);
  '_param'?: "param";
  '_requestedModel'?: "requestedModel";
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
  /**
   * The member at fault; absent when none was.
   */
  'param'?: (string);
  'requestedModel'?: (string);
  '_param'?: "param";
  '_requestedModel'?: "requestedModel";
}
