import { addMember, createKey, type OpenedAccount, openAccount } from '../support/accounts';
import type { Api, ApiAnswer } from '../support/api';
import { eventually } from '../support/eventually';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

type Settings = Readonly<Record<string, unknown>>;

const HOUR_MS = 3_600_000;
const SOON = new Date(Date.now() + HOUR_MS).toISOString();
const SOONER = new Date(Date.now() + HOUR_MS / 2).toISOString();
const LATER = new Date(Date.now() + 2 * HOUR_MS).toISOString();

/** Keys that are restricted in one way each; every one has all scopes but admin. */
const RESTRICTED: Readonly<Record<string, Settings>> = {
  budget: { max_budget: '5.00' },
  'daily budget': { max_budget: '5.00', budget_period: 'day' },
  models: { models: ['sim-small', 'auto'] },
  pools: { pools: ['gold', 'silver'] },
  addresses: { allowed_ips: ['127.0.0.0/8', '::1'] },
  expiry: { expires_at: SOON },
  'requests per minute': { requests_per_minute: 50 },
  'requests per day': { requests_per_day: 500 },
  'concurrent requests': { concurrent_requests: 5 },
  scopes: { scopes: ['keys', 'models'] },
};

/** More than the key of that kind has: it gives it neither to itself nor to another. */
const MORE: readonly (readonly [kind: string, what: string, settings: Settings])[] = [
  ['budget', 'no budget', { max_budget: null }],
  ['budget', 'a larger budget', { max_budget: '5.000000001' }],
  ['budget', 'a budget that comes again', { max_budget: '5.00', budget_period: 'month' }],
  ['daily budget', 'no budget', { max_budget: null, budget_period: null }],
  ['daily budget', 'a larger budget', { max_budget: '6.00', budget_period: 'day' }],
  ['daily budget', 'another period', { max_budget: '5.00', budget_period: 'week' }],
  ['daily budget', 'a budget of another period', { max_budget: '4.00', budget_period: null }],
  ['models', 'every model', { models: [] }],
  ['models', 'another model', { models: ['sim-large'] }],
  ['models', 'one model more', { models: ['sim-small', 'auto', 'sim-large'] }],
  ['pools', 'every pool', { pools: [] }],
  ['pools', 'another pool', { pools: ['bronze'] }],
  ['pools', 'one pool more', { pools: ['gold', 'silver', 'bronze'] }],
  ['addresses', 'every address', { allowed_ips: [] }],
  ['addresses', 'a wider block', { allowed_ips: ['126.0.0.0/7', '::1'] }],
  ['addresses', 'another address', { allowed_ips: ['203.0.113.7'] }],
  ['addresses', 'one address more', { allowed_ips: ['127.0.0.0/8', '::2'] }],
  ['addresses', 'all there are', { allowed_ips: ['0.0.0.0/0', '::/0'] }],
  ['expiry', 'no end', { expires_at: null }],
  ['expiry', 'a later end', { expires_at: LATER }],
  ['requests per minute', 'no rate', { requests_per_minute: null }],
  ['requests per minute', 'a higher rate', { requests_per_minute: 51 }],
  ['requests per day', 'no rate', { requests_per_day: null }],
  ['requests per day', 'a higher rate', { requests_per_day: 501 }],
  ['concurrent requests', 'no limit', { concurrent_requests: null }],
  ['concurrent requests', 'a higher limit', { concurrent_requests: 6 }],
  ['scopes', 'another scope', { scopes: ['keys', 'billing'] }],
  ['scopes', 'one scope more', { scopes: ['keys', 'models', 'stats'] }],
  ['scopes', 'the scope of operators', { scopes: ['keys', 'models', 'admin'] }],
];

