// Original file: tollgate/stats/v1/stats.proto


export interface Percentiles {
  'p50'?: (number | string);
  'p95'?: (number | string);
  'p99'?: (number | string);
}

export interface Percentiles__Output {
  'p50': (number);
  'p95': (number);
  'p99': (number);
}
