import {
  addMember,
  createKey,
  type OpenedAccount,
  openAccount,
  type SignedIn,
} from '../support/accounts';
import { type Api, type ApiAnswer, createApi, toNano } from '../support/api';
import { eventually, eventuallyWithin, leaveMidnight } from '../support/eventually';
import { startTwoGateways, type TwoGateways } from '../topologies/two-gateways';

jest.setTimeout(120_000);

const MODEL = 'sim-small';
const OTHER_MODEL = 'sim-large';
/** Within this time every gateway refuses a key that was revoked anywhere. */
const REVOKED_WITHIN_MS = 1000;

let gateways: TwoGateways;
let account: OpenedAccount;
let owner: Api;

beforeAll(async () => {
  gateways = await startTwoGateways();
  account = await openAccount(gateways.first.api, { credit: '10.00' });
  owner = account.owner.api;
});

afterAll(async () => {
  expect(await gateways?.stop()).toEqual([0, 0]);
});

function complete(api: Api, over: Readonly<Record<string, unknown>> = {}): Promise<ApiAnswer> {
  const messages = [{ role: 'user', content: 'Hello' }];
  return api.request('POST', '/v1/chat/completions', {
    body: { model: MODEL, max_tokens: 4, messages, ...over },
  });
}

const codeOf = ({ status, body }: ApiAnswer) => [status, body?.error?.code];
const atSecond = (secret: string) => createApi(gateways.secondUrl, secret);

/** Asks for a moment that lies a little ahead. */
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Asks until the answer has the status, as every answer has that is asked for in a second. */
async function expectSoon(api: Api, path: string, status: number): Promise<void> {
  const ask = () => api.request('GET', path);
  await eventuallyWithin(REVOKED_WITHIN_MS, ask, (answer) => answer.status === status);
}

/** Requires that the secret works, unless its time was over before the answer came. */
async function expectWorksUntil(endMs: number, api: Api): Promise<void> {
  const { status } = await api.request('GET', '/v1/models');
  expect([200, ...(Date.now() < endMs ? [] : [401])]).toContain(status);
}

/** Waits until the secret is refused, which may not be before its time is over. */
async function expectEndsAt(endMs: number, api: Api): Promise<void> {
  await eventually(
    () => api.request('GET', '/v1/models'),
    ({ status }) => status === 401,
  );
  expect(Date.now()).toBeGreaterThanOrEqual(endMs);
}

