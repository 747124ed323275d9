// Original file: tollgate/identity/v1/identity.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRevocationsRequest {
  /**
   * The last revision that the follower has applied; 0 asks for the present one.
   */
  'afterRevision'?: (number | string | Long);
}

export interface WatchRevocationsRequest__Output {
  /**
   * The last revision that the follower has applied; 0 asks for the present one.
   */
  'afterRevision': (string);
}
