// Original file: tollgate/billing/v1/billing.proto

export const CodeStatus = {
  CODE_STATUS_UNSPECIFIED: 'CODE_STATUS_UNSPECIFIED',
  CODE_STATUS_UNUSED: 'CODE_STATUS_UNUSED',
  CODE_STATUS_REDEEMED: 'CODE_STATUS_REDEEMED',
  CODE_STATUS_REVOKED: 'CODE_STATUS_REVOKED',
  CODE_STATUS_EXPIRED: 'CODE_STATUS_EXPIRED',
} as const;

export type CodeStatus =
  | 'CODE_STATUS_UNSPECIFIED'
  | 0
  | 'CODE_STATUS_UNUSED'
  | 1
  | 'CODE_STATUS_REDEEMED'
  | 2
  | 'CODE_STATUS_REVOKED'
  | 3
  | 'CODE_STATUS_EXPIRED'
  | 4

export type CodeStatus__Output = typeof CodeStatus[keyof typeof CodeStatus]
