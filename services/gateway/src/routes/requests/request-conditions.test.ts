import { createId } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { keyText, model, refusing } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
const NOW = '2026-02-03T10:00:00.000Z';
let gateway: GatewayUnderTest;

const candidate = (channelId: string, reasons: string[]): completionV1.RouteCandidate => ({
  rank: 1,
  model: 'small-chat',
  eligible: reasons.length === 0,
  reasons,
  estimatedAmount: 1_500n,
  channelId,
  channelName: channelId,
  figures: undefined,
});

const record = {
  accountId: 'acc_7',
  requestId: 'req_7',
  keyId: 'key_7',
  userId: 'usr_7',
  model: 'small-chat',
  requestedModel: 'auto',
  status: 'failed',
  reason: 'error',
  startedAt: NOW,
  endedAt: NOW,
  limitsLeft: 'rpm 59/60 rpd 999/1000',
  ignoredMembers: 'max_token *',
};
const entry = { accountId: 'acc_7', seq: '1', kind: 'charge', amount: '0', at: NOW };

const key7 = async () => ({
  apiKey: {
    id: 'key_7',
    accountId: 'acc_7',
    name: 'ci',
    status: 'API_KEY_STATUS_ACTIVE' as const,
    createdAt: NOW,
    models: ['small-chat'],
    pools: ['fast'],
    maxBudget: '7',
  },
});

beforeEach(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin', 'billing'] });
  gateway.billing.handlers.getReceipt = async () => ({ entry: { ...entry, record } });
  gateway.billing.handlers.getBalance = async () => ({
    accountId: 'acc_7',
    balance: '5000000000',
    reserved: '4000000000',
    available: '1000000000',
  });
  gateway.billing.handlers.getKeyBudgets = async () => ({ budgets: [], spends: [] });
  gateway.identity.handlers.getAccount = async () => ({
    account: {
      id: 'acc_7',
      name: 'Acme',
      plan: 'free',
      status: 'ACCOUNT_STATUS_ACTIVE' as const,
      createdAt: NOW,
      updatedAt: NOW,
      groups: ['fast'],
      terms: { limits: { requestsPerMinute: 9, requestsPerDay: -1 }, models: [], discount: 0 },
    },
  });
  gateway.identity.handlers.getApiKey = key7;
  gateway.identity.handlers.listAuditEntries = async () => ({ entries: [] });
  gateway.completion.handlers.explainRoute = async () => ({
    model: 'auto',
    candidates: [candidate('ch_1', []), candidate('ch_2', ['its breaker is open'])],
  });
});
afterEach(() => gateway.stop());

const notFound = refusing('NOT_FOUND');

async function story(): Promise<Readonly<Record<string, unknown>>> {
  const { status, json } = await gateway.send('GET', '/v1/admin/requests/req_7', {
    key,
  });
  expect(status).toBe(200);
  return json.data ?? {};
}

const conditions = async () => (await story()).now as Readonly<Record<string, unknown>>;

test('the story tells what its client was told: what its limits left, what was ignored', async () => {
  const { ignored_members, limits_left } = await story();
  expect(limits_left).toEqual({ minute: { left: 59, limit: 60 }, day: { left: 999, limit: 1000 } });
  expect(ignored_members).toEqual([
    { name: 'max_token', did_you_mean: 'max_tokens' },
    { name: '*', did_you_mean: null },
  ]);
});

test('the story of a request says what its limits are now, and which channels are refused', async () => {
  expect(await conditions()).toMatchObject({
    account: { id: 'acc_7', status: 'active', overrides: { groups: ['fast'] } },
    key: { id: 'key_7', name: 'ci', status: 'active' },
    balance: { balance: '5.00', reserved: '4.00', available: '1.00' },
    limits: { requests_per_minute: 9, requests_per_day: null },
    candidates: [
      { eligible: true, reasons: [], channel: { id: 'ch_1' } },
      { eligible: false, reasons: ['its breaker is open'], channel: { id: 'ch_2' } },
    ],
    unknown: [],
  });
  const [, asked] = gateway.completion.calls.find(([name]) => name === 'explainRoute') ?? [];
  expect(asked).toMatchObject({
    nameChannels: true,
    input: {
      model: 'auto',
      caller: {
        accountId: 'acc_7',
        keyId: 'key_7',
        operator: false,
        maxBudget: 7n,
        models: ['small-chat'],
        pools: ['fast'],
      },
    },
  });
});

