// Original file: tollgate/routing/v1/routing.proto


export interface ChannelModel {
  'name'?: (string);
  'upstreamName'?: (string);
}

export interface ChannelModel__Output {
  'name': (string);
  'upstreamName': (string);
}
