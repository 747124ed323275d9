// Original file: tollgate/routing/v1/routing.proto


export interface CheckChannelHealthResponse {
  'channelId'?: (string);
  'model'?: (string);
  'healthy'?: (boolean);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  'httpStatus'?: (number);
  /**
   * One of our own sentences; never the vendor's body.
   */
  'error'?: (string);
  'checkedAt'?: (string);
  /**
   * An earlier check's answer: the vendor was not called again.
   */
  'replayed'?: (boolean);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_httpStatus'?: "httpStatus";
}

export interface CheckChannelHealthResponse__Output {
  'channelId': (string);
  'model': (string);
  'healthy': (boolean);
  'latencyMs'?: (number);
  'firstTokenMs'?: (number);
  'httpStatus'?: (number);
  /**
   * One of our own sentences; never the vendor's body.
   */
  'error': (string);
  'checkedAt': (string);
  /**
   * An earlier check's answer: the vendor was not called again.
   */
  'replayed': (boolean);
  '_latencyMs'?: "latencyMs";
  '_firstTokenMs'?: "firstTokenMs";
  '_httpStatus'?: "httpStatus";
}
