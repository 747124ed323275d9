// Original file: tollgate/identity/v1/identity.proto

/**
 * A user's role in an account; ROLE_OPERATOR is the platform role.
 */
export const Role = {
  ROLE_UNSPECIFIED: 'ROLE_UNSPECIFIED',
  ROLE_OWNER: 'ROLE_OWNER',
  ROLE_ADMIN: 'ROLE_ADMIN',
  ROLE_MEMBER: 'ROLE_MEMBER',
  ROLE_OPERATOR: 'ROLE_OPERATOR',
} as const;

/**
 * A user's role in an account; ROLE_OPERATOR is the platform role.
 */
export type Role =
  | 'ROLE_UNSPECIFIED'
  | 0
  | 'ROLE_OWNER'
  | 1
  | 'ROLE_ADMIN'
  | 2
  | 'ROLE_MEMBER'
  | 3
  | 'ROLE_OPERATOR'
  | 4

/**
 * A user's role in an account; ROLE_OPERATOR is the platform role.
 */
export type Role__Output = typeof Role[keyof typeof Role]
