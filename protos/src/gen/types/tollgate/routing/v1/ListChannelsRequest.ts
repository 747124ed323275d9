// Original file: tollgate/routing/v1/routing.proto


export interface ListChannelsRequest {
  'limit'?: (number);
  'cursor'?: (string);
}

export interface ListChannelsRequest__Output {
  'limit': (number);
  'cursor': (string);
}