/** Less than the key of that kind has, or nothing that is about rights. */
const LESS: readonly (readonly [kind: string, what: string, settings: Settings])[] = [
  ['budget', 'a smaller budget', { max_budget: '4.00' }],
  ['daily budget', 'a smaller budget', { max_budget: '4.00' }],
  ['models', 'one of its models', { models: ['sim-small'] }],
  ['pools', 'one of its pools', { pools: ['silver'] }],
  ['addresses', 'a part of its block', { allowed_ips: ['127.0.0.0/24', '::1/128'] }],
  ['expiry', 'an earlier end', { expires_at: SOONER }],
  ['requests per minute', 'a lower rate', { requests_per_minute: 49 }],
  ['requests per day', 'a lower rate', { requests_per_day: 499 }],
  ['concurrent requests', 'a lower limit', { concurrent_requests: 4 }],
  ['scopes', 'one of its scopes', { scopes: ['keys'] }],
  ['models', 'a budget', { max_budget: '1.00', budget_period: 'day' }],
  ['budget', 'models', { models: ['sim-small'] }],
  ['expiry', 'another name', { name: 'renamed', metadata: { team: 'blue' } }],
];

/** What the key spends by itself: a second key would spend as much again. */
const SPENT = [
  'budget',
  'daily budget',
  'requests per minute',
  'requests per day',
  'concurrent requests',
] as const;

let tollgate: RunningTollgate;
let account: OpenedAccount;
let owner: Api;

