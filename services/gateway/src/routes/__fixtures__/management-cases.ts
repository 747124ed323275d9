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

const keys = '/v1/keys';
const channels = '/v1/admin/channels';
const models = '/v1/admin/models';
const accounts = '/v1/admin/accounts';
const hooks = '/v1/webhooks';

type Row = readonly [
  method: string,
  path: string,
  service: ManagementCase['service'],
  rpc: string,
  answer: unknown,
  rest?: Partial<ManagementCase>,
];

const code: billingV1.Code = { id: 'cod_7', batchId: 'cbt_7', preview: '7777', amount: '5000000000', note: 'fair',
  status: 'CODE_STATUS_REDEEMED', accountId: 'acc_1', endedAt: NOW, createdAt: NOW,
};
const payment = {
  type: 'topup.succeeded',
  data: { account_id: 'acc_7', amount: '25.00', currency: 'USD', reference: 'Invoice 7' },
};

const rows: readonly Row[] = [
  [
    'POST',
    '/v1/topups/{provider}',
    'billing',
    'topUp',
    { entry: credit },
    { url: `/v1/topups/${TOP_UP_PROVIDER}`, body: payment, headers: signTopUp(payment),
      asked: { provider: TOP_UP_PROVIDER, eventId: 'evt_7', accountId: 'acc_7', amount: '25000000000' },
    },
  ],
  [
    'POST',
    '/v1/account/redeem',
    'billing',
    'redeemCode',
    { entry: credit },
    { body: { code: 'TG-typed' }, asked: { accountId: 'acc_1' } },
  ],
  ['GET', '/v1/admin/plans', 'billing', 'listPlans', { plans: PLANS }],
  [
    'POST',
    '/v1/admin/plans',
    'billing',
    'putPlan',
    { plan: PLANS[0] },
    {
      body: { id: 'team', name: 'Team', requests_per_minute: 500, requests_per_day: null,
        concurrent_requests: null, price: '50.00',
      },
      asked: { plan: { id: 'team', price: '50000000000', requestsPerMinute: 500, version: 0 } },
    },
  ],
  [
    'GET',
    '/v1/admin/plans/{id}',
    'billing',
    'getPlan',
    { plan: PLANS[0], versions: [PLANS[1]] },
    { asked: { id: 'x7' } },
  ],
  [
    'PATCH',
    '/v1/admin/plans/{id}',
    'billing',
    'putPlan',
    { plan: PLANS[0] },
    {
      body: { requests_per_minute: null, models: ['small-chat'] },
      asked: { plan: { id: 'free', requestsPerDay: 1000, models: ['small-chat'] } },
    },
  ],
  [
    'PUT',
    '/v1/admin/plans/{id}',
    'billing',
    'putPlan',
    { plan: PLANS[0] },
    {
      body: { name: 'Free', requests_per_minute: 6, requests_per_day: null, concurrent_requests: 1 },
      asked: { plan: { id: 'free', requestsPerMinute: 6, keepAnswers: true, price: '0' } },
    },
  ],
  [
    'POST',
    '/v1/admin/accounts/{id}/export',
    'billing',
    'listLedger',
    { entries: [charge], lastSeq: '1' },
    { body: { format: 'csv' }, asked: { accountId: 'x7', afterSeq: '0' } },
  ],
  ['GET', '/v1/admin/codes', 'billing', 'listCodes', { codes: [code] }],
  [
    'POST',
    '/v1/admin/codes',
    'billing',
    'createCodes',
    { batchId: 'cbt_7', codes: [code], texts: ['shown once'] },
    { body: { amount: '5.00', count: 2 }, asked: { amount: '5000000000', count: 2 } },
  ],
  ['GET', '/v1/admin/codes/{id}', 'billing', 'getCode', { code }, { asked: { id: 'x7' } }],
  ['DELETE', '/v1/admin/codes/{id}', 'billing', 'revokeCodes', {}, { asked: { id: 'x7' } }],
  ['GET', '/v1/llm/models', 'routing', 'listModels', { models: [model()] }],
  ['GET', '/v1/models', 'routing', 'listModels', { models: [model()] }],
  [
    'GET',
    '/v1/models/{id}',
    'routing',
    'listModels',
    { models: [model()] },
    { url: '/v1/models/small-chat' },
  ],
  ['GET', keys, 'identity', 'listApiKeys', { apiKeys: [apiKey], nextCursor: 'next' }],
  [
    'POST',
    keys,
    'identity',
    'createApiKey',
    { apiKey, secret: 'shown once' },
    {
      body: { name: 'ci', scopes: ['completions'], max_budget: '10.00', requests_per_minute: null },
      asked: { settings: { name: 'ci', maxBudget: '10000000000', requestsPerMinute: -1 } },
    },
  ],
  ['GET', `${keys}/{id}`, 'identity', 'getApiKey', { apiKey }, { asked: { keyId: 'x7' } }],
  [
    'PATCH',
    `${keys}/{id}`,
    'identity',
    'updateApiKey',
    { apiKey },
    {
      body: { status: 'disabled', expires_at: null },
      asked: { keyId: 'x7', settings: { disabled: true, expiresAt: '' } },
    },
  ],
  [
    'PUT',
    `${keys}/{id}`,
    'identity',
    'updateApiKey',
    { apiKey },
    {
      body: { name: 'whole', requests_per_minute: 5 },
      asked: {
        keyId: 'x7',
        settings: { name: 'whole', maxBudget: '-1', requestsPerMinute: 5, disabled: false },
      },
    },
  ],
  ['DELETE', `${keys}/{id}`, 'identity', 'deleteApiKey', {}, { asked: { keyId: 'x7' } }],
  [
    'POST',
    `${keys}/{id}/rotate`,
    'identity',
    'rotateApiKey',
    { apiKey, secret: 'shown once' },
    {
      body: {},
      asked: { keyId: 'x7', gracePeriodSeconds: 86_400 },
    },
  ],
  ['GET', '/v1/billing/balance', 'billing', 'getBalance', { currency: 'USD', balance: '5' }],
  ['GET', '/v1/billing/plans', 'billing', 'listPlans', { plans: PLANS }],
  [
    'GET',
    '/v1/billing/ledger',
    'billing',
    'searchLedger',
    { entries: [charge], nextBeforeSeq: '7' },
    {
      url: '/v1/billing/ledger?kind=charge&key_id=key_7&start=2026-02-03T00:00:00Z',
      asked: {
        accountId: 'acc_1',
        filter: { kind: 'charge', keyId: 'key_7', start: '2026-02-03T00:00:00Z' },
      },
    },
  ],
  [
    'GET',
    '/v1/requests',
    'billing',
    'searchCharges',
    { entries: [charge], nextBeforeRequestId: 'req_7' },
    {
      url: '/v1/requests?status=failed&error_code=UPSTREAM_ERROR&model=small-chat',
      asked: {
        accountId: 'acc_1',
        filter: { status: 'failed', errorCode: 'UPSTREAM_ERROR', model: 'small-chat' },
      },
    },
  ],
  [
    'GET',
    '/v1/requests/{request_id}',
    'billing',
    'getReceipt',
    { entry: charge },
    { asked: { accountId: 'acc_1', requestId: 'x7' } },
  ],
  [
    'GET',
    '/v1/billing/thresholds',
    'billing',
    'getThresholds',
    { state: thresholds },
    { asked: { accountId: 'acc_1' } },
  ],
  [
    'PUT',
    '/v1/billing/thresholds',
    'billing',
    'setThresholds',
    { state: thresholds },
    {
      body: { amounts: ['10.00'], days: [7], suspend_below: '0.50' },
      asked: {
        accountId: 'acc_1',
        thresholds: { amounts: ['10000000000'], days: [7] },
        suspendBelow: '500000000',
      },
    },
  ],
  [
    'DELETE',
    '/v1/billing/thresholds',
    'billing',
    'setThresholds',
    { state: thresholds },
    { asked: { accountId: 'acc_1' } },
  ],
  [
    'GET',
    '/v1/billing/statements',
    'billing',
    'listStatements',
    { statements: [statement] },
    { asked: { accountId: 'acc_1' } },
  ],
  [
    'GET',
    '/v1/billing/statements/{month}',
    'billing',
    'getStatement',
    { statement },
    { url: '/v1/billing/statements/2026-01', asked: { accountId: 'acc_1', month: '2026-01' } },
  ],
  [
    'GET',
    '/v1/requests/{request_id}/answer',
    'billing',
    'getAnswer',
    {
      writing: Buffer.from('{"format":"openai","includeUsage":false}'),
      answer: Buffer.from(
        completionV1.KeptAnswer.encode({
          answer: { $case: 'whole', value: answer('hello') },
        }).finish(),
      ),
    },
    { asked: { accountId: 'acc_1', keyId: 'key_1', requestId: 'x7' } },
  ],
  [
    'GET',
    '/v1/admin/requests',
    'billing',
    'searchCharges',
    { entries: [charge] },
    {
      url: '/v1/admin/requests?channel_id=chn_7&client_request_id=trace-1',
      asked: { accountId: '', filter: { channelId: 'chn_7', clientRequestId: 'trace-1' } },
    },
  ],
  [
    'GET',
    '/v1/admin/requests/{request_id}',
    'billing',
    'getReceipt',
    { entry: charge },
    { asked: { accountId: '', requestId: 'x7' } },
  ],
  [
    'GET',
    '/v1/admin/requests/{request_id}/refusal',
    'stats',
    'getRefusal',
    { refusal },
    { asked: { requestId: 'x7', accountId: '' } },
  ],
  [
    'GET',
    '/v1/refusals',
    'stats',
    'listRefusals',
    { refusals: [refusal], nextBeforeRequestId: 'x7' },
    {
      url: '/v1/refusals?limit=1&cursor=cmVxdWVzdDp4OA',
      asked: { accountId: 'acc_1', limit: 1, beforeRequestId: 'x8' },
    },
  ],
  [
    'GET',
    '/v1/admin/refusals',
    'stats',
    'listRefusals',
    { refusals: [refusal] },
    { url: '/v1/admin/refusals?account_id=acc_7', asked: { accountId: 'acc_7', limit: 50 } },
  ],
  [
    'GET',
    '/v1/billing/receipts/{request_id}',
    'billing',
    'getReceipt',
    { entry: charge },
    {
      url: '/v1/billing/receipts/msg_req_7',
      asked: { accountId: 'acc_1', requestId: 'req_7' },
    },
  ],
  [
    'GET',
    '/v1/stats',
    'stats',
    'queryUsage',
    {
      results: [
        { bucket: NOW, group: [{ dimension: 'DIMENSION_MODEL', value: 'm' }], metrics: usage },
      ],
      totals: usage,
      asOf: NOW,
    },
    {
      url: '/v1/stats?group_by=model&interval=hour&model=a,b&worst=3',
      asked: { interval: 'INTERVAL_HOUR', groupBy: ['DIMENSION_MODEL'], models: ['a', 'b'],
        worst: 3,
      },
    },
  ],
  [
    'GET',
    '/v1/stats',
    'stats',
    'queryUsage',
    { results: [], totals: usage, asOf: NOW },
    {
      url: '/v1/stats?account_id=acc_7,acc_8,acc_7&group_by=account',
      asked: { accountId: '', accountIds: ['acc_7', 'acc_8'], groupBy: ['DIMENSION_ACCOUNT'] },
    },
  ],
  ['GET', channels, 'routing', 'listChannels', { channels: [channel] }],
  [
    'POST',
    channels,
    'routing',
    'createChannel',
    { channel },
    {
      body: channelBody,
      asked: { settings: { type: 'CHANNEL_TYPE_OPENAI', credential: 'placeholder' } },
    },
  ],
  ['GET', `${channels}/{id}`, 'routing', 'getChannel', { channel }],
  [
    'PUT',
    `${channels}/{id}`,
    'routing',
    'updateChannel',
    { channel },
    {
      body: { weight: 3, status: 'disabled', owner_account_id: null },
      asked: { settings: { weight: 3, status: 'CHANNEL_STATUS_DISABLED', ownerAccountId: '' } },
    },
  ],
  [
    'PATCH',
    `${channels}/{id}`,
    'routing',
    'updateChannel',
    { channel },
    { body: { weight: 3 }, asked: { settings: { weight: 3 } } },
  ],
  ['DELETE', `${channels}/{id}`, 'routing', 'deleteChannel', {}],
  [
    'POST',
    `${channels}/{id}/health`,
    'routing',
    'checkChannelHealth',
    {
      channelId: 'chn_7',
      model: 'small-chat',
      healthy: true,
      latencyMs: 3,
      checkedAt: NOW,
    },
  ],
  [
    'POST',
    `${channels}/discover`,
    'routing',
    'discoverModels',
    { names: ['vendor-small', 'small-chat'], httpStatus: 200, error: '' },
    {
      body: { type: 'openai', base_url: 'https://vendor.example/v1', credential: 'placeholder' },
      asked: { type: 'CHANNEL_TYPE_OPENAI', baseUrl: 'https://vendor.example/v1' },
    },
  ],
  ['GET', models, 'routing', 'listModels', { models: [model()] }],
  ['GET', `${models}/export`, 'routing', 'listModels', { models: [model()] }],
  [
    'POST',
    `${models}/import`,
    'routing',
    'listModels',
    { models: [model()] },
    { body: { models: [catalogue] } },
  ],
  [
    'POST',
    models,
    'routing',
    'putModel',
    { model: model() },
    {
      body: catalogue,
      asked: {
        create: true,
        model: { pricing: { prompt: '1000000000', cachedPrompt: '1000000000' } },
      },
    },
  ],
  [
    'PUT',
    `${models}/{id}`,
    'routing',
    'putModel',
    { model: model() },
    {
      url: `${models}/small-chat`,
      body: catalogue,
      asked: { create: false },
    },
  ],
  [
    'GET',
    `${models}/{id}`,
    'routing',
    'listModels',
    { models: [model()] },
    { url: `${models}/small-chat` },
  ],
  [
    'PATCH',
    `${models}/{id}`,
    'routing',
    'putModel',
    { model: model() },
    {
      url: `${models}/small-chat`,
      body: { pricing: { completion: '2.00' } },
      asked: {
        create: false,
        model: {
          contextLength: 8192,
          pricing: { prompt: '1000000000', completion: '2000000000', cachedPrompt: '500000000' },
        },
      },
    },
  ],
  ['DELETE', `${models}/{id}`, 'routing', 'deleteModel', {}, { asked: { name: 'x7' } }],
  [
    'GET',
    accounts,
    'identity',
    'listAccounts',
    { accounts: [account] },
    {
      url: `${accounts}?name=ac&email=a%40example.com&status=erased`,
      asked: { name: 'ac', email: 'a@example.com', status: 'ACCOUNT_STATUS_ERASED' },
    },
  ],
  [
    'POST',
    accounts,
    'identity',
    'createAccount',
    { account, owner: user },
    {
      body: { name: 'Acme', owner: { email: 'a@example.com', password: 'placeholder' } },
      asked: { name: 'Acme', plan: 'free', owner: { email: 'a@example.com' } },
    },
  ],
  ['GET', `${accounts}/{id}`, 'identity', 'getAccount', { account }],
  [
    'PATCH',
    `${accounts}/{id}`,
    'identity',
    'updateAccount',
    { account },
    {
      body: {
        status: 'suspended',
        overrides: { limits: { requests_per_minute: null }, discount: '-12.5' },
      },
      asked: { accountId: 'x7', status: 'ACCOUNT_STATUS_SUSPENDED', discount: -1250,
        limits: { requestsPerMinute: -1 },
      },
    },
  ],
  [
    'PUT',
    `${accounts}/{id}`,
    'identity',
    'updateAccount',
    { account },
    {
      body: { name: 'Acme', status: 'active', overrides: { groups: ['gold'] } },
      asked: { accountId: 'x7', name: 'Acme', groups: { values: ['gold'] } },
    },
  ],
  [
    'DELETE',
    `${accounts}/{id}`,
    'identity',
    'eraseAccount',
    { account: { ...account, status: 'ACCOUNT_STATUS_ERASING' } },
    {
      headers: { 'idempotency-key': 'first' },
      asked: { accountId: 'x7', idempotency: { key: 'first' } },
    },
  ],
  [
    'GET',
    `${accounts}/{id}/balance`,
    'billing',
    'getBalance',
    { currency: 'USD', balance: '5' },
    { asked: { accountId: 'x7' } },
  ],
  [
    'GET',
    `${accounts}/{id}/ledger`,
    'billing',
    'searchLedger',
    { entries: [charge, credit, adjustment] },
    { url: `${accounts}/x7/ledger?limit=3`, asked: { accountId: 'x7', limit: 3 } },
  ],
  [
    'GET',
    `${accounts}/{id}/keys`,
    'identity',
    'listApiKeys',
    { apiKeys: [apiKey] },
    { asked: { accountId: 'x7' } },
  ],
  [
    'GET',
    `${accounts}/{id}/members`,
    'identity',
    'listUsers',
    { users: [user] },
    { asked: { accountId: 'x7' } },
  ],
  [
    'POST',
    `${accounts}/{id}/credits`,
    'billing',
    'addCredits',
    { entry: credit },
    {
      body: { amount: '10.00', note: 'welcome' },
      headers: { 'idempotency-key': 'first' },
      asked: { accountId: 'x7', amount: '10000000000', idempotencyKey: 'first' },
    },
  ],
  [
    'POST',
    `${accounts}/{id}/adjustments`,
    'billing',
    'adjustBalance',
    { entry: adjustment },
    {
      body: { amount: '-1.50', reason: 'credited twice' },
      headers: { 'idempotency-key': 'first' },
      asked: {
        accountId: 'x7',
        amount: '-1500000000',
        reason: 'credited twice',
        idempotencyKey: 'first',
      },
    },
  ],
  [
    'PUT',
    `${accounts}/{id}/plan`,
    'identity',
    'updateAccount',
    { account },
    {
      body: { plan: 'smart' },
      asked: { accountId: 'x7', plan: 'smart' },
    },
  ],
  [
    'GET',
    '/v1/admin/users',
    'identity',
    'listUsers',
    { users: [user] },
    { url: '/v1/admin/users?email=a%40', asked: { email: 'a@' } },
  ],
  [
    'GET',
    '/v1/admin/users/{id}',
    'identity',
    'getUser',
    { user, account },
    { asked: { userId: 'x7' } },
  ],
  [
    'POST',
    '/v1/admin/users/{id}/reset-password',
    'identity',
    'startPasswordReset',
    { user, code: 'shown once', expiresAt: NOW },
    { asked: { userId: 'x7' } },
  ],
  [
    'PATCH',
    '/v1/admin/users/{id}',
    'identity',
    'updateMember',
    { user },
    {
      body: { role: 'admin', email: 'ada@example.com' },
      asked: { userId: 'x7', role: 'ROLE_ADMIN', anyAccount: true, email: 'ada@example.com' },
    },
  ],
  [
    'POST',
    '/v1/admin/keys/{id}/disable',
    'identity',
    'setApiKeyStatus',
    { apiKey },
    { asked: { keyId: 'x7', disabled: true } },
  ],
  [
    'POST',
    '/v1/admin/keys/{id}/enable',
    'identity',
    'setApiKeyStatus',
    { apiKey },
    { asked: { keyId: 'x7', disabled: false } },
  ],
  [
    'POST',
    '/v1/admin/users/{id}/disable',
    'identity',
    'setUserStatus',
    { user },
    { asked: { userId: 'x7', status: 'USER_STATUS_DISABLED' } },
  ],
  [
    'POST',
    '/v1/admin/users/{id}/enable',
    'identity',
    'setUserStatus',
    { user },
    { asked: { userId: 'x7', status: 'USER_STATUS_ACTIVE' } },
  ],
  [
    'POST',
    '/v1/admin/users/{id}/end-sessions',
    'identity',
    'endUserSessions',
    { user },
    { asked: { userId: 'x7' } },
  ],
  [
    'POST',
    '/v1/users/reset-password',
    'identity',
    'resetPassword',
    { userId: 'usr_7' },
    {
      body: { code: 'placeholder', new_password: 'another placeholder' },
      asked: { code: 'placeholder', remoteAddress: '127.0.0.1' },
    },
  ],
  [
    'GET',
    '/v1/account/members/{id}',
    'identity',
    'getMember',
    { user },
    { asked: { userId: 'x7' } },
  ],
  [
    'PATCH',
    '/v1/account/members/{id}',
    'identity',
    'updateMember',
    { user },
    { body: { role: 'admin' }, asked: { userId: 'x7', role: 'ROLE_ADMIN' } },
  ],
  [
    'POST',
    '/v1/admin/users',
    'identity',
    'createUser',
    { user, account },
    {
      body: { email: 'a@example.com', password: 'placeholder' },
      asked: { registration: false, role: 'ROLE_UNSPECIFIED' },
    },
  ],
  [
    'GET',
    '/v1/admin/audit-log',
    'identity',
    'listAuditEntries',
    { entries: [auditEntry] },
    {
      url: '/v1/admin/audit-log?actor=usr_1&operation=DELETE%20/v1/keys/%7Bid%7D',
      asked: { byActor: 'usr_1', operation: 'DELETE /v1/keys/{id}', limit: 50 },
    },
  ],
  [
    'GET',
    '/v1/admin/audit-log/{id}',
    'identity',
    'getAuditEntry',
    { entry: auditEntry },
    { asked: { id: 'x7' } },
  ],
  ['GET', '/v1/admin/alerts', 'billing', 'audit', { ok: true, checkedAt: NOW }],
  ['GET', '/v1/admin/audit', 'billing', 'audit', { ok: true, checkedAt: NOW }],
  [
    'GET',
    '/v1/admin/audit',
    'billing',
    'audit',
    { ok: true, checkedAt: NOW, partial: true, nextCursor: 'acc_2' },
    {
      url: `/v1/admin/audit?fresh=true&cursor=${Buffer.from('after:acc_1').toString('base64url')}`,
      asked: { fresh: true, cursor: 'acc_1' },
    },
  ],
  ['GET', hooks, 'webhook', 'listEndpoints', { endpoints: [endpoint] }],
  [
    'POST',
    hooks,
    'webhook',
    'createEndpoint',
    { endpoint, secret: 'shown once' },
    {
      body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
      asked: { operator: true, events: ['balance.low'] },
    },
  ],
  ['GET', `${hooks}/{id}`, 'webhook', 'getEndpoint', { endpoint }],
  [
    'PATCH',
    `${hooks}/{id}`,
    'webhook',
    'updateEndpoint',
    { endpoint },
    {
      body: { status: 'enabled' },
      asked: { status: 'ENDPOINT_STATUS_ENABLED' },
    },
  ],
  [
    'PUT',
    `${hooks}/{id}`,
    'webhook',
    'updateEndpoint',
    { endpoint },
    {
      body: { url: 'https://receiver.example/hook', events: ['balance.low'] },
      asked: { status: 'ENDPOINT_STATUS_ENABLED', description: '' },
    },
  ],
  ['DELETE', `${hooks}/{id}`, 'webhook', 'deleteEndpoint', {}],
  ['POST', `${hooks}/{id}/rotate-secret`, 'webhook', 'rotateSecret', { endpoint, secret: 's' }],
  ['POST', `${hooks}/{id}/test`, 'webhook', 'sendTest', { delivery }],
  ['GET', `${hooks}/{id}/deliveries`, 'webhook', 'listDeliveries', { deliveries: [delivery] }],
  ['POST', `${hooks}/deliveries/{id}/redeliver`, 'webhook', 'redeliver', { delivery }],
  [
    'POST',
    '/v1/users/login',
    'identity',
    'login',
    { session },
    {
      body: { email: 'a@example.com', password: 'placeholder' },
      asked: { email: 'a@example.com', remoteAddress: '127.0.0.1' },
    },
  ],
  [
    'POST',
    '/v1/users/refresh',
    'identity',
    'refreshSession',
    { session },
    {
      body: { refresh_token: 'r' },
    },
  ],
  [
    'POST',
    '/v1/users',
    'identity',
    'createUser',
    { user, account },
    {
      body: { email: 'a@example.com', password: 'placeholder' },
      asked: { registration: true },
    },
  ],
  [
    'GET',
    '/v1/oauth/providers',
    'identity',
    'listOAuthProviders',
    {
      providers: [{ id: 'sso', name: 'Single sign-on' }],
    },
  ],
  [
    'GET',
    '/v1/oauth/login',
    'identity',
    'startOAuth',
    {
      authorizationUrl: 'https://provider.example/authorize',
      state: 's',
    },
    { url: '/v1/oauth/login?provider=sso' },
  ],
  [
    'GET',
    '/v1/oauth/callback',
    'identity',
    'completeOAuth',
    { session },
    {
      url: '/v1/oauth/callback?state=s&code=c&session_state=added-by-the-provider',
    },
  ],
  [
    'POST',
    '/v1/oauth/token',
    'identity',
    'exchangeOAuthCode',
    { session },
    {
      body: { code: 'c' },
    },
  ],
  ['GET', '/v1/users/me', 'identity', 'getUser', { user, account }],
  ['POST', '/v1/users/logout', 'identity', 'logout', {}, { asked: { sessionId: 'ses_1' } }],
  [
    'POST',
    '/v1/users/password',
    'identity',
    'changePassword',
    {},
    {
      body: { current_password: 'placeholder', new_password: 'another placeholder' },
    },
  ],
  ['GET', '/v1/account/members', 'identity', 'listMembers', { users: [user] }],
  [
    'POST',
    '/v1/account/members',
    'identity',
    'addMember',
    { user },
    {
      body: { email: 'a@example.com', password: 'placeholder' },
      asked: { role: 'ROLE_MEMBER' },
    },
  ],
  [
    'DELETE',
    '/v1/account/members/{id}',
    'identity',
    'removeMember',
    {},
    {
      asked: { userId: 'x7' },
    },
  ],
];

/** A case for every row of the table that is not a completion. */
export const MANAGEMENT_CASES: readonly ManagementCase[] = rows.map(
  ([method, path, service, rpc, answer, rest = {}]) => ({
    method,
    path,
    service,
    rpc,
    answer,
    ...rest,
  }),
);