test.each(['fast:vectors', 'auto'])(
  '%s is judged as for embeddings where it led there',
  async (asked) => {
    const chosen = { ...record, requestedModel: asked, model: asked === 'auto' ? 'vectors' : '' };
    gateway.billing.handlers.getReceipt = async () => ({ entry: { ...entry, record: chosen } });
    const explained = async () => {
      expect(await conditions()).toMatchObject({ candidates: [{}, {}], unknown: [] });
      return gateway.completion.calls.findLast(([name]) => name === 'explainRoute')?.[1];
    };
    expect(await explained()).toMatchObject({ input: { model: asked, embedding: undefined } });
    const vectors = model({ name: 'vectors', kind: 'MODEL_KIND_EMBEDDING' });
    gateway.routing.handlers.listModels = async () => ({ models: [model(), vectors] });
    const embedding = expect.anything() as unknown;
    expect(await explained()).toMatchObject({ input: { model: asked, embedding } });
    // Without the catalogue the rest is told all the same.
    gateway.routing.handlers.listModels = refusing('SERVICE_UNAVAILABLE');
    expect(await explained()).toMatchObject({ input: { model: asked, embedding: undefined } });
  },
);

test('what cannot be read now is said, and the rest of the story is told', async () => {
  gateway.identity.handlers.getApiKey = notFound;
  gateway.completion.handlers.explainRoute = refusing('SERVICE_UNAVAILABLE');
  const told = await conditions();
  expect(told).toMatchObject({ account: { id: 'acc_7' }, key: null, candidates: null });
  expect(told.unknown).toMatchObject([
    { about: 'key', reason: 'It was revoked.' },
    { about: 'candidates' },
  ]);
  gateway.billing.handlers.getKeyBudgets = refusing('VALIDATION_ERROR');
  gateway.identity.handlers.getApiKey = key7;
  const withoutSpend = await conditions();
  expect(withoutSpend).toMatchObject({ account: { id: 'acc_7' }, key: { spend: null } });
  expect(withoutSpend.unknown).toMatchObject([{ about: 'candidates' }]);
  gateway.identity.handlers.getAccount = refusing('SERVICE_UNAVAILABLE');
  expect(await conditions()).toMatchObject({ account: null, limits: null, candidates: null });
});

test('the story of a refused request stands at the same address, with what would decide now', async () => {
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: {
      requestId: 'req_7',
      accountId: 'acc_7',
      keyId: 'key_7',
      gatewayId: 'gtw_1',
      at: NOW,
      errorCode: 'NOT_FOUND',
      message: 'This model does not exist.',
      requestedModel: 'auto',
    },
  });
  expect(await story()).toMatchObject({
    id: 'req_7',
    status: 'refused',
    error_code: 'NOT_FOUND',
    requested_model: 'auto',
    message: 'This model does not exist.',
    param: null,
    now: { account: { name: 'Acme' }, key: { name: 'ci' }, candidates: [{}, {}] },
  });
  const ask = () => gateway.send('GET', '/v1/requests/req_7', { key });
  expect((await ask()).status).toBe(404);
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: {
      requestId: 'req_7',
      accountId: 'acc_1',
      keyId: 'key_7',
      gatewayId: 'gtw_1',
      at: NOW,
      errorCode: 'NOT_FOUND',
      message: 'This model does not exist.',
      requestedModel: 'auto',
    },
  });
  const own = await ask();
  expect(own.json.data).toEqual({
    id: 'req_7',
    status: 'refused',
    address: null,
    key_id: 'key_7',
    error_code: 'NOT_FOUND',
    at: NOW,
    message: 'This model does not exist.',
    param: null,
    requested_model: 'auto',
    bearer: null,
  });
  expect(gateway.stats.calls.at(-1)).toMatchObject([
    'getRefusal',
    { requestId: 'req_7', accountId: 'acc_1' },
  ]);
  for (const id of ['chatcmpl-req_7', 'resp_req_7', 'msg_req_7']) {
    const byBody = await gateway.send('GET', `/v1/requests/${id}`, { key });
    expect(byBody.json.data).toMatchObject({ id: 'req_7' });
  }
  gateway.billing.handlers.getReceipt = refusing('SERVICE_UNAVAILABLE');
  const away = await gateway.send('GET', '/v1/admin/requests/req_7', { key });
  expect(away.status).toBe(503);
});

