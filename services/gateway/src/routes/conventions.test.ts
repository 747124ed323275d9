import { toIsoTime } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { createFakeClock } from '@tollgate/testkit';
import { keyText, refusing } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';

const key = keyText(1);
const ORIGIN = 'https://app.example';
let gateway: GatewayUnderTest;

beforeEach(async () => {
  gateway = await startGateway({
    environment: {
      TOLLGATE_CORS_ORIGINS: ORIGIN,
      TOLLGATE_TRUSTED_PROXIES: '127.0.0.0/8',
      TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '3',
      TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '5',
    },
  });
  gateway.principals.set(key, {});
});
afterEach(() => gateway.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.send('GET', path, { key, headers });

describe('Idempotency-Key', () => {
  const create = (headers: Record<string, string>, body: unknown = { name: 'ci' }) =>
    gateway.send('POST', '/v1/keys', { key, body, headers });
  const apiKey = {
    id: 'key_7',
    createdAt: '2026-02-03T10:00:00Z',
  };

  test('travels with a digest of the body that does not depend on the order of members', async () => {
    gateway.identity.handlers.createApiKey = async () => ({ apiKey, secret: 'once' });
    const body = { name: 'ci', scopes: ['keys'] };
    await create({ 'idempotency-key': 'a' }, body);
    await create({ 'idempotency-key': 'a' }, { scopes: ['keys'], name: 'ci' });
    await create({ 'idempotency-key': 'a' }, { ...body, name: 'cd' });
    await create({});
    const sent = gateway.identity.calls
      .filter(([method]) => method === 'createApiKey')
      .map(
        ([, request]) =>
          (request as { idempotency: { key: string; bodyDigest: string } }).idempotency,
      );
    expect(sent.map((each) => each.key)).toEqual(['a', 'a', 'a', '']);
    expect(sent[0]?.bodyDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(sent[1]?.bodyDigest).toBe(sent[0]?.bodyDigest);
    expect(sent[2]?.bodyDigest).not.toBe(sent[0]?.bodyDigest);
  });

  test('a replayed creation says so and shows the secret no second time', async () => {
    gateway.identity.handlers.createApiKey = async () => ({ apiKey, secret: 'once' });
    const first = await create({ 'idempotency-key': 'a' });
    expect(first.json.data?.key).toBe('once');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(first.json.message).toBeNull();
    gateway.identity.handlers.createApiKey = async () => ({ apiKey, replayed: true });
    const second = await create({ 'idempotency-key': 'a' });
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.json.data).not.toHaveProperty('key');
    expect(second.json.message).toMatch(/the API key: shown once.* rotate it, or delete it/);
  });

  test.each([' ', 'with space', 'x'.repeat(256), 'k\u00e9y'])('%j is refused', async (value) => {
    const received = await create({ 'idempotency-key': Buffer.from(value).toString('latin1') });
    expect(received.status).toBe(400);
    expect(received.json.error?.param).toBe('Idempotency-Key');
  });

  test('is required where money is granted', async () => {
    gateway.principals.set(key, { operator: true, scopes: ['admin'] });
    const received = await gateway.send('POST', '/v1/admin/accounts/acc_7/credits', {
      key,
      body: { amount: '1.00' },
    });
    expect(received.json.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      param: 'Idempotency-Key',
    });
  });
});

