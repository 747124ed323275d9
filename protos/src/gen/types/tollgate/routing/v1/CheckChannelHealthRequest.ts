// Original file: tollgate/routing/v1/routing.proto


export interface CheckChannelHealthRequest {
  'channelId'?: (string);
  'model'?: (string);
}

export interface CheckChannelHealthRequest__Output {
  'channelId': (string);
  'model': (string);
}
