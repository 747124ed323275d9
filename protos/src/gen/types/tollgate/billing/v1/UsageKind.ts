// Original file: tollgate/billing/v1/billing.proto

export const UsageKind = {
  USAGE_KIND_UNSPECIFIED: 'USAGE_KIND_UNSPECIFIED',
  USAGE_KIND_USAGE: 'USAGE_KIND_USAGE',
  USAGE_KIND_CLOSE: 'USAGE_KIND_CLOSE',
} as const;

export type UsageKind =
  | 'USAGE_KIND_UNSPECIFIED'
  | 0
  | 'USAGE_KIND_USAGE'
  | 1
  | 'USAGE_KIND_CLOSE'
  | 2

export type UsageKind__Output = typeof UsageKind[keyof typeof UsageKind]
