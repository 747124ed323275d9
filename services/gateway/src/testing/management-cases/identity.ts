import type { identityV1 } from '@tollgate/protos';
import { type ManagementCase, NOW, row } from './management-case';

const apiKey: identityV1.ApiKey = {
  id: 'key_7',
  accountId: 'acc_1',
  name: 'ci',
  preview: 'tg_live_01234567...',
  status: 'API_KEY_STATUS_ACTIVE',
  scopes: ['completions'],
  maxBudget: '10000000000',
  budgetPeriod: 'BUDGET_PERIOD_MONTH',
  createdBy: 'usr_1',
  createdAt: NOW,
  metadataJson: '{"team":"a"}',
};
const account: identityV1.Account = {
  id: 'acc_7',
  name: 'Acme',
  plan: 'free',
  status: 'ACCOUNT_STATUS_ACTIVE',
  createdAt: NOW,
  updatedAt: NOW,
};
const user: identityV1.User = {
  id: 'usr_7',
  email: 'a@example.com',
  displayName: 'A',
  role: 'ROLE_ADMIN',
  status: 'USER_STATUS_ACTIVE',
  accountId: 'acc_7',
  createdAt: NOW,
};
const session: identityV1.Session = {
  accessToken: 'a.b.c',
  expiresInSeconds: 3600,
  refreshToken: 'r',
  user,
  account,
};
const auditEntry: identityV1.AuditEntry = {
  id: 'aud_7',
  at: NOW,
  operation: 'DELETE /v1/keys/{id}',
  actorAccountId: 'acc_1',
  actorUserId: 'usr_1',
  accountId: 'acc_1',
  resourceType: 'keys',
  resourceId: 'key_7',
  remoteAddress: '203.0.113.7',
  requestId: 'req_7',
  outcome: 'AUDIT_OUTCOME_SUCCEEDED',
  beforeJson: '{"id":"key_7"}',
  afterJson: '{"id":"key_7","deleted":true}',
};

