// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

export interface WatchRouteTableRequest {
  'knownRevision'?: (number | string | Long);
}

export interface WatchRouteTableRequest__Output {
  'knownRevision': (string);
}
