// Original file: tollgate/routing/v1/routing.proto


export interface CheckChannelHealthRequest {
  'channelId'?: (string);
  /**
   * Empty for the channel's first model.
   */
  'model'?: (string);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface CheckChannelHealthRequest__Output {
  'channelId': (string);
  /**
   * Empty for the channel's first model.
   */
  'model': (string);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
