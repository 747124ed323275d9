// Original file: tollgate/stats/v1/stats.proto


export interface RejectedCandidate {
  'channelId'?: (string);
  'model'?: (string);
  'reason'?: (string);
  /**
   * How long its vendor still wanted to be left alone; absent when it did not.
   */
  'retryAfterMs'?: (number);
  '_retryAfterMs'?: "retryAfterMs";
}

export interface RejectedCandidate__Output {
  'channelId': (string);
  'model': (string);
  'reason': (string);
  /**
   * How long its vendor still wanted to be left alone; absent when it did not.
   */
  'retryAfterMs'?: (number);
  '_retryAfterMs'?: "retryAfterMs";
}
