// Original file: tollgate/identity/v1/identity.proto


export interface Idempotency {
  'key'?: (string);
  'bodyDigest'?: (string);
}

export interface Idempotency__Output {
  'key': (string);
  'bodyDigest': (string);
}