describe('the budget of a key', () => {
  const record = { id: 'key_7', createdAt: '2026-02-03T10:00:00Z', maxBudget: '5000000000' };
  const read = async () => (await get('/v1/keys/key_7')).json.data;

  test('of which nothing is spent shows nothing spent, from its creation on', async () => {
    gateway.identity.handlers.createApiKey = async () => ({ apiKey: record, secret: 'once' });
    const body = { name: 'ci', max_budget: '5.00' };
    const made = await gateway.send('POST', '/v1/keys', { key, body });
    expect(made.json.data).toMatchObject({ spend: '0.00', budget_resets_at: null });
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: record });
    gateway.billing.handlers.getKeyBudgets = async () => ({ budgets: [] });
    expect(await read()).toMatchObject({ spend: '0.00', budget_resets_at: null });
  });

  test('is not needed to know what the key spent', async () => {
    const { maxBudget: _, ...free } = record;
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: free });
    gateway.billing.handlers.getKeyBudgets = async () => ({
      spends: [{ keyId: 'key_7', spent: '1500000000' }],
    });
    expect(await read()).toMatchObject({ spend: '1.50', max_budget: null, status: 'active' });
    gateway.billing.handlers.getKeyBudgets = async () => ({ spends: [] });
    expect(await read()).toMatchObject({ spend: null });
  });

  test('with a period says when that ends, before anything is spent and while billing is away', async () => {
    const now = new Date(noonAfterTomorrow());
    const nextMonth = toIsoTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    await gateway.stop();
    gateway = await startGateway({ clock: createFakeClock(now.getTime()) });
    gateway.principals.set(key, {});
    const monthly = { ...record, budgetPeriod: 'BUDGET_PERIOD_MONTH' } as const;
    gateway.identity.handlers.createApiKey = async () => ({ apiKey: monthly, secret: 'once' });
    const body = { name: 'ci', max_budget: '5.00', budget_period: 'month' };
    const made = await gateway.send('POST', '/v1/keys', { key, body });
    expect(made.json.data?.budget_resets_at).toBe('2026-03-01T00:00:00.000Z');
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: monthly });
    gateway.billing.handlers.getKeyBudgets = async () => ({ budgets: [] });
    expect(await read()).toMatchObject({ budget_resets_at: nextMonth });
    gateway.billing.handlers.getKeyBudgets = refusing('SERVICE_UNAVAILABLE');
    expect(await read()).toMatchObject({ spend: null, budget_resets_at: nextMonth });
  });

  test('is unknown while billing is away, and absent without a limit', async () => {
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: record });
    gateway.billing.handlers.getKeyBudgets = refusing('SERVICE_UNAVAILABLE');
    expect(await read()).toMatchObject({ max_budget: '5.00', spend: null });
    const { maxBudget: _none, ...unbounded } = record;
    gateway.identity.handlers.getApiKey = async () => ({ apiKey: unbounded });
    expect(await read()).toMatchObject({ max_budget: null, spend: null });
  });
});

describe('pages', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['cursor=', 'cursor'],
  ])('%s is refused', async (query, param) => {
    const received = await get(`/v1/keys?${query}`);
    expect(received.status).toBe(400);
    expect(received.json.error?.param).toBe(param);
  });

  test('a list says whether there is more', async () => {
    gateway.identity.handlers.listApiKeys = async () => ({ apiKeys: [], nextCursor: 'more' });
    expect((await get('/v1/keys?limit=200&cursor=here')).json.data).toEqual({
      items: [],
      next_cursor: 'more',
      has_more: true,
    });
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({ limit: 200, cursor: 'here' });
    gateway.identity.handlers.listApiKeys = async () => ({ apiKeys: [] });
    expect((await get('/v1/keys')).json.data).toMatchObject({ next_cursor: null, has_more: false });
  });

  test.each([
    ['the ledger', '/v1/billing/ledger', 'searchLedger', '7', { beforeSeq: '7' }],
    ['requests', '/v1/requests', 'searchCharges', 'req_7', { beforeRequestId: 'req_7' }],
  ] as const)('%s go on where the page before ended', async (_name, path, rpc, next, asked) => {
    const { handlers } = gateway.billing;
    handlers.searchLedger = async () => ({ nextBeforeSeq: next });
    handlers.searchCharges = async () => ({ nextBeforeRequestId: next });
    const first = (await get(`${path}?limit=2`)).json.data;
    expect(first).toMatchObject({ items: [], has_more: true });
    handlers.searchLedger = async () => ({});
    handlers.searchCharges = async () => ({});
    const rest = await get(`${path}?limit=2&cursor=${String(first?.next_cursor)}`);
    expect(rest.json.data).toEqual({ items: [], next_cursor: null, has_more: false });
    const [, request] = gateway.billing.calls.findLast(([method]) => method === rpc) ?? [];
    expect(request).toMatchObject({ limit: 2, ...asked });
    expect((await get(`${path}?cursor=made-up`)).json.error?.param).toBe('cursor');
    const span = 'start=2026-02-03T10:00:00Z&end=2026-02-03T10:00:00Z';
    expect((await get(`${path}?${span}`)).json.error?.param).toBe('end');
  });

  test('an audit whose time was over says so, and goes on where it ended', async () => {
    gateway.principals.set(key, { operator: true, scopes: ['admin'] });
    const audit = (query: string) => get(`/v1/admin/audit${query}`);
    const checkedAt = '2026-02-03T10:00:00.000Z';
    gateway.billing.handlers.audit = async ({ cursor }) =>
      cursor === '' ? { checkedAt, partial: true, nextCursor: 'acc_9' } : { checkedAt };
    const { data } = (await audit('?fresh=true')).json;
    expect(data).toMatchObject({ complete: false, accounts_checked: 0 });
    const rest = await audit(`?cursor=${String(data?.next_cursor)}`);
    expect(rest.json.data).toMatchObject({ complete: true, next_cursor: null });
    expect(gateway.billing.calls.at(-1)?.[1]).toMatchObject({ cursor: 'acc_9' });
    for (const [query, param] of [
      ['?cursor=made-up', 'cursor'],
      ['?fresh=yes', 'fresh'],
    ] as const) {
      expect((await audit(query)).json.error?.param).toBe(param);
    }
  });
});

