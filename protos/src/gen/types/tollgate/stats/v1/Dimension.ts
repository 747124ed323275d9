// Original file: tollgate/stats/v1/stats.proto

export const Dimension = {
  DIMENSION_UNSPECIFIED: 'DIMENSION_UNSPECIFIED',
  DIMENSION_MODEL: 'DIMENSION_MODEL',
  DIMENSION_KEY: 'DIMENSION_KEY',
  DIMENSION_USER: 'DIMENSION_USER',
  DIMENSION_STATUS: 'DIMENSION_STATUS',
  /**
   * Operators only.
   */
  DIMENSION_CHANNEL: 'DIMENSION_CHANNEL',
  DIMENSION_ACCOUNT: 'DIMENSION_ACCOUNT',
} as const;

export type Dimension =
  | 'DIMENSION_UNSPECIFIED'
  | 0
  | 'DIMENSION_MODEL'
  | 1
  | 'DIMENSION_KEY'
  | 2
  | 'DIMENSION_USER'
  | 3
  | 'DIMENSION_STATUS'
  | 4
  /**
   * Operators only.
   */
  | 'DIMENSION_CHANNEL'
  | 5
  | 'DIMENSION_ACCOUNT'
  | 6

export type Dimension__Output = typeof Dimension[keyof typeof Dimension]
