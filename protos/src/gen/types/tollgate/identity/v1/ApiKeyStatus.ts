// Original file: tollgate/identity/v1/identity.proto

export const ApiKeyStatus = {
  API_KEY_STATUS_UNSPECIFIED: 'API_KEY_STATUS_UNSPECIFIED',
  API_KEY_STATUS_ACTIVE: 'API_KEY_STATUS_ACTIVE',
  API_KEY_STATUS_DISABLED: 'API_KEY_STATUS_DISABLED',
  API_KEY_STATUS_EXPIRED: 'API_KEY_STATUS_EXPIRED',
} as const;

export type ApiKeyStatus =
  | 'API_KEY_STATUS_UNSPECIFIED'
  | 0
  | 'API_KEY_STATUS_ACTIVE'
  | 1
  | 'API_KEY_STATUS_DISABLED'
  | 2
  | 'API_KEY_STATUS_EXPIRED'
  | 3

export type ApiKeyStatus__Output = typeof ApiKeyStatus[keyof typeof ApiKeyStatus]