describe('what a key may do', () => {
  const SCOPED = [
    ['models', '/v1/llm/models'],
    ['keys', '/v1/keys'],
    ['billing', '/v1/billing/balance'],
    ['stats', '/v1/stats'],
    ['webhooks', '/v1/webhooks'],
  ] as const;

  test.each(SCOPED)('with the scope %s it reads %s and nothing else', async (scope, path) => {
    const { api } = await createKey(owner, { scopes: [scope] });
    expect((await api.request('GET', path)).status).toBe(200);
    for (const [, other] of SCOPED.filter(([name]) => name !== scope)) {
      expect([other, ...codeOf(await api.request('GET', other))]).toEqual([
        other,
        403,
        'FORBIDDEN',
      ]);
    }
    expect(codeOf(await complete(api))).toEqual([403, 'FORBIDDEN']);
  });

  test('without scopes of its own it has all but admin', async () => {
    const key = await owner.post('/v1/keys', { name: 'default' });
    expect(key.scopes).toEqual(['completions', 'models', 'keys', 'billing', 'stats', 'webhooks']);
  });

  test('it makes no key with a scope that it lacks, by creation, change or rotation', async () => {
    const { api } = await createKey(owner, { scopes: ['keys', 'models'] });
    const wide = await createKey(owner, { scopes: ['keys', 'models', 'billing'] });
    const made = await api.request('POST', '/v1/keys', {
      body: { name: 'child', scopes: ['models', 'billing'] },
    });
    expect(codeOf(made)).toEqual([403, 'FORBIDDEN']);
    const narrow = await api.post('/v1/keys', { name: 'child', scopes: ['models'] });
    const changed = await api.request('PATCH', `/v1/keys/${String(narrow.id)}`, {
      body: { scopes: ['models', 'billing'] },
    });
    expect(codeOf(changed)).toEqual([403, 'FORBIDDEN']);
    const rotated = await api.request('POST', `/v1/keys/${wide.id}/rotate`, { body: {} });
    expect(codeOf(rotated)).toEqual([403, 'FORBIDDEN']);
    const inherited = await api.post('/v1/keys', { name: 'child' });
    expect(inherited.scopes).toEqual(['models', 'keys']);
  });

  test('nobody but an operator makes one with the scope admin, and nobody else uses it', async () => {
    const body = { name: 'admin', scopes: ['admin'] };
    expect(codeOf(await owner.request('POST', '/v1/keys', { body }))).toEqual([403, 'FORBIDDEN']);
    const operator = await createKey(gateways.first.api, { scopes: ['models'] });
    expect(codeOf(await operator.api.request('GET', '/v1/admin/channels'))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect(codeOf(await owner.request('GET', '/v1/admin/channels'))).toEqual([403, 'FORBIDDEN']);
  });

  test('a member sees and changes the keys that it made, and no others', async () => {
    const member: SignedIn = await addMember(owner, 'member');
    const theirs = await createKey(owner);
    const own = await createKey(member.api);
    const { items } = (await member.api.get('/v1/keys?limit=200')) as {
      readonly items: readonly { readonly id: string }[];
    };
    expect(items.map(({ id }) => id)).toEqual([own.id]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await member.api.request(method, `/v1/keys/${theirs.id}`);
      expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
    }
    expect((await owner.request('GET', `/v1/keys/${own.id}`)).status).toBe(200);
  });
});

describe('lists of what is allowed', () => {
  test('models: another one is 403, and is not listed', async () => {
    const { api } = await createKey(owner, { models: [MODEL] });
    expect((await complete(api)).status).toBe(200);
    const refused = await complete(api, { model: OTHER_MODEL });
    expect([...codeOf(refused), refused.body?.error?.param]).toEqual([403, 'FORBIDDEN', 'model']);
    const routed = await complete(api, { model: 'auto' });
    expect(routed.status).toBe(200);
    expect(JSON.parse(routed.text)).toMatchObject({ model: MODEL });
  });

  test('pools: a group is there for the accounts that were granted it', async () => {
    const operator = gateways.first.api;
    const { items } = (await operator.get('/v1/admin/channels')) as {
      readonly items: readonly { readonly id: string; readonly groups: readonly string[] }[];
    };
    const [channel] = items;
    await operator.put(`/v1/admin/channels/${channel?.id}`, { groups: ['batch'] });
    const ask = (pool: string) =>
      owner.request('POST', '/v1/keys', { body: { name: 'pooled', pools: [pool] } });
    const foreign = await ask('batch');
    expect([...codeOf(foreign), foreign.body?.error?.param]).toEqual([404, 'NOT_FOUND', 'pools']);
    expect(foreign.text).toBe((await ask('nowhere')).text);
    const grant = (groups: readonly string[]) =>
      operator.request('PATCH', `/v1/admin/accounts/${account.id}`, {
        body: { overrides: { groups } },
      });
    expect((await grant(['batch', 'interactive'])).body?.data).toMatchObject({
      overrides: { groups: ['batch', 'interactive'] },
    });
    expect(await operator.get(`/v1/admin/accounts/${account.id}`)).toMatchObject({
      overrides: { groups: ['batch', 'interactive'] },
    });
    const allowed = await createKey(owner, { pools: ['batch'] });
    const other = await createKey(owner, { pools: ['interactive'] });
    const stranger = await createKey((await openAccount(operator, { credit: '1.00' })).owner.api);
    await eventually(
      () => complete(allowed.api, { model: `batch:${MODEL}` }),
      ({ status }) => status === 200,
    );
    const refused = await complete(other.api, { model: `batch:${MODEL}` });
    expect([403, 404]).toContain(refused.status);
    const nowhere = await complete(allowed.api, { model: `nowhere:${MODEL}` });
    expect(codeOf(nowhere)).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await complete(stranger.api, { model: `batch:${MODEL}` }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    expect(codeOf(await ask('interactive'))).toEqual([201, undefined]);
    await grant([]);
    expect(codeOf(await ask('interactive'))).toEqual([404, 'NOT_FOUND']);
    const renamed = await owner.request('PATCH', `/v1/keys/${allowed.id}`, {
      body: { name: 'still there', pools: ['batch'] },
    });
    expect(renamed.status).toBe(200);
    await operator.put(`/v1/admin/channels/${channel?.id}`, { groups: [] });
  });

  test('addresses: from elsewhere it is 403', async () => {
    const here = await createKey(owner, { allowed_ips: ['127.0.0.0/8', '::1/128'] });
    const elsewhere = await createKey(owner, { allowed_ips: ['203.0.113.0/24'] });
    expect((await complete(here.api)).status).toBe(200);
    expect(codeOf(await complete(elsewhere.api))).toEqual([403, 'FORBIDDEN']);
    // Nobody in between is trusted here, so that nobody can say to come from elsewhere.
    const claimed = await elsewhere.api.request('GET', '/v1/llm/models', {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect(codeOf(claimed)).toEqual([403, 'FORBIDDEN']);
    const body = { name: 'x', allowed_ips: ['somewhere'] };
    expect(codeOf(await owner.request('POST', '/v1/keys', { body }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('the end of a key', () => {
  test('at its expiry every gateway refuses it, and it says expired', async () => {
    const expires_at = inMs(4000);
    const endMs = Date.parse(expires_at);
    const { id, api, secret } = await createKey(owner, { expires_at });
    for (const each of [api, atSecond(secret)]) await expectWorksUntil(endMs, each);
    await expectEndsAt(endMs, api);
    expect(codeOf(await atSecond(secret).request('GET', '/v1/models'))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect((await owner.get(`/v1/keys/${id}`)).status).toBe('expired');
    const body = { name: 'late', expires_at: '2001-01-01T00:00:00.000Z' };
    const late = await owner.request('POST', '/v1/keys', { body });
    expect([late.status, late.body?.error?.param]).toEqual([400, 'expires_at']);
  });

  test('deleted at one gateway it is refused by both within a second', async () => {
    const { id, api, secret } = await createKey(owner);
    const second = atSecond(secret);
    expect((await second.request('GET', '/v1/models')).status).toBe(200);
    const deleted = await owner.request('DELETE', `/v1/keys/${id}`);
    expect(deleted.body?.data).toEqual({ id, deleted: true });
    await expectSoon(second, '/v1/models', 401);
    await expectSoon(api, '/v1/models', 401);
    expect(codeOf(await owner.request('GET', `/v1/keys/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await owner.request('DELETE', `/v1/keys/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  test('deleted at the second gateway it is refused by the first within a second', async () => {
    const { id, api, secret } = await createKey(owner);
    const second = atSecond(secret);
    expect((await second.request('GET', '/v1/models')).status).toBe(200);
    expect((await api.request('GET', '/v1/models')).status).toBe(200);
    expect((await second.request('DELETE', `/v1/keys/${id}`)).status).toBe(200);
    await expectSoon(api, '/v1/models', 401);
  });

  test('switched off it is refused within a second, and switched on it works again as soon', async () => {
    const { id, api, secret } = await createKey(owner);
    const second = atSecond(secret);
    expect((await second.request('GET', '/v1/models')).status).toBe(200);
    const off = await owner.request('PATCH', `/v1/keys/${id}`, { body: { status: 'disabled' } });
    expect(off.body?.data?.status).toBe('disabled');
    await expectSoon(second, '/v1/models', 401);
    await expectSoon(api, '/v1/models', 401);
    await owner.request('PATCH', `/v1/keys/${id}`, { body: { status: 'active' } });
    await expectSoon(api, '/v1/models', 200);
    await expectSoon(second, '/v1/models', 200);
  });

  test('a narrower scope holds at both gateways within a second', async () => {
    const { id, api, secret } = await createKey(owner);
    const second = atSecond(secret);
    expect((await second.request('GET', '/v1/stats')).status).toBe(200);
    await owner.request('PATCH', `/v1/keys/${id}`, { body: { scopes: ['models'] } });
    await expectSoon(second, '/v1/stats', 403);
    await expectSoon(api, '/v1/stats', 403);
  });

  test('a suspended account is 403 at both gateways, and comes back', async () => {
    const other = await openAccount(gateways.first.api);
    const { api, secret } = await createKey(other.owner.api);
    const second = atSecond(secret);
    expect((await second.request('GET', '/v1/models')).status).toBe(200);
    const path = `/v1/admin/accounts/${other.id}`;
    const set = (status: string) => gateways.first.api.request('PATCH', path, { body: { status } });
    await set('suspended');
    await expectSoon(second, '/v1/models', 403);
    await expectSoon(api, '/v1/models', 403);
    await set('active');
    await eventually(
      () => second.request('GET', '/v1/models'),
      ({ status }) => status === 200,
    );
  });
});

describe('rotation', () => {
  test('both secrets work until previous_expires_at, and then only the new one', async () => {
    const { id, secret, api } = await createKey(owner);
    const rotated = await owner.post(`/v1/keys/${id}/rotate`, { grace_period_seconds: 4 });
    expect(rotated).toMatchObject({ id, rotation_count: 1 });
    expect(rotated.key).not.toBe(secret);
    const fresh = String(rotated.key);
    const endMs = Date.parse(String(rotated.previous_expires_at));
    expect(endMs - Date.parse(String(rotated.last_rotated_at))).toBe(4000);
    for (const each of [api, atSecond(secret)]) await expectWorksUntil(endMs, each);
    for (const gateway of [gateways.first.baseUrl, gateways.secondUrl]) {
      const answer = await createApi(gateway, fresh).request('GET', '/v1/models');
      expect([gateway, answer.status]).toEqual([gateway, 200]);
    }
    await expectEndsAt(endMs, api);
    expect(codeOf(await atSecond(secret).request('GET', '/v1/models'))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    expect((await atSecond(fresh).request('GET', '/v1/models')).status).toBe(200);
    expect((await owner.get(`/v1/keys/${id}`)).previous_expires_at).toBeNull();
  });

  test('without a grace period the old secret ends at once', async () => {
    const { id, secret, api } = await createKey(owner);
    expect((await atSecond(secret).request('GET', '/v1/models')).status).toBe(200);
    const rotated = await owner.post(`/v1/keys/${id}/rotate`, { grace_period_seconds: 0 });
    expect(rotated.previous_expires_at).toBeNull();
    await expectSoon(api, '/v1/models', 401);
    await expectSoon(atSecond(secret), '/v1/models', 401);
  });

  test('by default it overlaps for a day, at most for a week', async () => {
    const { id } = await createKey(owner);
    const rotated = await owner.post(`/v1/keys/${id}/rotate`, {});
    const overlap =
      Date.parse(String(rotated.previous_expires_at)) - Date.parse(String(rotated.last_rotated_at));
    expect(overlap).toBe(86_400_000);
    const tooLong = await owner.request('POST', `/v1/keys/${id}/rotate`, {
      body: { grace_period_seconds: 604_801 },
    });
    expect([tooLong.status, tooLong.body?.error?.param]).toEqual([400, 'grace_period_seconds']);
  });
});

describe("a key's own bounds", () => {
  test('when its budget is spent it is 402, and no other key is', async () => {
    // Enough for three short answers and not for four.
    const { id, api } = await createKey(owner, { max_budget: '0.00001', budget_period: 'day' });
    const fresh = await owner.get(`/v1/keys/${id}`);
    expect(fresh).toMatchObject({ spend: '0.00', status: 'active' });
    expect(Date.parse(String(fresh.budget_resets_at)) % 86_400_000).toBe(0);
    expect((await complete(api)).status).toBe(200);
    const refused = await eventually(
      () => complete(api),
      ({ status }) => status !== 200,
    );
    expect(codeOf(refused)).toEqual([402, 'KEY_BUDGET_EXCEEDED']);
    expect(refused.body?.error?.type).toBe('insufficient_quota');
    const { api: other } = await createKey(owner);
    expect((await complete(other)).status).toBe(200);
    let askedMs = 0;
    const key = await eventually(
      () => {
        askedMs = Date.now();
        return owner.get(`/v1/keys/${id}`);
      },
      ({ spend }) => toNano(spend) > 0n,
    );
    expect(toNano(key.spend)).toBeLessThanOrEqual(toNano(key.max_budget));
    const resetsMs = Date.parse(String(key.budget_resets_at));
    expect(resetsMs % 86_400_000).toBe(0);
    expect(resetsMs).toBeGreaterThan(askedMs);
    await owner.request('PATCH', `/v1/keys/${id}`, { body: { max_budget: '1.00' } });
    await eventually(
      () => complete(api),
      ({ status }) => status === 200,
    );
  });

  test('its requests per minute and per day bound it under the plan', async () => {
    await leaveMidnight();
    const byMinute = await createKey(owner, { requests_per_minute: 2 });
    const byDay = await createKey(owner, { requests_per_day: 2 });
    for (const { api } of [byMinute, byDay]) {
      expect((await complete(api)).status).toBe(200);
      expect((await complete(api)).status).toBe(200);
    }
    const minute = await complete(byMinute.api);
    expect(codeOf(minute)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(minute.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(minute.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(minute.headers.get('ratelimit-policy')).toBe('"rpm";q=2;w=60');
    const day = await complete(byDay.api);
    expect(codeOf(day)).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(day.headers.get('x-should-retry')).toBe('false');
    expect((await complete((await createKey(owner)).api)).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  const create = (key: string, body: unknown, api = owner) =>
    api.request('POST', '/v1/keys', { body, headers: { 'idempotency-key': key } });

  test('a repeated creation answers the same key, without its secret', async () => {
    const first = await create('once', { name: 'once' });
    const second = await create('once', { name: 'once' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { key, ...rest } = first.body?.data ?? {};
    expect(key).toEqual(expect.any(String));
    expect(second.body?.data).toEqual(rest);
  });

  test('the same key with another body is 422', async () => {
    await create('twice', { name: 'one' });
    expect(codeOf(await create('twice', { name: 'two' }))).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  test('ten at once make one key', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create('at-once', { name: 'at once' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(new Set(made.map(({ body }) => body?.data?.id)).size).toBe(1);
    const { items } = (await owner.get('/v1/keys?limit=200')) as {
      readonly items: readonly { readonly name: string }[];
    };
    expect(items.filter(({ name }) => name === 'at once')).toHaveLength(1);
  });

  test('belongs to its account', async () => {
    const other = await openAccount(gateways.first.api);
    const mine = await create('shared', { name: 'mine' });
    const theirs = await create('shared', { name: 'theirs' }, other.owner.api);
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test('a repeated rotation does not rotate again', async () => {
    const { id } = await createKey(owner);
    const rotate = () =>
      owner.request('POST', `/v1/keys/${id}/rotate`, {
        body: {},
        headers: { 'idempotency-key': `rotate-${id}` },
      });
    const first = await rotate();
    const second = await rotate();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body?.data).not.toHaveProperty('key');
    expect(second.body?.data?.rotation_count).toBe(1);
    const fresh = createApi(gateways.secondUrl, String(first.body?.data?.key));
    expect((await fresh.request('GET', '/v1/models')).status).toBe(200);
  });
});

test('a secret is shown once, and no list, key or failure repeats it', async () => {
  const { id, secret, api } = await createKey(owner);
  const texts = [
    (await owner.request('GET', `/v1/keys/${id}`)).text,
    (await owner.request('GET', '/v1/keys?limit=200')).text,
    (await owner.request('PATCH', `/v1/keys/${id}`, { body: { name: 'renamed' } })).text,
    (await api.request('GET', '/v1/admin/accounts')).text,
    (await createApi(gateways.secondUrl, `${secret}x`).request('GET', '/v1/keys')).text,
  ];
  for (const text of texts) expect(text).not.toContain(secret.slice(-30));
});
