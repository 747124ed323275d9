// Original file: tollgate/stats/v1/stats.proto


export interface GetRefusalRequest {
  'requestId'?: (string);
}

export interface GetRefusalRequest__Output {
  'requestId': (string);
}
