/** The service's collections; no other service reads them. */
export const COLLECTIONS = {
  accounts: 'identity_accounts',
  users: 'identity_users',
  quotas: 'identity_quotas',
  apiKeys: 'identity_api_keys',
  keyAudit: 'identity_key_audit',
  sessions: 'identity_sessions',
  refreshTokens: 'identity_refresh_tokens',
  loginAttempts: 'identity_login_attempts',
  idempotency: 'identity_idempotency',
  oauthStates: 'identity_oauth_states',
  oauthCodes: 'identity_oauth_codes',
  signingKeys: 'identity_signing_keys',
  firstStart: 'identity_first_start',
} as const;