const delivery = {
  id: 'dlv_1',
  endpointId: 'whk_1',
  eventId: 'evt_1',
  eventType: 'balance.low',
  sequence: '3',
  status: 'DELIVERY_STATUS_SUCCEEDED' as const,
  attempts: 1,
  createdAt: NOW,
  deliveredAt: NOW,
};

test('the story has the webhooks that the account was sent meanwhile', async () => {
  const asked: unknown[] = [];
  gateway.webhook.handlers.listAccountDeliveries = async (request) => {
    asked.push(request);
    return { deliveries: [delivery] };
  };
  expect((await story()).deliveries).toMatchObject([
    { id: 'dlv_1', event_type: 'balance.low', status: 'succeeded', attempts: 1 },
  ]);
  expect(asked).toEqual([
    {
      accountId: 'acc_7',
      limit: 20,
      start: '2026-02-03T09:59:00.000Z',
      end: '2026-02-03T10:05:00.000Z',
    },
  ]);
  gateway.webhook.handlers.listAccountDeliveries = refusing('SERVICE_UNAVAILABLE');
  expect(await story()).toMatchObject({ id: 'req_7', deliveries: null });
});

test('a request that was refused with 401 says which key it was, as far as one is known', async () => {
  const at = { requestId: 'req_7', gatewayId: 'gtw_1', at: NOW };
  const refusal = { ...at, errorCode: 'UNAUTHORIZED', message: 'No valid API key.' };
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: { ...refusal, bearer: { fault: 'unknown', presented: 'sk-…' } },
  });
  expect(await story()).toMatchObject({
    status: 'refused',
    account_id: null,
    key_id: null,
    now: null,
    deliveries: [],
    bearer: { fault: 'unknown', presented: 'sk-…' },
  });
  // Of a mistyped key only its public part is known; the operator is told whose key it resembles.
  const publicId = 'z40p5szehe1shxet';
  const mistyped = { fault: 'malformed', presented: `tg_live_${publicId}…` };
  gateway.stats.handlers.getRefusal = async () => ({ refusal: { ...refusal, bearer: mistyped } });
  const resembles = { key_id: 'key_7', key_name: 'ci', account_id: 'acc_7', account_name: 'Acme' };
  expect(await story()).toMatchObject({ account_id: null, key_id: null, resembles });
  expect(gateway.identity.calls).toContainEqual([
    'getApiKey',
    expect.objectContaining({ publicId }),
  ]);
  const known = { accountId: 'acc_7', keyId: 'key_7' };
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: { ...refusal, ...known, bearer: { fault: 'expired', presented: 'tg_live_a…' } },
  });
  expect(await story()).toMatchObject({
    account_id: 'acc_7',
    key_id: 'key_7',
    bearer: { fault: 'expired' },
    now: { account: { name: 'Acme' }, key: { name: 'ci', status: 'active' } },
  });
});

test('a request to a path that is none says which, and whose key was sent with it', async () => {
  const path = '/v1/v1/chat/completions';
  const at = { requestId: 'req_7', gatewayId: 'gtw_1', at: NOW };
  const bearer = { fault: '', presented: 'tg_live_z40p5szehe1shxet…' };
  gateway.billing.handlers.getReceipt = notFound;
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: { ...at, errorCode: 'NOT_FOUND', message: 'Ask another.', path, bearer },
  });
  const resembles = { key_id: 'key_7', key_name: 'ci', account_id: 'acc_7', account_name: 'Acme' };
  const told = { path, message: 'Ask another.', bearer: null, account_id: null };
  expect(await story()).toMatchObject({ ...told, resembles });
});

