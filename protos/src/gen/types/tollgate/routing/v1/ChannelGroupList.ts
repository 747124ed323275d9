// Original file: tollgate/routing/v1/routing.proto


export interface ChannelGroupList {
  'values'?: (string)[];
}

export interface ChannelGroupList__Output {
  'values': (string)[];
}