beforeAll(async () => {
  tollgate = await startTollgate({ TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '10000' });
  account = await openAccount(tollgate.api, { credit: '10.00' });
  owner = account.owner.api;
  const overrides = { groups: ['gold', 'silver', 'bronze'] };
  const granted = await tollgate.api.request('PATCH', `/v1/admin/accounts/${account.id}`, {
    body: { overrides },
  });
  expect(granted.status).toBe(200);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

const restrictedKey = (kind: string) => createKey(owner, RESTRICTED[kind]);
const patch = (api: Api, id: string, body: Settings) =>
  api.request('PATCH', `/v1/keys/${id}`, { body });
const create = (api: Api, body: Settings) =>
  api.request('POST', '/v1/keys', { body: { name: 'child', ...body } });
const rotate = (api: Api, id: string) =>
  api.request('POST', `/v1/keys/${id}/rotate`, { body: { grace_period_seconds: 60 } });

function expectRefused(answer: ApiAnswer): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([403, 'FORBIDDEN']);
  expect(answer.text).not.toContain('tg_live_');
}

/** What of a key says what it may do. */
async function rightsOf(id: string): Promise<unknown> {
  const { name: _, metadata: __, last_used_at: ___, ...rights } = await owner.get(`/v1/keys/${id}`);
  return rights;
}

describe('a key takes nothing that it lacks', () => {
  test.each(MORE)('restricted in %s, it does not give itself %s', async (kind, _what, settings) => {
    const { id, api } = await restrictedKey(kind);
    const before = await rightsOf(id);
    expectRefused(await patch(api, id, settings));
    expect(await rightsOf(id)).toEqual(before);
  });

  test.each(MORE)('restricted in %s, it makes no key with %s', async (kind, _what, settings) => {
    const { api } = await restrictedKey(kind);
    expectRefused(await create(api, settings));
  });

  test.each(MORE)('restricted in %s, it gives no other key %s', async (kind, _what, settings) => {
    const { api } = await restrictedKey(kind);
    const twin = await restrictedKey(kind);
    expectRefused(await patch(api, twin.id, settings));
  });

  test.each(Object.keys(RESTRICTED))(
    'restricted in %s, it sees no secret of an unrestricted key',
    async (kind) => {
      const { api } = await restrictedKey(kind);
      const strong = await createKey(owner);
      expectRefused(await rotate(api, strong.id));
      expect((await strong.api.request('GET', '/v1/keys')).status).toBe(200);
    },
  );

  test.each(Object.keys(RESTRICTED))('restricted in %s, it switches no key on', async (kind) => {
    if (kind === 'scopes') return;
    const { api } = await restrictedKey(kind);
    const twin = await restrictedKey(kind);
    expect((await patch(api, twin.id, { status: 'disabled' })).status).toBe(200);
    expectRefused(await patch(api, twin.id, { status: 'active' }));
  });

  test.each(SPENT)('what it has as %s it does not have twice', async (kind) => {
    const { api } = await restrictedKey(kind);
    const twin = await restrictedKey(kind);
    expectRefused(await create(api, {}));
    expectRefused(await create(api, { ...RESTRICTED[kind] }));
    expectRefused(await rotate(api, twin.id));
  });
});

test('a secret that was replaced neither rotates its key nor makes one that stays', async () => {
  const { id, api } = await createKey(owner);
  const rotated = await rotate(owner, id);
  // The gateway forgets the key within a second, and then knows when the old secret ends.
  const made = await eventually(
    () => create(api, {}),
    ({ body }) => body?.data?.expires_at !== null,
  );
  expect(made.body?.data?.expires_at).toBe(rotated.body?.data?.previous_expires_at);
  expectRefused(await create(api, { expires_at: null }));
  expectRefused(await rotate(api, id));
});

describe('a key may narrow', () => {
  test.each(LESS)('restricted in %s, it gives itself %s', async (kind, _what, settings) => {
    const { id, api } = await restrictedKey(kind);
    expect((await patch(api, id, settings)).status).toBe(200);
    expect(await owner.get(`/v1/keys/${id}`)).toMatchObject(
      'allowed_ips' in settings ? {} : settings,
    );
  });

  test.each(Object.keys(RESTRICTED))(
    'restricted in %s, it rotates itself and stays as it is',
    async (kind) => {
      const { id, api } = await restrictedKey(kind);
      const { rotation_count: _, ...before } = (await rightsOf(id)) as Settings;
      const rotated = await rotate(api, id);
      expect(rotated.status).toBe(200);
      expect(rotated.body?.data?.key).toMatch(/^tg_live_/);
      expect(rotated.body?.data).toMatchObject({
        scopes: before.scopes,
        models: before.models,
        max_budget: before.max_budget,
        expires_at: before.expires_at,
      });
    },
  );

  test.each(['models', 'pools', 'addresses', 'expiry', 'scopes'])(
    'restricted in %s, it makes keys that are restricted as it is',
    async (kind) => {
      const { id, api } = await restrictedKey(kind);
      const made = await create(api, {});
      expect(made.status).toBe(201);
      const { id: childId } = made.body?.data ?? {};
      const { scopes, models, pools, allowed_ips, expires_at } = await owner.get(`/v1/keys/${id}`);
      expect(await owner.get(`/v1/keys/${String(childId)}`)).toMatchObject({
        scopes,
        models,
        pools,
        allowed_ips,
        expires_at,
      });
    },
  );

  test('a restricted key ends what may do no more than it, an unrestricted one what it likes', async () => {
    const restrictions = { ...RESTRICTED.budget, ...RESTRICTED.models };
    const restricted = await createKey(owner, restrictions);
    const stronger = await createKey(owner);
    const path = `/v1/keys/${stronger.id}`;
    expectRefused(await restricted.api.request('DELETE', path));
    expectRefused(await patch(restricted.api, stronger.id, { requests_per_minute: 1 }));
    expect((await stronger.api.request('GET', path)).status).toBe(200);
    const twin = await createKey(owner, restrictions);
    expect((await restricted.api.request('DELETE', `/v1/keys/${twin.id}`)).status).toBe(200);
    const unrestricted = await createKey(owner);
    const changed = await patch(unrestricted.api, restricted.id, { max_budget: null, models: [] });
    expect(changed.body?.data).toMatchObject({ max_budget: null, models: [] });
  });
});

describe('the role of the maker', () => {
  test('a member, with a token or a key, rotates no key but the own ones', async () => {
    const member = await addMember(owner, 'member');
    const own = await createKey(member.api);
    const theirs = await createKey(owner);
    for (const api of [member.api, own.api]) {
      expect((await rotate(api, theirs.id)).status).toBe(404);
      expect((await patch(api, theirs.id, { name: 'mine' })).status).toBe(404);
    }
    expect((await rotate(own.api, own.id)).status).toBe(200);
  });

  test('an admin sees no secret of a key that acts for an owner', async () => {
    const admin = await addMember(owner, 'admin');
    const byKey = await createKey(admin.api);
    const theirs = await createKey(owner);
    for (const api of [admin.api, byKey.api]) {
      expectRefused(await rotate(api, theirs.id));
      expect((await patch(api, theirs.id, { name: 'renamed' })).status).toBe(200);
    }
    expect((await rotate(owner, byKey.id)).status).toBe(200);
  });
});
