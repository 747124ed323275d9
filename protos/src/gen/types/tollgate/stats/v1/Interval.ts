// Original file: tollgate/stats/v1/stats.proto

export const Interval = {
  INTERVAL_UNSPECIFIED: 'INTERVAL_UNSPECIFIED',
  INTERVAL_MINUTE: 'INTERVAL_MINUTE',
  INTERVAL_HOUR: 'INTERVAL_HOUR',
  INTERVAL_DAY: 'INTERVAL_DAY',
  INTERVAL_MONTH: 'INTERVAL_MONTH',
} as const;

export type Interval =
  | 'INTERVAL_UNSPECIFIED'
  | 0
  | 'INTERVAL_MINUTE'
  | 1
  | 'INTERVAL_HOUR'
  | 2
  | 'INTERVAL_DAY'
  | 3
  | 'INTERVAL_MONTH'
  | 4

export type Interval__Output = typeof Interval[keyof typeof Interval]
