// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRouteTableRequest {
  /**
   * The revision that the caller holds; 0 for none.
   */
  'knownRevision'?: (number | string | Long);
}

export interface WatchRouteTableRequest__Output {
  /**
   * The revision that the caller holds; 0 for none.
   */
  'knownRevision': (string);
}
