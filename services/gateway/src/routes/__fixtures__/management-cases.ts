import {
  type billingV1,
  completionV1,
  type identityV1,
  type routingV1,
  type webhookV1,
} from '@tollgate/protos';
import { answer, model, PLANS, signTopUp, TOP_UP_PROVIDER } from '../../testing/fixtures';

const NOW = '2026-02-03T10:00:00.000Z';

/** One management call, what the owning service answers, and what it is asked. */
export interface ManagementCase {
  readonly method: string;
  /** As in the path table. */
  readonly path: string;
  /** The path that is asked for; the row's own when absent. */
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly service: 'identity' | 'billing' | 'routing' | 'stats' | 'webhook';
  readonly rpc: string;
  readonly answer: unknown;
  /** A part of the request that the service got. */
  readonly asked?: object;
}

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
const thresholds: billingV1.ThresholdState = {
  thresholds: { amounts: ['10000000000'], days: [7] },
  suspendBelow: '500000000',
  source: 'account',
  dailySpend: '1000000000',
  suspended: false,
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
const channel: routingV1.Channel = {
  id: 'chn_7',
  name: 'first',
  type: 'CHANNEL_TYPE_OPENAI',
  baseUrl: 'https://vendor.example/v1',
  credentialPreview: '...1234',
  models: [{ name: 'small-chat', upstreamName: 'vendor-small' }],
  priority: 0,
  weight: 1,
  status: 'CHANNEL_STATUS_ENABLED',
  autoDisable: true,
  health: { state: 'HEALTH_STATE_HEALTHY', checkedAt: NOW, latencyMs: 12, breaker: 'closed' },
  createdAt: NOW,
  updatedAt: NOW,
};
const charge: billingV1.LedgerEntry = {
  accountId: 'acc_1',
  seq: '7',
  kind: 'charge',
  amount: '-123000',
  at: NOW,
  settledReason: 'settled',
  record: {
    accountId: 'acc_1',
    requestId: 'req_7',
    keyId: 'key_7',
    model: 'small-chat',
    requestedModel: 'auto',
    drawn: '500000',
    amount: '123000',
    promptTokens: 5,
    completionTokens: 2,
    source: 'exact',
    reason: 'stop',
    status: 'succeeded',
    startedAt: NOW,
    endedAt: NOW,
  },
};
const credit: billingV1.LedgerEntry = {
  accountId: 'acc_7',
  seq: '1',
  kind: 'credit',
  amount: '10000000000',
  at: NOW,
  creditId: 'c1',
  note: 'welcome',
};
const adjustment: billingV1.LedgerEntry = { accountId: 'acc_7', seq: '2', kind: 'adjustment', at: NOW,
  amount: '-1500000000', creditId: 'a1', note: 'credited twice',
};
const endpoint: webhookV1.Endpoint = {
  id: 'whk_7',
  url: 'https://receiver.example/hook',
  events: ['balance.low'],
  status: 'ENDPOINT_STATUS_ENABLED',
  createdAt: NOW,
};
const delivery: webhookV1.Delivery = {
  id: 'dlv_7',
  endpointId: 'whk_7',
  eventId: 'evt_7',
  eventType: 'balance.low',
  sequence: '3',
  status: 'DELIVERY_STATUS_SUCCEEDED',
  attempts: 1,
  createdAt: NOW,
};
const refusal = { requestId: 'x7', accountId: 'acc_1', keyId: 'key_1', gatewayId: 'gtw_1', at: NOW,
  errorCode: 'RATE_LIMIT_EXCEEDED', message: 'The limit is reached.',
};
const usage = { requests: '3', totalTokens: '21', spend: '123000' };

const statement = { month: '2026-01', currency: 'USD', requests: 2,
  opening: '0', credits: '10000000000', adjustments: '0', charges: '123000',
  closing: '9999877000',
  lines: [{ model: 'small-chat', keyId: 'key_7', requests: 2, amount: '123000' }],
};
const catalogue = {
  name: 'small-chat',
  context_length: 8192,
  max_completion_tokens: 1024,
  pricing: { prompt: '1.00', completion: '3.00' },
};
const channelBody = {
  name: 'first',
  type: 'openai',
  base_url: 'https://vendor.example/v1',
  credential: 'placeholder',
  models: [{ name: 'small-chat' }],
};

const code: billingV1.Code = { id: 'cod_7', batchId: 'cbt_7', preview: '7777', amount: '5000000000', note: 'fair',
  status: 'CODE_STATUS_REDEEMED', accountId: 'acc_1', endedAt: NOW, createdAt: NOW,
};
const payment = {
  type: 'topup.succeeded',
  data: { account_id: 'acc_7', amount: '25.00', currency: 'USD', reference: 'Invoice 7' },
};

/** The row as the audit log names its operation, and the call that it leads to. */
function row(
  line: `${string} ${string}`,
  call: `${ManagementCase['service']}.${string}`,
  rest: Partial<ManagementCase> = {},
): ManagementCase {
  const [method = '', path = ''] = line.split(' ');
  const [service, rpc] = call.split('.') as [ManagementCase['service'], string];
  return { method, path, service, rpc, answer: {}, ...rest };
}

/** A case for every row of the table that is not a completion. */
export const MANAGEMENT_CASES: readonly ManagementCase[] = [
  row('POST /v1/topups/{provider}', 'billing.topUp', {
    answer: { entry: credit },
    url: `/v1/topups/${TOP_UP_PROVIDER}`,
    body: payment,
    headers: signTopUp(payment),
    asked: {
      provider: TOP_UP_PROVIDER,
      eventId: 'evt_7',
      accountId: 'acc_7',
      amount: '25000000000',
    },
  }),
  row('POST /v1/account/redeem', 'billing.redeemCode', {
    answer: { entry: credit },
    body: { code: 'TG-typed' },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/admin/plans', 'billing.listPlans', { answer: { plans: PLANS } }),
  row('POST /v1/admin/plans', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: {
      id: 'team',
      name: 'Team',
      requests_per_minute: 500,
      requests_per_day: null,
      concurrent_requests: null,
      price: '50.00',
    },
    asked: { plan: { id: 'team', price: '50000000000', requestsPerMinute: 500, version: 0 } },
  }),
  row('GET /v1/admin/plans/{id}', 'billing.getPlan', {
    answer: { plan: PLANS[0], versions: [PLANS[1]] },
    asked: { id: 'x7' },
  }),
  row('PATCH /v1/admin/plans/{id}', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: { requests_per_minute: null, models: ['small-chat'] },
    asked: { plan: { id: 'free', requestsPerDay: 1000, models: ['small-chat'] } },
  }),
  row('PUT /v1/admin/plans/{id}', 'billing.putPlan', {
    answer: { plan: PLANS[0] },
    body: { name: 'Free', requests_per_minute: 6, requests_per_day: null, concurrent_requests: 1 },
    asked: { plan: { id: 'free', requestsPerMinute: 6, keepAnswers: true, price: '0' } },
  }),
  row('POST /v1/admin/accounts/{id}/export', 'billing.listLedger', {
    answer: { entries: [charge], lastSeq: '1' },
    body: { format: 'csv' },
    asked: { accountId: 'x7', afterSeq: '0' },
  }),
  row('GET /v1/admin/codes', 'billing.listCodes', { answer: { codes: [code] } }),
  row('POST /v1/admin/codes', 'billing.createCodes', {
    answer: { batchId: 'cbt_7', codes: [code], texts: ['shown once'] },
    body: { amount: '5.00', count: 2 },
    asked: { amount: '5000000000', count: 2 },
  }),
  row('GET /v1/admin/codes/{id}', 'billing.getCode', { answer: { code }, asked: { id: 'x7' } }),
  row('DELETE /v1/admin/codes/{id}', 'billing.revokeCodes', { asked: { id: 'x7' } }),
  row('GET /v1/llm/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/models/{id}', 'routing.listModels', {
    answer: { models: [model()] },
    url: '/v1/models/small-chat',
  }),
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
  row('GET /v1/billing/balance', 'billing.getBalance', {
    answer: { currency: 'USD', balance: '5' },
  }),
  row('GET /v1/billing/plans', 'billing.listPlans', { answer: { plans: PLANS } }),
  row('GET /v1/billing/ledger', 'billing.searchLedger', {
    answer: { entries: [charge], nextBeforeSeq: '7' },
    url: '/v1/billing/ledger?kind=charge&key_id=key_7&start=2026-02-03T00:00:00Z',
    asked: {
      accountId: 'acc_1',
      filter: { kind: 'charge', keyId: 'key_7', start: '2026-02-03T00:00:00Z' },
    },
  }),
  row('GET /v1/requests', 'billing.searchCharges', {
    answer: { entries: [charge], nextBeforeRequestId: 'req_7' },
    url: '/v1/requests?status=failed&error_code=UPSTREAM_ERROR&model=small-chat',
    asked: {
      accountId: 'acc_1',
      filter: { status: 'failed', errorCode: 'UPSTREAM_ERROR', model: 'small-chat' },
    },
  }),
  row('GET /v1/requests/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    asked: { accountId: 'acc_1', requestId: 'x7' },
  }),
  row('GET /v1/billing/thresholds', 'billing.getThresholds', {
    answer: { state: thresholds },
    asked: { accountId: 'acc_1' },
  }),
  row('PUT /v1/billing/thresholds', 'billing.setThresholds', {
    answer: { state: thresholds },
    body: { amounts: ['10.00'], days: [7], suspend_below: '0.50' },
    asked: {
      accountId: 'acc_1',
      thresholds: { amounts: ['10000000000'], days: [7] },
      suspendBelow: '500000000',
    },
  }),
  row('DELETE /v1/billing/thresholds', 'billing.setThresholds', {
    answer: { state: thresholds },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/billing/statements', 'billing.listStatements', {
    answer: { statements: [statement] },
    asked: { accountId: 'acc_1' },
  }),
  row('GET /v1/billing/statements/{month}', 'billing.getStatement', {
    answer: { statement },
    url: '/v1/billing/statements/2026-01',
    asked: { accountId: 'acc_1', month: '2026-01' },
  }),
  row('GET /v1/requests/{request_id}/answer', 'billing.getAnswer', {
    answer: {
      writing: Buffer.from('{"format":"openai","includeUsage":false}'),
      answer: Buffer.from(
        completionV1.KeptAnswer.encode({
          answer: { $case: 'whole', value: answer('hello') },
        }).finish(),
      ),
    },
    asked: { accountId: 'acc_1', keyId: 'key_1', requestId: 'x7' },
  }),
  row('GET /v1/admin/requests', 'billing.searchCharges', {
    answer: { entries: [charge] },
    url: '/v1/admin/requests?channel_id=chn_7&client_request_id=trace-1',
    asked: { accountId: '', filter: { channelId: 'chn_7', clientRequestId: 'trace-1' } },
  }),
  row('GET /v1/admin/requests/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    asked: { accountId: '', requestId: 'x7' },
  }),
  row('GET /v1/admin/requests/{request_id}/refusal', 'stats.getRefusal', {
    answer: { refusal },
    asked: { requestId: 'x7', accountId: '' },
  }),
  row('GET /v1/refusals', 'stats.listRefusals', {
    answer: { refusals: [refusal], nextBeforeRequestId: 'x7' },
    url: '/v1/refusals?limit=1&cursor=cmVxdWVzdDp4OA',
    asked: { accountId: 'acc_1', limit: 1, beforeRequestId: 'x8' },
  }),
  row('GET /v1/admin/refusals', 'stats.listRefusals', {
    answer: { refusals: [refusal] },
    url: '/v1/admin/refusals?account_id=acc_7',
    asked: { accountId: 'acc_7', limit: 50 },
  }),
  row('GET /v1/billing/receipts/{request_id}', 'billing.getReceipt', {
    answer: { entry: charge },
    url: '/v1/billing/receipts/msg_req_7',
    asked: { accountId: 'acc_1', requestId: 'req_7' },
  }),
  row('GET /v1/stats', 'stats.queryUsage', {
    answer: {
      results: [
        { bucket: NOW, group: [{ dimension: 'DIMENSION_MODEL', value: 'm' }], metrics: usage },
      ],
      totals: usage,
      asOf: NOW,
    },
    url: '/v1/stats?group_by=model&interval=hour&model=a,b&worst=3',
    asked: {
      interval: 'INTERVAL_HOUR',
      groupBy: ['DIMENSION_MODEL'],
      models: ['a', 'b'],
      worst: 3,
    },
  }),
  row('GET /v1/stats', 'stats.queryUsage', {
    answer: { results: [], totals: usage, asOf: NOW },
    url: '/v1/stats?account_id=acc_7,acc_8,acc_7&group_by=account',
    asked: { accountId: '', accountIds: ['acc_7', 'acc_8'], groupBy: ['DIMENSION_ACCOUNT'] },
  }),
  row('GET /v1/admin/channels', 'routing.listChannels', { answer: { channels: [channel] } }),
  row('POST /v1/admin/channels', 'routing.createChannel', {
    answer: { channel },
    body: channelBody,
    asked: { settings: { type: 'CHANNEL_TYPE_OPENAI', credential: 'placeholder' } },
  }),
  row('GET /v1/admin/channels/{id}', 'routing.getChannel', { answer: { channel } }),
  row('PUT /v1/admin/channels/{id}', 'routing.updateChannel', {
    answer: { channel },
    body: { weight: 3, status: 'disabled', owner_account_id: null },
    asked: { settings: { weight: 3, status: 'CHANNEL_STATUS_DISABLED', ownerAccountId: '' } },
  }),
  row('PATCH /v1/admin/channels/{id}', 'routing.updateChannel', {
    answer: { channel },
    body: { weight: 3 },
    asked: { settings: { weight: 3 } },
  }),
  row('DELETE /v1/admin/channels/{id}', 'routing.deleteChannel'),
  row('POST /v1/admin/channels/{id}/health', 'routing.checkChannelHealth', {
    answer: {
      channelId: 'chn_7',
      model: 'small-chat',
      healthy: true,
      latencyMs: 3,
      checkedAt: NOW,
    },
  }),
  row('POST /v1/admin/channels/discover', 'routing.discoverModels', {
    answer: { names: ['vendor-small', 'small-chat'], httpStatus: 200, error: '' },
    body: { type: 'openai', base_url: 'https://vendor.example/v1', credential: 'placeholder' },
    asked: { type: 'CHANNEL_TYPE_OPENAI', baseUrl: 'https://vendor.example/v1' },
  }),
  row('GET /v1/admin/models', 'routing.listModels', { answer: { models: [model()] } }),
  row('GET /v1/admin/models/export', 'routing.listModels', { answer: { models: [model()] } }),
  row('POST /v1/admin/models/import', 'routing.listModels', {
    answer: { models: [model()] },
    body: { models: [catalogue] },
  }),
  row('POST /v1/admin/models', 'routing.putModel', {
    answer: { model: model() },
    body: catalogue,
    asked: {
      create: true,
      model: { pricing: { prompt: '1000000000', cachedPrompt: '1000000000' } },
    },
  }),
  row('PUT /v1/admin/models/{id}', 'routing.putModel', {
    answer: { model: model() },
    url: '/v1/admin/models/small-chat',
    body: catalogue,
    asked: { create: false },
  }),
  row('GET /v1/admin/models/{id}', 'routing.listModels', {
    answer: { models: [model()] },
    url: '/v1/admin/models/small-chat',
  }),
  row('PATCH /v1/admin/models/{id}', 'routing.putModel', {
    answer: { model: model() },
    url: '/v1/admin/models/small-chat',
    body: { pricing: { completion: '2.00' } },
    asked: {
      create: false,
      model: {
        contextLength: 8192,
        pricing: { prompt: '1000000000', completion: '2000000000', cachedPrompt: '500000000' },
      },
    },
  }),
  row('DELETE /v1/admin/models/{id}', 'routing.deleteModel', { asked: { name: 'x7' } }),
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
  row('GET /v1/admin/accounts/{id}/balance', 'billing.getBalance', {
    answer: { currency: 'USD', balance: '5' },
    asked: { accountId: 'x7' },
  }),
  row('GET /v1/admin/accounts/{id}/ledger', 'billing.searchLedger', {
    answer: { entries: [charge, credit, adjustment] },
    url: '/v1/admin/accounts/x7/ledger?limit=3',
    asked: { accountId: 'x7', limit: 3 },
  }),
  row('GET /v1/admin/accounts/{id}/keys', 'identity.listApiKeys', {
    answer: { apiKeys: [apiKey] },
    asked: { accountId: 'x7' },
  }),
  row('GET /v1/admin/accounts/{id}/members', 'identity.listUsers', {
    answer: { users: [user] },
    asked: { accountId: 'x7' },
  }),
  row('POST /v1/admin/accounts/{id}/credits', 'billing.addCredits', {
    answer: { entry: credit },
    body: { amount: '10.00', note: 'welcome' },
    headers: { 'idempotency-key': 'first' },
    asked: { accountId: 'x7', amount: '10000000000', idempotencyKey: 'first' },
  }),
  row('POST /v1/admin/accounts/{id}/adjustments', 'billing.adjustBalance', {
    answer: { entry: adjustment },
    body: { amount: '-1.50', reason: 'credited twice' },
    headers: { 'idempotency-key': 'first' },
    asked: {
      accountId: 'x7',
      amount: '-1500000000',
      reason: 'credited twice',
      idempotencyKey: 'first',
    },
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
  row('GET /v1/admin/alerts', 'billing.audit', { answer: { ok: true, checkedAt: NOW } }),
  row('GET /v1/admin/audit', 'billing.audit', { answer: { ok: true, checkedAt: NOW } }),
  row('GET /v1/admin/audit', 'billing.audit', {
    answer: { ok: true, checkedAt: NOW, partial: true, nextCursor: 'acc_2' },
    url: `/v1/admin/audit?fresh=true&cursor=${Buffer.from('after:acc_1').toString('base64url')}`,
    asked: { fresh: true, cursor: 'acc_1' },
  }),
  row('GET /v1/webhooks', 'webhook.listEndpoints', { answer: { endpoints: [endpoint] } }),
  row('POST /v1/webhooks', 'webhook.createEndpoint', {
    answer: { endpoint, secret: 'shown once' },
    body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
    asked: { operator: true, events: ['balance.low'] },
  }),
  row('GET /v1/webhooks/{id}', 'webhook.getEndpoint', { answer: { endpoint } }),
  row('PATCH /v1/webhooks/{id}', 'webhook.updateEndpoint', {
    answer: { endpoint },
    body: { status: 'enabled' },
    asked: { status: 'ENDPOINT_STATUS_ENABLED' },
  }),
  row('PUT /v1/webhooks/{id}', 'webhook.updateEndpoint', {
    answer: { endpoint },
    body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
    asked: { status: 'ENDPOINT_STATUS_ENABLED', description: '' },
  }),
  row('DELETE /v1/webhooks/{id}', 'webhook.deleteEndpoint'),
  row('POST /v1/webhooks/{id}/rotate-secret', 'webhook.rotateSecret', {
    answer: { endpoint, secret: 's' },
  }),
  row('POST /v1/webhooks/{id}/test', 'webhook.sendTest', { answer: { delivery } }),
  row('GET /v1/webhooks/{id}/deliveries', 'webhook.listDeliveries', {
    answer: { deliveries: [delivery] },
  }),
  row('POST /v1/webhooks/deliveries/{id}/redeliver', 'webhook.redeliver', { answer: { delivery } }),
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
