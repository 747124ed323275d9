// Original file: tollgate/identity/v1/identity.proto

export const AccountStatus = {
  ACCOUNT_STATUS_UNSPECIFIED: 'ACCOUNT_STATUS_UNSPECIFIED',
  ACCOUNT_STATUS_ACTIVE: 'ACCOUNT_STATUS_ACTIVE',
  ACCOUNT_STATUS_SUSPENDED: 'ACCOUNT_STATUS_SUSPENDED',
  /**
   * Its people and keys are being removed; nobody is let in.
   */
  ACCOUNT_STATUS_ERASING: 'ACCOUNT_STATUS_ERASING',
  /**
   * Nothing personal is left.
   */
  ACCOUNT_STATUS_ERASED: 'ACCOUNT_STATUS_ERASED',
} as const;

export type AccountStatus =
  | 'ACCOUNT_STATUS_UNSPECIFIED'
  | 0
  | 'ACCOUNT_STATUS_ACTIVE'
  | 1
  | 'ACCOUNT_STATUS_SUSPENDED'
  | 2
  /**
   * Its people and keys are being removed; nobody is let in.
   */
  | 'ACCOUNT_STATUS_ERASING'
  | 3
  /**
   * Nothing personal is left.
   */
  | 'ACCOUNT_STATUS_ERASED'
  | 4

export type AccountStatus__Output = typeof AccountStatus[keyof typeof AccountStatus]
