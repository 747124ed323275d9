// Original file: tollgate/routing/v1/routing.proto


export interface GetChannelRequest {
  'channelId'?: (string);
}

export interface GetChannelRequest__Output {
  'channelId': (string);
}
