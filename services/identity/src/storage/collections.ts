/**
 * The service's collections; no other service reads them. Erasure empties these and has none of its
 * own: an account that is `erasing` is all that it has to remember.
 */
export const COLLECTIONS = {
  accounts: 'identity_accounts',
  accountNames: 'identity_account_names',
  users: 'identity_users',
  quotas: 'identity_quotas',
  apiKeys: 'identity_api_keys',
  auditLog: 'identity_audit_log',
  sessions: 'identity_sessions',
  refreshTokens: 'identity_refresh_tokens',
  loginAttempts: 'identity_login_attempts',
  idempotency: 'identity_idempotency',
  oauthStates: 'identity_oauth_states',
  oauthCodes: 'identity_oauth_codes',
  resetCodes: 'identity_reset_codes',
  signingKeys: 'identity_signing_keys',
  firstStart: 'identity_first_start',
} as const;
