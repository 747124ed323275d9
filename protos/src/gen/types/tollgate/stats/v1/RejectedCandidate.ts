// Original file: tollgate/stats/v1/stats.proto


export interface RejectedCandidate {
  'channelId'?: (string);
  'model'?: (string);
  'reason'?: (string);
}

export interface RejectedCandidate__Output {
  'channelId': (string);
  'model': (string);
  'reason': (string);
}