describe('an amount that is not a decimal string', () => {
  const post = (path: string, body: unknown) =>
    gateway.send('POST', path, {
      key,
      body,
      headers: { 'idempotency-key': 'one' },
    });
  const CREDITS = '/v1/admin/accounts/acc_7/credits';

  beforeEach(() => void gateway.principals.set(key, { operator: true, scopes: ['admin', 'keys'] }));

  const odd = ['1e5', 'NaN', 'Infinity', '', ' 1.00', '1,00', '+1', '.5', '1.', '0x10', '١'];

  test.each(odd)(
    '%j as credit is refused with the member and the form it takes',
    async (amount) => {
      const received = await post(CREDITS, { amount });
      expect(received.status).toBe(400);
      expect(received.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'amount' });
      expect(received.json.error?.message).toContain('must be a decimal string such as "10.00"');
    },
  );

  test.each(['1e5', 'NaN'])('%j as the budget of a key too', async (budget) => {
    const received = await post('/v1/keys', { name: 'ci', max_budget: budget });
    expect(received.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'max_budget' });
    expect(received.json.error?.message).toContain('must be a decimal string such as "10.00"');
  });

  test('says of nothing and of less than nothing that it must be more', async () => {
    for (const amount of ['0', '0.00', '-0.00']) {
      const received = await post(CREDITS, { amount });
      expect(received.json.error?.param).toBe('amount');
      expect(received.json.error?.message).toContain('must be more than 0');
    }
  });
});

describe('statistics', () => {
  const metrics = {
    requests: '3',
    spend: '1500000000',
    latencyMs: { p50: 1, p95: 2, p99: 3 },
    cacheWriteTokens: '4',
    reasoningTokens: '5',
    promptAudioTokens: '6',
    completionAudioTokens: '7',
    timedOutRequests: 8,
    invalidRequests: 9,
  };

  test('come as CSV when asked for, and no name in them is a formula', async () => {
    gateway.stats.handlers.queryUsage = async () => ({
      results: [
        {
          bucket: '2026-02-03T10:00:00.000Z',
          group: [{ dimension: 'DIMENSION_MODEL', value: '=HYPERLINK("x")' }],
          metrics,
        },
      ],
      totals: metrics,
    });
    const received = await get('/v1/stats?format=csv&group_by=model');
    expect(received.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(received.text.split('\r\n')[1]).toBe(
      '2026-02-03T10:00:00.000Z,"\'=HYPERLINK(""x"")",3,0,0,0,0,0,0,0,1.50,1,2,3,,,,4,5,0,6,7,8,9',
    );
  });

  test.each([
    'group_by=channel',
    'group_by=account',
    'account_id=acc_9',
    'account_id=acc_1,acc_9',
    'account_id=all',
  ])('%s is for operators only', async (query) => {
    expect((await get(`/v1/stats?${query}`)).status).toBe(403);
  });

  test('are asked of at most 50 accounts at once', async () => {
    gateway.principals.set(key, { operator: true, scopes: ['admin', 'stats'] });
    gateway.stats.handlers.queryUsage = async () => ({ results: [], totals: metrics });
    const ofAccounts = (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `acc_${index}`);
      return get(`/v1/stats?account_id=${ids.join(',')}`);
    };
    expect((await ofAccounts(50)).status).toBe(200);
    const refused = await ofAccounts(51);
    expect(refused.json.error).toMatchObject({ code: 'VALIDATION_ERROR', param: 'account_id' });
  });
});

