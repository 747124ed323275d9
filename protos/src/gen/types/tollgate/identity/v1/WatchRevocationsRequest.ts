// Original file: tollgate/identity/v1/identity.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRevocationsRequest {
  'afterRevision'?: (number | string | Long);
}

export interface WatchRevocationsRequest__Output {
  'afterRevision': (string);
}
