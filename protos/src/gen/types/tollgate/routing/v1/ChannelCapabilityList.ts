// Original file: tollgate/routing/v1/routing.proto


export interface ChannelCapabilityList {
  'values'?: (string)[];
}

export interface ChannelCapabilityList__Output {
  'values': (string)[];
}
