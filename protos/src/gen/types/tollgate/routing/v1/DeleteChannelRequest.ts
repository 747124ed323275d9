// Original file: tollgate/routing/v1/routing.proto


export interface DeleteChannelRequest {
  'channelId'?: (string);
}

export interface DeleteChannelRequest__Output {
  'channelId': (string);
}
