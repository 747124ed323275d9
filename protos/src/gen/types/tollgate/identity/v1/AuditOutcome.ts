// Original file: tollgate/identity/v1/identity.proto

export const AuditOutcome = {
  /**
   * It was begun, and nobody said what became of it: it may have been made or not.
   */
  AUDIT_OUTCOME_UNSPECIFIED: 'AUDIT_OUTCOME_UNSPECIFIED',
  AUDIT_OUTCOME_SUCCEEDED: 'AUDIT_OUTCOME_SUCCEEDED',
} as const;

export type AuditOutcome =
  /**
   * It was begun, and nobody said what became of it: it may have been made or not.
   */
  | 'AUDIT_OUTCOME_UNSPECIFIED'
  | 0
  | 'AUDIT_OUTCOME_SUCCEEDED'
  | 1

export type AuditOutcome__Output = typeof AuditOutcome[keyof typeof AuditOutcome]
