// Original file: tollgate/identity/v1/identity.proto

export const UserStatus = {
  USER_STATUS_UNSPECIFIED: 'USER_STATUS_UNSPECIFIED',
  USER_STATUS_ACTIVE: 'USER_STATUS_ACTIVE',
  USER_STATUS_DISABLED: 'USER_STATUS_DISABLED',
} as const;

export type UserStatus =
  | 'USER_STATUS_UNSPECIFIED'
  | 0
  | 'USER_STATUS_ACTIVE'
  | 1
  | 'USER_STATUS_DISABLED'
  | 2

export type UserStatus__Output = typeof UserStatus[keyof typeof UserStatus]