describe('throttles', () => {
  test('logins from one network are bounded', async () => {
    gateway.identity.handlers.login = refusing('INVALID_CREDENTIALS');
    const body = { email: 'a@example.com', password: 'placeholder' };
    const login = (address: string) =>
      gateway.send('POST', '/v1/users/login', {
        body,
        headers: { 'x-forwarded-for': address },
      });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const received = await login(`2001:db8:0:1::${attempt + 1}`);
      expect(received.json.error?.code).toBe('INVALID_CREDENTIALS');
    }
    const refused = await login('2001:db8:0:1::9');
    expect(refused.json.error?.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await login('2001:db8:0:2::1')).json.error?.code).toBe('INVALID_CREDENTIALS');
  });

  test('codes are tried by account: neither others nor logins of its network suffer', async () => {
    const other = keyText(2);
    for (const [tried, accountId] of [
      [key, 'acc_1'],
      [other, 'acc_2'],
    ] as const) {
      gateway.principals.set(tried, { accountId, scopes: ['billing'] });
    }
    gateway.billing.handlers.redeemCode = refusing('NOT_FOUND');
    const redeem = async (as: string) => {
      const body = { code: 'TG-0000-0000-0000-0000-0000' };
      const headers = { 'idempotency-key': 'a' };
      const sent = { key: as, body, headers };
      return (await gateway.send('POST', '/v1/account/redeem', sent)).status;
    };
    expect([await redeem(key), await redeem(key), await redeem(key)]).toEqual([404, 404, 404]);
    expect([await redeem(key), await redeem(other)]).toEqual([429, 404]);
    gateway.identity.handlers.login = refusing('INVALID_CREDENTIALS');
    const body = { email: 'a@example.com', password: 'placeholder' };
    const login = await gateway.send('POST', '/v1/users/login', { body });
    expect(login.json.error?.code).toBe('INVALID_CREDENTIALS');
  });

  test('prompts are counted within the plan’s requests per minute', async () => {
    gateway.principals.set(key, { requestsPerMinute: 2 });
    gateway.completion.handlers.countTokens = async () => ({ promptTokens: 8 });
    const body = { model: 'small-chat', messages: [{ role: 'user', content: 'x' }] };
    const count = async () => {
      const path = '/v1/messages/count_tokens';
      const { headers, status } = await gateway.send('POST', path, { key, body });
      return [status, headers.get('x-ratelimit-remaining-requests')];
    };
    expect(await count()).toEqual([200, '1']);
    expect(await count()).toEqual([200, '0']);
    expect(await count()).toEqual([429, '0']);
  });

  test('management calls have a limit of their own', async () => {
    for (let call = 0; call < 5; call += 1) expect((await get('/v1/models')).status).toBe(200);
    expect((await get('/v1/models')).status).toBe(429);
  });
});

