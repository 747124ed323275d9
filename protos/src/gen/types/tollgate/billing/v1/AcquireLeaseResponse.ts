// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface AcquireLeaseResponse {
  'lease'?: (number);
  'remaining'?: (number | string | Long);
  'ttlMs'?: (number);
  'marginMs'?: (number);
  'nextNumber'?: (number);
  'swept'?: (boolean);
  'available'?: (number | string | Long);
  'recalled'?: (boolean);
}

export interface AcquireLeaseResponse__Output {
  'lease': (number);
  'remaining': (string);
  'ttlMs': (number);
  'marginMs': (number);
  'nextNumber': (number);
  'swept': (boolean);
  'available': (string);
  'recalled': (boolean);
}
