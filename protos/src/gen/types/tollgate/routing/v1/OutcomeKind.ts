// Original file: tollgate/routing/v1/routing.proto

export const OutcomeKind = {
  OUTCOME_KIND_UNSPECIFIED: 'OUTCOME_KIND_UNSPECIFIED',
  OUTCOME_KIND_SUCCESS: 'OUTCOME_KIND_SUCCESS',
  OUTCOME_KIND_FAILURE: 'OUTCOME_KIND_FAILURE',
  OUTCOME_KIND_TIMEOUT: 'OUTCOME_KIND_TIMEOUT',
  OUTCOME_KIND_RATE_LIMITED: 'OUTCOME_KIND_RATE_LIMITED',
  /**
   * The vendor refused the credential, wants credit, or answered a 403 that may be about the prompt.
   */
  OUTCOME_KIND_CREDENTIAL_REFUSED: 'OUTCOME_KIND_CREDENTIAL_REFUSED',
  /**
   * Not called: the channel answered as many requests as it may.
   */
  OUTCOME_KIND_NO_ROOM: 'OUTCOME_KIND_NO_ROOM',
} as const;

export type OutcomeKind =
  | 'OUTCOME_KIND_UNSPECIFIED'
  | 0
  | 'OUTCOME_KIND_SUCCESS'
  | 1
  | 'OUTCOME_KIND_FAILURE'
  | 2
  | 'OUTCOME_KIND_TIMEOUT'
  | 3
  | 'OUTCOME_KIND_RATE_LIMITED'
  | 4
  /**
   * The vendor refused the credential, wants credit, or answered a 403 that may be about the prompt.
   */
  | 'OUTCOME_KIND_CREDENTIAL_REFUSED'
  | 5
  /**
   * Not called: the channel answered as many requests as it may.
   */
  | 'OUTCOME_KIND_NO_ROOM'
  | 6

export type OutcomeKind__Output = typeof OutcomeKind[keyof typeof OutcomeKind]
