// Original file: tollgate/stats/v1/stats.proto

import type { Long } from '@grpc/proto-loader';

export interface Percentiles {
  'p50'?: (number | string);
  'p95'?: (number | string);
  'p99'?: (number | string);
  /**
   * How many they are made of.
   */
  'count'?: (number | string | Long);
}

export interface Percentiles__Output {
  'p50': (number);
  'p95': (number);
  'p99': (number);
  /**
   * How many they are made of.
   */
  'count': (string);
}