describe('browsers', () => {
  test('only configured origins may read answers', async () => {
    const allowed = await get('/v1/models', { origin: ORIGIN });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const other = await get('/v1/models', { origin: 'https://evil.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await gateway.send('OPTIONS', '/v1/chat/completions', {
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
  });

  test.each([
    ['/v1/chat/completions', 'authorization', 'x-stainless-lang', 'x-stainless-retry-count'],
    ['/v1/messages', 'x-api-key', 'anthropic-version', 'anthropic-dangerous-direct-browser-access'],
    ['/v1/keys', 'authorization', 'idempotency-key', 'x-request-id'],
  ])('an allowed origin calls %s with the headers of any client library', async (path, ...sent) => {
    const preflight = await gateway.send('OPTIONS', path, {
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': ['content-type', ...sent].sort().join(','),
      },
    });
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').split(', ');
    // As the standard of browsers has it; with credentials `*` would be a name like any other.
    const isAllowed = (name: string) =>
      name === 'authorization' ? allowed.includes('Authorization') : allowed.includes('*');
    expect(sent.filter((name) => !isAllowed(name))).toEqual([]);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflight.headers.get('access-control-expose-headers')).toBe('*');
  });

  test('a session may keep its refresh token in a cookie that no script and no other site reads', async () => {
    const session = { accessToken: 'a', expiresInSeconds: 900, refreshToken: 'tg_refresh_r' };
    const people = { user: { userId: 'usr_1', role: 'owner' }, account: { accountId: 'acc_1' } };
    const answer = async () => ({ session: { ...session, ...people } });
    Object.assign(gateway.identity.handlers, {
      login: answer,
      refreshSession: answer,
      exchangeOAuthCode: answer,
      logout: async () => ({}),
    });
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      gateway.send('POST', path, { body: { cookie: true, ...body }, headers });
    const attributes = 'Path=/v1/users; HttpOnly; SameSite=Strict';

    const opened = [
      await post('/v1/users/login', { email: 'a@example.com', password: 'placeholder' }),
      await post('/v1/oauth/token', { code: 'c' }),
      await post('/v1/users/refresh', {}, { cookie: 'tollgate_session=tg_refresh_q; other=1' }),
    ];
    for (const { status, json, headers } of opened) {
      expect([status, json.data?.refresh_token]).toEqual([200, undefined]);
      expect(headers.get('set-cookie')).toBe(
        `tollgate_session=tg_refresh_r; ${attributes}; Secure`,
      );
    }
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({
      refreshToken: 'tg_refresh_q',
      cookie: true,
    });
    expect((await post('/v1/users/refresh', {})).status).toBe(401);

    const ended = await post(
      '/v1/users/logout',
      {},
      { cookie: 'tollgate_session=tg_refresh_r', origin: 'http://127.0.0.1:8080' },
    );
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({ refreshToken: 'tg_refresh_r' });
    expect(ended.headers.get('set-cookie')).toBe(`tollgate_session=; ${attributes}; Max-Age=0`);
  });

  test('an access token that is over keeps nobody from ending the session by its refresh token', async () => {
    gateway.identity.handlers.logout = async () => ({});
    const logOut = (body: object) =>
      gateway.send('POST', '/v1/users/logout', { key: 'eyJ.over.sig', body });
    expect((await logOut({ refresh_token: 'tg_refresh_r' })).status).toBe(200);
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({ refreshToken: 'tg_refresh_r' });
    expect((await logOut({})).status).toBe(401);
  });

  test('a refresh token that is nowhere is asked for by its name', async () => {
    const cookie = 'tollgate_session=tg_refresh_q';
    const refused = await gateway.send('POST', '/v1/users/refresh', {
      body: {},
      headers: { cookie },
    });
    expect([refused.status, refused.json.error?.param]).toEqual([400, 'refresh_token']);
  });

  test('a sign-in elsewhere is bound to the browser that began it', async () => {
    gateway.identity.handlers.startOAuth = async () => ({
      authorizationUrl: 'https://provider.example/authorize',
      state: 's',
    });
    gateway.identity.handlers.completeOAuth = async () => ({
      oneTimeCode: 'once',
      redirectTo: '/console/keys',
    });
    const html = {
      accept: 'text/html',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    };
    const start = await get('/v1/oauth/login?provider=sso', html);
    expect(start.status).toBe(302);
    expect(start.headers.get('location')).toBe('https://provider.example/authorize');
    const cookie = start.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax; Secure$/);
    const binding = /tollgate_oauth=([\w-]+)/.exec(cookie)?.[1];
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({
      browserBinding: binding,
      callbackUrl: 'https://gate.example/v1/oauth/callback',
    });
    const back = await get('/v1/oauth/callback?state=s&code=c', {
      ...html,
      cookie: `other=1; tollgate_oauth=${binding}`,
    });
    expect(back.status).toBe(302);
    expect(back.headers.get('location')).toBe('https://gate.example/console/keys?code=once');
    expect(gateway.identity.calls.at(-1)?.[1]).toMatchObject({
      browserBinding: binding,
      callbackUrl: 'https://gate.example/v1/oauth/callback?state=s&code=c',
      wantCode: true,
    });
  });
});