test('a request that no channel could take says why of each, as it was then and as it is now', async () => {
  gateway.billing.handlers.getReceipt = notFound;
  const rejected = [
    { channelId: 'ch_1', model: 'small-chat', reason: 'cooling_down', retryAfterMs: 20_000 },
    { channelId: 'ch_2', model: 'small-chat', reason: 'failing' },
  ];
  gateway.stats.handlers.getRefusal = async () => ({
    refusal: {
      requestId: 'req_7',
      accountId: 'acc_7',
      keyId: 'key_7',
      gatewayId: 'gtw_1',
      at: NOW,
      errorCode: 'SERVICE_UNAVAILABLE',
      message: 'Not now.',
      address: '203.0.113.9',
      requestedModel: 'auto',
      rejected,
    },
  });
  expect(await story()).toMatchObject({
    address: '203.0.113.9',
    rejected: [
      {
        channel_id: 'ch_1',
        reason: 'cooling_down',
        until: new Date(Date.parse(NOW) + 20_000).toISOString(),
      },
      { channel_id: 'ch_2', model: 'small-chat', reason: 'failing', until: null },
    ],
    now: {
      candidates: [
        { eligible: true, rejected_then: 'cooling_down' },
        { eligible: false, channel: { id: 'ch_2' }, rejected_then: 'failing' },
      ],
    },
  });
});

test('where no channel can serve it, the story names those that are disabled, and why', async () => {
  gateway.completion.handlers.explainRoute = async () => ({ model: 'small-chat', candidates: [] });
  const models = [{ name: 'small-chat', upstreamName: 'up' }];
  const disabled = { status: 'CHANNEL_STATUS_AUTO_DISABLED' as const, models };
  const why = { disabledAt: NOW, disabledReason: 'The vendor refused the credential (401).' };
  gateway.routing.handlers.listChannels = async () => ({
    channels: [
      { id: 'ch_1', name: 'first', ...disabled, ...why },
      { id: 'ch_2', name: 'works', ...disabled, status: 'CHANNEL_STATUS_ENABLED' as const },
    ],
  });
  expect((await conditions()).disabled_channels).toEqual([
    {
      channel_id: 'ch_1',
      name: 'first',
      status: 'auto_disabled',
      disabled_at: NOW,
      disabled_reason: why.disabledReason,
    },
  ]);
});

