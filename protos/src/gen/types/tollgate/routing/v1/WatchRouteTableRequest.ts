// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRouteTableRequest {
  /**
   * The revision that the follower holds; 0 for none.
   */
  'knownRevision'?: (number | string | Long);
  /**
   * Always true: without it 0.1.0 sends whole tables, which nobody reads.
   */
  'takesChanges'?: (boolean);
}

export interface WatchRouteTableRequest__Output {
  /**
   * The revision that the follower holds; 0 for none.
   */
  'knownRevision': (string);
  /**
   * Always true: without it 0.1.0 sends whole tables, which nobody reads.
   */
  'takesChanges': (boolean);
}