test('a route is explained without its channel and figures to anyone but operators', async () => {
  gateway.completion.handlers.explainRoute = async () => ({
    model: 'small-chat',
    candidates: [
      {
        rank: 1,
        model: 'small-chat',
        eligible: true,
        reasons: ['lowest price for this request'],
        channelId: 'chn_1',
        channelName: 'first',
        estimatedAmount: 5000n,
        figures: {
          priority: 0,
          weight: 999,
          firstTokenMs: 120,
          tokensPerSecond: undefined,
          expectedMs: undefined,
          successRate: 0.5,
          calls: 4,
        },
      },
    ],
  });
  const body = { model: 'auto', messages: [{ role: 'user', content: 'x' }], unknown: 1 };
  const explain = () => gateway.send('POST', '/v1/llm/route/explain', { key, body });
  const received = await explain();
  expect(received.json.data).toMatchObject({
    candidates: [{ channel: null, figures: null, estimated_amount: '0.000005' }],
  });
  const operator = keyText(2);
  gateway.principals.set(operator, { operator: true, scopes: ['completions', 'admin'] });
  const shown = await gateway.send('POST', '/v1/llm/route/explain', {
    key: operator,
    body,
  });
  expect(shown.json.data).toMatchObject({
    candidates: [
      {
        channel: { id: 'chn_1', name: 'first' },
        figures: {
          priority: 0,
          weight: 999,
          first_token_ms: 120,
          tokens_per_second: null,
          expected_ms: null,
          success_rate: 0.5,
          calls: 4,
        },
      },
    ],
  });
});

test('a count takes a message without max_tokens, and speaks its format', async () => {
  const path = '/v1/messages/count_tokens';
  const body = { model: 'small-chat', messages: [{ role: 'user', content: 'x' }] };
  gateway.completion.handlers.countTokens = async () => ({ promptTokens: 8 });
  const ask = (sent: object, headers: Record<string, string> = { 'x-api-key': key }) =>
    gateway.send('POST', `${path}?beta=true`, { body: sent, headers });
  const counted = await ask({ ...body, system: 'Be brief.' });
  expect([counted.status, counted.json]).toEqual([200, { input_tokens: 8 }]);
  expect(counted.headers.get('request-id')).toBe(counted.headers.get('x-request-id'));
  const [, asked] = gateway.completion.calls.at(-1) ?? [];
  const { input } = asked as completionV1.CountTokensRequest;
  expect(JSON.parse(String(input?.messages))).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'x' },
  ]);
  for (const [sent, param] of [
    [{ ...body, max_tokens: 1 }, 'max_tokens'],
    [{ ...body, messages: [] }, 'messages'],
  ] as const) {
    const { json, status } = await ask(sent);
    expect([status, json]).toMatchObject([
      400,
      { type: 'error', error: { type: 'invalid_request_error', param } },
    ]);
  }
  const { json, status } = await ask(body, {});
  expect([status, json.error]).toMatchObject([401, { type: 'authentication_error' }]);
});

test('what is measured has names of the closed table and no id in any label', async () => {
  await get('/v1/models/small-chat');
  await get('/v1/keys/key_secret_id');
  const text = await gateway.exposeMetrics();
  expect(text).toContain('tollgate_gateway_requests_total{route="/v1/models/{id}",status="2xx"} 1');
  expect(text).not.toContain('key_secret_id');
});

test('a body that no completion would take is refused alike where its route is explained', async () => {
  const paths = ['/v1/chat/completions', '/v1/llm/chat/completions', '/v1/llm/route/explain'];
  const messages = [{ role: 'user', content: [{ type: 'text', text: 1 }] }];
  const answers = await Promise.all(
    paths.map((path) => gateway.send('POST', path, { key, body: { model: 'auto', messages } })),
  );
  for (const { status, json } of answers) {
    expect([status, json]).toEqual([400, answers[0]?.json]);
  }
  expect(answers[0]?.json.error?.param).toBe('messages[0].content');
});