describe('who switched off what refuses the request now', () => {
  const still = { reason: null, on_again: null };
  const entry = {
    id: 'aud_1',
    at: NOW,
    actorAccountId: 'acc_7',
    actorUserId: createId('user'),
    outcome: 'AUDIT_OUTCOME_SUCCEEDED' as const,
  };
  /** The log of one resource, newest first. */
  function keepLog(resourceId: string, entries: readonly Record<string, string>[]): void {
    const kept = entries.map((one, at) => ({ ...entry, ...one, id: `aud_${at}`, resourceId }));
    gateway.identity.handlers.listAuditEntries = async (asked) => ({
      entries: asked.resourceId === resourceId ? kept : [],
    });
    gateway.identity.handlers.getAuditEntry = async ({ id }) => ({
      entry: kept.find((one) => one.id === id) ?? null,
    });
    gateway.identity.handlers.getUser = async () => ({ user: { email: 'ann@acme.example' } });
  }

  test('a key that was revoked has its name from the log, and who did it', async () => {
    gateway.identity.handlers.getApiKey = notFound;
    keepLog('key_7', [
      { operation: 'DELETE /v1/keys/{id}', beforeJson: '{"name":"gone"}' },
      { operation: 'PATCH /v1/keys/{id}', requestJson: '{"status":"disabled"}' },
    ]);
    const gone = { type: 'key', id: 'key_7', name: 'gone', change: 'revoked' };
    expect((await conditions()).switched_off).toEqual([
      { ...gone, at: NOW, by: 'ann@acme.example', audit_entry_id: 'aud_0', ...still },
    ]);
  });

  test('a key that was disabled, by the write that did it and not by those after it', async () => {
    const { apiKey } = await key7();
    gateway.identity.handlers.getApiKey = async () => ({
      apiKey: { ...apiKey, status: 'API_KEY_STATUS_DISABLED' as const },
    });
    keepLog('key_7', [
      { operation: 'PATCH /v1/keys/{id}', requestJson: '{"name":"ci"}' },
      { operation: 'PATCH /v1/keys/{id}', requestJson: '{"status":"disabled"}' },
    ]);
    expect((await conditions()).switched_off).toMatchObject([
      { name: 'ci', change: 'disabled', audit_entry_id: 'aud_1' },
    ]);
  });

  test('who made the key, where that person is disabled and the key is not', async () => {
    const createdBy = createId('user');
    const { apiKey } = await key7();
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: { ...apiKey, createdBy } });
    gateway.billing.handlers.getReceipt = notFound;
    const refusal = { requestId: 'req_7', accountId: 'acc_7', keyId: 'key_7', at: NOW };
    const told = { gatewayId: 'gtw_1', errorCode: 'UNAUTHORIZED', message: 'No valid API key.' };
    gateway.stats.handlers.getRefusal = async () => ({ refusal: { ...refusal, ...told } });
    keepLog(createdBy, [{ operation: 'POST /v1/admin/users/{id}/disable' }]);
    const mel = { id: createdBy, email: 'mel@acme.example' };
    const status = 'USER_STATUS_DISABLED' as const;
    gateway.identity.handlers.getUser = async ({ userId }) => ({
      user: userId === createdBy ? { ...mel, status } : { email: 'ann@acme.example' },
    });
    const off = { type: 'user', id: createdBy, name: 'mel@acme.example', change: 'disabled' };
    expect((await conditions()).switched_off).toEqual([
      { ...off, at: NOW, by: 'ann@acme.example', audit_entry_id: 'aud_0', ...still },
    ]);
    gateway.identity.handlers.getUser = notFound;
    expect(await conditions()).toMatchObject({ switched_off: [], unknown: [] });
  });

  test('a key that was rotated, where another secret than its own came', async () => {
    gateway.billing.handlers.getReceipt = notFound;
    const refusal = { requestId: 'req_7', accountId: 'acc_7', keyId: 'key_7', at: NOW };
    const told = { gatewayId: 'gtw_1', errorCode: 'UNAUTHORIZED', message: 'No valid API key.' };
    const bearer = { fault: 'wrong_secret', presented: '' };
    gateway.stats.handlers.getRefusal = async () => ({ refusal: { ...refusal, ...told, bearer } });
    keepLog('key_7', [{ operation: 'POST /v1/keys/{id}/rotate' }]);
    expect((await conditions()).switched_off).toMatchObject([{ name: 'ci', change: 'rotated' }]);
  });

  test('whose session it was, with the account, where that person is disabled', async () => {
    const userId = createId('user');
    gateway.billing.handlers.getReceipt = notFound;
    const refusal = { requestId: 'req_7', at: NOW, gatewayId: 'gtw_1', message: 'No valid key.' };
    const bearer = { fault: 'session', presented: userId };
    gateway.stats.handlers.getRefusal = async () => ({
      refusal: { ...refusal, errorCode: 'UNAUTHORIZED', bearer },
    });
    keepLog(userId, [{ operation: 'POST /v1/admin/users/{id}/disable' }]);
    const mel = { id: userId, email: 'mel@acme.example', accountId: 'acc_7' };
    const status = 'USER_STATUS_DISABLED' as const;
    gateway.identity.handlers.getUser = async (asked) => ({
      user: asked.userId === userId ? { ...mel, status } : { email: 'ann@acme.example' },
    });
    expect(await story()).toMatchObject({
      account_id: 'acc_7',
      now: {
        account: { name: 'Acme' },
        switched_off: [{ type: 'user', name: 'mel@acme.example', by: 'ann@acme.example', at: NOW }],
      },
    });
    // Who is unknown to identity is known by the id alone.
    gateway.identity.handlers.getUser = notFound;
    expect(await story()).toMatchObject({ account_id: null, now: null, bearer });
  });

  test('a channel that a person disabled, where none is left', async () => {
    gateway.completion.handlers.explainRoute = async () => ({ model: 'auto', candidates: [] });
    const models = [{ name: 'small-chat', upstreamName: 'up' }];
    const status = 'CHANNEL_STATUS_DISABLED' as const;
    gateway.routing.handlers.listChannels = async () => ({
      channels: [{ id: 'ch_1', name: 'first', status, models }],
    });
    keepLog('ch_1', [
      { operation: 'PATCH /v1/admin/channels/{id}', requestJson: '{"status":"disabled"}' },
    ]);
    expect((await conditions()).switched_off).toMatchObject([
      { type: 'channel', name: 'first', change: 'disabled', by: 'ann@acme.example' },
    ]);
  });

  describe('what is on again since', () => {
    const [BEFORE, OFF, REFUSED, ON, LATER] = [0, 60, 90, 120, 180].map((second) =>
      new Date(Date.parse(NOW) + second * 1000).toISOString(),
    );
    const [off, on] = [
      { requestJson: '{"status":"suspended"}' },
      { requestJson: '{"status":"active"}' },
    ];
    /** The log of one resource, between two times; entries have what a case says, by any name. */
    function keepWrites(resourceId: string, writes: readonly Record<string, string | undefined>[]) {
      const operation = 'PATCH /v1/admin/accounts/{id}';
      const kept = writes.map((one, at) => ({ ...entry, operation, ...one, id: `aud_${at}` }));
      gateway.identity.handlers.listAuditEntries = async (asked) => ({
        entries: kept
          .filter(({ at = '' }) => at >= (asked.start ?? '') && (!asked.end || at < asked.end))
          .filter(() => asked.resourceId === resourceId)
          .reverse() as never,
      });
      gateway.identity.handlers.getAuditEntry = async ({ id }) => ({
        entry: (kept.find((one) => one.id === id) ?? null) as never,
      });
      gateway.identity.handlers.getUser = async () => ({ user: { email: 'ann@acme.example' } });
    }
    function refuse(errorCode: string, more: object = {}): void {
      gateway.billing.handlers.getReceipt = notFound;
      const refusal = {
        requestId: 'req_7',
        accountId: 'acc_7',
        keyId: 'key_7',
        gatewayId: 'gtw_1',
      };
      gateway.stats.handlers.getRefusal = async () => ({
        refusal: { ...refusal, errorCode, message: 'No.', at: REFUSED ?? '', ...more },
      });
    }

    test('a suspended account has who suspended it, and who resumed it first', async () => {
      refuse('FORBIDDEN');
      const writes = [
        { ...on, at: BEFORE },
        { ...off, at: OFF },
        { requestJson: '{}', at: OFF },
      ];
      keepWrites('acc_7', [...writes, { ...on, at: ON }, { ...off, at: LATER }]);
      const by = 'ann@acme.example';
      expect((await conditions()).switched_off).toMatchObject([
        { type: 'account', change: 'suspended', at: OFF, by, on_again: { at: ON, by } },
      ]);
      // What was on again long before the request did not refuse it.
      keepWrites('acc_7', [
        { ...off, at: BEFORE },
        { ...on, at: OFF },
        { ...off, at: ON },
      ]);
      expect((await conditions()).switched_off).toEqual([]);
    });

    test('so has who made the key, while that person was disabled', async () => {
      const createdBy = createId('user');
      const { apiKey } = await key7();
      gateway.identity.handlers.getApiKey = async () => ({ apiKey: { ...apiKey, createdBy } });
      const done = [['disable', OFF] as const, ['enable', ON] as const];
      const writes = done.map(([op, at]) => ({ operation: `POST /v1/admin/users/{id}/${op}`, at }));
      keepWrites(createdBy, writes);
      const status = 'USER_STATUS_ACTIVE' as const;
      const user = { id: createdBy, email: 'mel@acme.example', status };
      gateway.identity.handlers.getUser = async () => ({ user });
      refuse('UNAUTHORIZED');
      const off = { type: 'user', name: user.email, at: OFF, on_again: { at: ON } };
      expect((await conditions()).switched_off).toMatchObject([off]);
    });

    test('so has a channel that was disabled while none other could serve it', async () => {
      const models = [{ name: 'small-chat', upstreamName: 'up' }];
      const status = 'CHANNEL_STATUS_ENABLED' as const;
      gateway.routing.handlers.listChannels = async () => ({
        channels: [{ id: 'ch_1', name: 'first', status, models }],
      });
      const operation = 'PATCH /v1/admin/channels/{id}';
      keepWrites('ch_1', [
        { operation, requestJson: '{"status":"disabled"}', at: OFF },
        { operation, requestJson: '{"status":"enabled"}', at: ON },
      ]);
      refuse('SERVICE_UNAVAILABLE', { requestedModel: 'small-chat' });
      expect((await conditions()).switched_off).toMatchObject([
        { type: 'channel', name: 'first', change: 'disabled', at: OFF, on_again: { at: ON } },
      ]);
      // There was one, which could not take it: that it was disabled is not why.
      const rejected = [{ channelId: 'ch_1', model: 'small-chat', reason: 'busy' }];
      refuse('SERVICE_UNAVAILABLE', { requestedModel: 'small-chat', rejected });
      expect((await conditions()).switched_off).toEqual([]);
    });
  });

  test('nothing is looked up where nothing is off', async () => {
    expect((await conditions()).switched_off).toEqual([]);
    expect(gateway.identity.calls.map(([method]) => method)).not.toContain('listAuditEntries');
  });
});
