// Original file: tollgate/routing/v1/routing.proto

export const HealthState = {
  /**
   * never checked
   */
  HEALTH_STATE_UNSPECIFIED: 'HEALTH_STATE_UNSPECIFIED',
  HEALTH_STATE_HEALTHY: 'HEALTH_STATE_HEALTHY',
  HEALTH_STATE_DEGRADED: 'HEALTH_STATE_DEGRADED',
  HEALTH_STATE_UNHEALTHY: 'HEALTH_STATE_UNHEALTHY',
} as const;

export type HealthState =
  /**
   * never checked
   */
  | 'HEALTH_STATE_UNSPECIFIED'
  | 0
  | 'HEALTH_STATE_HEALTHY'
  | 1
  | 'HEALTH_STATE_DEGRADED'
  | 2
  | 'HEALTH_STATE_UNHEALTHY'
  | 3

export type HealthState__Output = typeof HealthState[keyof typeof HealthState]
