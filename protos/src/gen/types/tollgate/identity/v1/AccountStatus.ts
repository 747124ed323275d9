// Original file: tollgate/identity/v1/identity.proto

export const AccountStatus = {
  ACCOUNT_STATUS_UNSPECIFIED: 'ACCOUNT_STATUS_UNSPECIFIED',
  ACCOUNT_STATUS_ACTIVE: 'ACCOUNT_STATUS_ACTIVE',
  ACCOUNT_STATUS_SUSPENDED: 'ACCOUNT_STATUS_SUSPENDED',
} as const;

export type AccountStatus =
  | 'ACCOUNT_STATUS_UNSPECIFIED'
  | 0
  | 'ACCOUNT_STATUS_ACTIVE'
  | 1
  | 'ACCOUNT_STATUS_SUSPENDED'
  | 2

export type AccountStatus__Output = typeof AccountStatus[keyof typeof AccountStatus]