/** A case for every row whose operation identity does. */
export const IDENTITY_CASES: readonly ManagementCase[] = [
  row('GET /v1/keys', 'identity.listApiKeys', {
    answer: { apiKeys: [apiKey], nextCursor: 'next' },
  }),
  row('POST /v1/keys', 'identity.createApiKey', {
    answer: { apiKey, secret: 'shown once' },
    body: { name: 'ci', scopes: ['completions'], max_budget: '10.00', requests_per_minute: null },
    asked: { settings: { name: 'ci', maxBudget: '10000000000', requestsPerMinute: -1 } },
  }),
  row('GET /v1/keys/{id}', 'identity.getApiKey', { answer: { apiKey }, asked: { keyId: 'x7' } }),
  row('PATCH /v1/keys/{id}', 'identity.updateApiKey', {
    answer: { apiKey },
    body: { status: 'disabled', expires_at: null },
    asked: { keyId: 'x7', settings: { disabled: true, expiresAt: '' } },
  }),
  row('PUT /v1/keys/{id}', 'identity.updateApiKey', {
    answer: { apiKey },
    body: { name: 'whole', requests_per_minute: 5 },
    asked: {
      keyId: 'x7',
      settings: { name: 'whole', maxBudget: '-1', requestsPerMinute: 5, disabled: false },
    },
  }),
  row('DELETE /v1/keys/{id}', 'identity.deleteApiKey', { asked: { keyId: 'x7' } }),
  row('POST /v1/keys/{id}/rotate', 'identity.rotateApiKey', {
    answer: { apiKey, secret: 'shown once' },
    body: {},
    asked: { keyId: 'x7', gracePeriodSeconds: 86_400 },
  }),
  row('GET /v1/admin/accounts', 'identity.listAccounts', {
    answer: { accounts: [account] },
    url: '/v1/admin/accounts?name=ac&email=a%40example.com&status=erased',
    asked: { name: 'ac', email: 'a@example.com', status: 'ACCOUNT_STATUS_ERASED' },
  }),
  row('POST /v1/admin/accounts', 'identity.createAccount', {
    answer: { account, owner: user },
    body: { name: 'Acme', owner: { email: 'a@example.com', password: 'placeholder' } },
    asked: { name: 'Acme', plan: 'free', owner: { email: 'a@example.com' } },
  }),
  row('GET /v1/admin/accounts/{id}', 'identity.getAccount', { answer: { account } }),
  row('PATCH /v1/admin/accounts/{id}', 'identity.updateAccount', {
    answer: { account },
    body: {
      status: 'suspended',
      overrides: { limits: { requests_per_minute: null }, discount: '-12.5' },
    },
    asked: {
      accountId: 'x7',
      status: 'ACCOUNT_STATUS_SUSPENDED',
      discount: -1250,
      limits: { requestsPerMinute: -1 },
    },
  }),
  row('PUT /v1/admin/accounts/{id}', 'identity.updateAccount', {
    answer: { account },
    body: { name: 'Acme', status: 'active', overrides: { groups: ['gold'] } },
    asked: { accountId: 'x7', name: 'Acme', groups: { values: ['gold'] } },
  }),
  row('DELETE /v1/admin/accounts/{id}', 'identity.eraseAccount', {
    answer: { account: { ...account, status: 'ACCOUNT_STATUS_ERASING' } },
    headers: { 'idempotency-key': 'first' },
    asked: { accountId: 'x7', idempotency: { key: 'first' } },
  }),
  row('GET /v1/admin/accounts/{id}/keys', 'identity.listApiKeys', {
    answer: { apiKeys: [apiKey] },
    asked: { accountId: 'x7' },
  }),
  row('GET /v1/admin/accounts/{id}/members', 'identity.listUsers', {
    answer: { users: [user] },
    asked: { accountId: 'x7' },
  }),
  row('PUT /v1/admin/accounts/{id}/plan', 'identity.updateAccount', {
    answer: { account },
    body: { plan: 'smart' },
    asked: { accountId: 'x7', plan: 'smart' },
  }),
  row('GET /v1/admin/users', 'identity.listUsers', {
    answer: { users: [user] },
    url: '/v1/admin/users?email=a%40',
    asked: { email: 'a@' },
  }),
  row('GET /v1/admin/users/{id}', 'identity.getUser', {
    answer: { user, account },
    asked: { userId: 'x7' },
  }),
  row('POST /v1/admin/users/{id}/reset-password', 'identity.startPasswordReset', {
    answer: { user, code: 'shown once', expiresAt: NOW },
    asked: { userId: 'x7' },
  }),
  row('PATCH /v1/admin/users/{id}', 'identity.updateMember', {
    answer: { user },
    body: { role: 'admin', email: 'ada@example.com' },
    asked: { userId: 'x7', role: 'ROLE_ADMIN', anyAccount: true, email: 'ada@example.com' },
  }),
  row('POST /v1/admin/keys/{id}/disable', 'identity.setApiKeyStatus', {
    answer: { apiKey },
    asked: { keyId: 'x7', disabled: true },
  }),
  row('POST /v1/admin/keys/{id}/enable', 'identity.setApiKeyStatus', {
    answer: { apiKey },
    asked: { keyId: 'x7', disabled: false },
  }),
  row('POST /v1/admin/users/{id}/disable', 'identity.setUserStatus', {
    answer: { user },
    asked: { userId: 'x7', status: 'USER_STATUS_DISABLED' },
  }),
  row('POST /v1/admin/users/{id}/enable', 'identity.setUserStatus', {
    answer: { user },
    asked: { userId: 'x7', status: 'USER_STATUS_ACTIVE' },
  }),
  row('POST /v1/admin/users/{id}/end-sessions', 'identity.endUserSessions', {
    answer: { user },
    asked: { userId: 'x7' },
  }),
  row('POST /v1/users/reset-password', 'identity.resetPassword', {
    answer: { userId: 'usr_7' },
    body: { code: 'placeholder', new_password: 'another placeholder' },
    asked: { code: 'placeholder', remoteAddress: '127.0.0.1' },
  }),
  row('GET /v1/account/members/{id}', 'identity.getMember', {
    answer: { user },
    asked: { userId: 'x7' },
  }),
  row('PATCH /v1/account/members/{id}', 'identity.updateMember', {
    answer: { user },
    body: { role: 'admin' },
    asked: { userId: 'x7', role: 'ROLE_ADMIN' },
  }),
  row('POST /v1/admin/users', 'identity.createUser', {
    answer: { user, account },
    body: { email: 'a@example.com', password: 'placeholder' },
    asked: { registration: false, role: 'ROLE_UNSPECIFIED' },
  }),
  row('GET /v1/admin/audit-log', 'identity.listAuditEntries', {
    answer: { entries: [auditEntry] },
    url: '/v1/admin/audit-log?actor=usr_1&operation=DELETE%20/v1/keys/%7Bid%7D',
    asked: { byActor: 'usr_1', operation: 'DELETE /v1/keys/{id}', limit: 50 },
  }),
  row('GET /v1/admin/audit-log/{id}', 'identity.getAuditEntry', {
    answer: { entry: auditEntry },
    asked: { id: 'x7' },
  }),
  row('POST /v1/users/login', 'identity.login', {
    answer: { session },
    body: { email: 'a@example.com', password: 'placeholder' },
    asked: { email: 'a@example.com', remoteAddress: '127.0.0.1' },
  }),
  row('POST /v1/users/refresh', 'identity.refreshSession', {
    answer: { session },
    body: { refresh_token: 'r' },
  }),
  row('POST /v1/users', 'identity.createUser', {
    answer: { user, account },
    body: { email: 'a@example.com', password: 'placeholder' },
    asked: { registration: true },
  }),
  row('GET /v1/oauth/providers', 'identity.listOAuthProviders', {
    answer: { providers: [{ id: 'sso', name: 'Single sign-on' }] },
  }),
  row('GET /v1/oauth/login', 'identity.startOAuth', {
    answer: { authorizationUrl: 'https://provider.example/authorize', state: 's' },
    url: '/v1/oauth/login?provider=sso',
  }),
  row('GET /v1/oauth/callback', 'identity.completeOAuth', {
    answer: { session },
    url: '/v1/oauth/callback?state=s&code=c&session_state=added-by-the-provider',
  }),
  row('POST /v1/oauth/token', 'identity.exchangeOAuthCode', {
    answer: { session },
    body: { code: 'c' },
  }),
  row('GET /v1/users/me', 'identity.getUser', { answer: { user, account } }),
  row('POST /v1/users/logout', 'identity.logout', { asked: { sessionId: 'ses_1' } }),
  row('POST /v1/users/password', 'identity.changePassword', {
    body: { current_password: 'placeholder', new_password: 'another placeholder' },
  }),
  row('GET /v1/account/members', 'identity.listMembers', { answer: { users: [user] } }),
  row('POST /v1/account/members', 'identity.addMember', {
    answer: { user },
    body: { email: 'a@example.com', password: 'placeholder' },
    asked: { role: 'ROLE_MEMBER' },
  }),
  row('DELETE /v1/account/members/{id}', 'identity.removeMember', { asked: { userId: 'x7' } }),
];
