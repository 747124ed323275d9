// Original file: tollgate/billing/v1/billing.proto


/**
 * Empty members filter nothing.
 */
export interface LedgerFilter {
  /**
   * charge, credit, adjustment.
   */
  'kind'?: (string);
  'keyId'?: (string);
  /**
   * The model that was really used.
   */
  'model'?: (string);
  /**
   * succeeded, failed.
   */
  'status'?: (string);
  'errorCode'?: (string);
  /**
   * ISO-8601; start inclusive, end exclusive. Of entries when they were posted, of charges when
   * their requests came.
   */
  'start'?: (string);
  'end'?: (string);
  /**
   * The channel that answered, or the last that was asked.
   */
  'channelId'?: (string);
  /**
   * What the client called its request.
   */
  'clientRequestId'?: (string);
}

/**
 * Empty members filter nothing.
 */
export interface LedgerFilter__Output {
  /**
   * charge, credit, adjustment.
   */
  'kind': (string);
  'keyId': (string);
  /**
   * The model that was really used.
   */
  'model': (string);
  /**
   * succeeded, failed.
   */
  'status': (string);
  'errorCode': (string);
  /**
   * ISO-8601; start inclusive, end exclusive. Of entries when they were posted, of charges when
   * their requests came.
   */
  'start': (string);
  'end': (string);
  /**
   * The channel that answered, or the last that was asked.
   */
  'channelId': (string);
  /**
   * What the client called its request.
   */
  'clientRequestId': (string);
}
