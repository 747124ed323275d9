// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRouteTableRequest {
  /**
   * The revision that the caller holds; 0 for none.
   */
  'knownRevision'?: (number | string | Long);
  /**
   * The caller applies changes: it is sent those, in messages of bounded size, and no table.
   */
  'takesChanges'?: (boolean);
}

export interface WatchRouteTableRequest__Output {
  /**
   * The revision that the caller holds; 0 for none.
   */
  'knownRevision': (string);
  /**
   * The caller applies changes: it is sent those, in messages of bounded size, and no table.
   */
  'takesChanges': (boolean);
}
