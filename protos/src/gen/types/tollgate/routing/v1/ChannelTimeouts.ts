// Original file: tollgate/routing/v1/routing.proto


/**
 * Milliseconds; 0 means the service's default.
 */
export interface ChannelTimeouts {
  'connectMs'?: (number);
  'firstTokenMs'?: (number);
  'idleMs'?: (number);
  'totalMs'?: (number);
  /**
   * To the head of a stream.
   */
  'headMs'?: (number);
  /**
   * To the head of an answer in one piece.
   */
  'wholeHeadMs'?: (number);
}

/**
 * Milliseconds; 0 means the service's default.
 */
export interface ChannelTimeouts__Output {
  'connectMs': (number);
  'firstTokenMs': (number);
  'idleMs': (number);
  'totalMs': (number);
  /**
   * To the head of a stream.
   */
  'headMs': (number);
  /**
   * To the head of an answer in one piece.
   */
  'wholeHeadMs': (number);
}
