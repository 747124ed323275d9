import { addMember, createKey, openAccount } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { eventually } from '../support/eventually';
import { OPERATION_CASES, type OperationCase, urlOf } from '../support/openapi/openapi-cases';
import { nameOf } from '../support/openapi/openapi-document';
import {
  CHAT,
  type OpenApiFixture,
  refuseOne,
  startOpenApiFixture,
} from '../support/openapi/openapi-fixture';

jest.setTimeout(120_000);

/** What the other account has: one record for every kind of id in a path. */
interface Foreign {
  readonly owner: Api;
  readonly key: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly member: string;
  readonly request: string;
  readonly refused: string;
  readonly account: string;
  readonly channel: string;
  readonly auditEntry: string;
  readonly code: string;
}

/** A payment system and a month are nobody's record. */
const namesRecord = ({ path }: { readonly path: string }) =>
  path.includes('{') && !/\{(provider|month)\}$/.test(path);
const withId = OPERATION_CASES.filter(namesRecord);
const named = withId.map((one) => [nameOf(one), one] as const);
const ROLES = [
  "the owner's key",
  'the owner',
  'an admin',
  'a member',
  "an operator's key without the scope admin",
] as const;

let fixture: OpenApiFixture;
let foreign: Foreign;
let callers: Readonly<Record<(typeof ROLES)[number], Api>>;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
  foreign = await furnish(fixture);
  const { owner } = await openAccount(fixture.callers.key);
  const admin = await addMember(owner.api, 'admin');
  const member = await addMember(owner.api, 'member');
  const scopes = ['completions', 'models', 'keys', 'billing', 'stats', 'webhooks'];
  callers = {
    "the owner's key": (await createKey(owner.api)).api,
    'the owner': owner.api,
    'an admin': admin.api,
    'a member': member.api,
    "an operator's key without the scope admin": (await createKey(fixture.callers.key, { scopes }))
      .api,
  };
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

/** An account with one of everything. */
async function furnish(fixture: OpenApiFixture): Promise<Foreign> {
  const { receiver } = fixture;
  const { key: operator } = fixture.callers;
  const { id: account, owner } = await openAccount(operator, { credit: '10.00' });
  const { api } = owner;
  const key = await createKey(api);
  const url = receiver.url('/foreign');
  // Told of what strangers would do: end or change a key.
  const events = ['key.revoked', 'key.rotated'];
  const webhook = String((await api.post('/v1/webhooks', { url, events })).id);
  const delivery = String((await api.post(`/v1/webhooks/${webhook}/test`, {})).id);
  const member = (await addMember(api, 'member')).userId;
  const answer = await key.api.request('POST', '/v1/chat/completions', { body: CHAT });
  const request = answer.headers.get('x-request-id') ?? '';
  const refused = await refuseOne(api);
  await eventually(
    () => api.request('GET', `/v1/billing/receipts/${request}`),
    ({ status }) => status === 200,
  );
  const { items } = (await operator.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly id: string }[];
  };
  const channel = items[0]?.id ?? '';
  const auditEntry = await fixture.newAuditEntry();
  const { id: code } = await fixture.newCodes();
  return {
    owner: api,
    key: key.id,
    webhook,
    delivery,
    member,
    request,
    account,
    channel,
    refused,
    auditEntry,
    code,
  };
}

/** The id of the other account's record that the path asks for. */
function foreignIdOf(path: string): string {
  const kinds: readonly (readonly [RegExp, string])[] = [
    [/^\/v1\/(admin\/)?keys\//, foreign.key],
    [/^\/v1\/webhooks\/deliveries\//, foreign.delivery],
    [/^\/v1\/webhooks\//, foreign.webhook],
    [/^\/v1\/account\/members\//, foreign.member],
    [/^\/v1\/billing\/receipts\//, foreign.request],
    [/^\/v1\/admin\/requests\/.*\/refusal$/, foreign.refused],
    [/^\/v1\/(admin\/)?requests\//, foreign.request],
    [/^\/v1\/admin\/accounts\//, foreign.account],
    [/^\/v1\/admin\/channels\//, foreign.channel],
    [/^\/v1\/admin\/audit-log\//, foreign.auditEntry],
    [/^\/v1\/admin\/users\//, foreign.member],
    [/^\/v1\/admin\/codes\//, foreign.code],
    [/^\/v1\/admin\/plans\//, 'smart'],
    [/^\/v1\/(admin\/)?models\//, 'sim-small'],
  ];
  const found = kinds.find(([pattern]) => pattern.test(path));
  if (found === undefined) throw new Error(`nothing foreign for ${path}`);
  return found[1];
}

/** An id of the same form that nobody has. */
function missingLike(id: string): string {
  if (!id.includes('_')) return id === 'smart' ? 'start' : 'sim-nothing';
  const last = id.endsWith('0') ? '1' : '0';
  return `${id.slice(0, -1)}${last}`;
}

const VARYING = new Set(['x-request-id', 'date', 'content-length']);

/** All that a caller can see, but for what differs from answer to answer. */
function visible({ status, headers, text }: ApiAnswer): string {
  const kept = [...headers].filter(([name]) => !VARYING.has(name));
  // The age of an id, which it bears itself, while the two are asked for one after the other.
  return JSON.stringify([status, kept, text.replace(/which is \d+ s old/, '')]);
}

async function ask(caller: Api, one: OperationCase, id: string): Promise<ApiAnswer> {
  const { body, headers = {} } = await one.content(fixture);
  return caller.request(one.method, urlOf(one.path, { id }), { body, headers });
}

const isCatalogue = (path: string) => path === '/v1/models/{id}';

test('every operation of the document with an id is in the matrix', () => {
  const documented = fixture.document.operations.filter(namesRecord).map(nameOf);
  expect(withId.map(nameOf).sort()).toEqual([...documented].sort());
  for (const { path } of withId) expect(foreignIdOf(path)).not.toBe('');
});

describe.each(ROLES)('%s', (role) => {
  test.each(named.filter(([, { path }]) => !isCatalogue(path)))(
    'cannot tell a foreign id from a missing one: %s',
    async (_name, one) => {
      const id = foreignIdOf(one.path);
      const caller = callers[role];
      // What is said of a request changes with its age: it may do so between any two of these.
      const before = await ask(caller, one, missingLike(id));
      const theirs = await ask(caller, one, id);
      const after = await ask(caller, one, missingLike(id));
      expect([401, 403, 404]).toContain(theirs.status);
      expect([before, after].map(visible)).toContain(visible(theirs));
      expect(theirs.text).not.toContain(id);
    },
  );

  test('is refused as an operator with 403, whatever the id', async () => {
    const admin = withId.filter(({ path }) => path.startsWith('/v1/admin/'));
    expect(admin.length).toBeGreaterThan(5);
    for (const one of admin) {
      const { status } = await ask(callers[role], one, foreignIdOf(one.path));
      expect([nameOf(one), status]).toEqual([nameOf(one), 403]);
    }
  });
});

test('for the owner a foreign id is 404 wherever its own one would be found', async () => {
  for (const one of withId) {
    const { path } = one;
    if (path.startsWith('/v1/admin/') || isCatalogue(path)) continue;
    // An answer is given to API keys alone.
    const role = path.endsWith('/answer') ? "the owner's key" : 'the owner';
    const { status } = await ask(callers[role], one, foreignIdOf(path));
    expect([nameOf(one), status]).toEqual([nameOf(one), 404]);
  }
  const refused = await callers['the owner'].request('GET', `/v1/requests/${foreign.refused}`);
  expect(refused.status).toBe(404);
});

test('lists, ledger, statistics and balance show nothing of the other account', async () => {
  const { owner: _owner, channel: _channel, ...ids } = foreign;
  for (const role of ROLES) {
    for (const one of OPERATION_CASES) {
      const isList = one.method === 'GET' && !one.path.includes('{') && one.as !== 'anyone';
      if (!isList) continue;
      const { text } = await callers[role].request('GET', one.path);
      for (const id of Object.values(ids)) expect(text).not.toContain(id);
    }
  }
});

test('another account cannot be named in a query', async () => {
  for (const role of ROLES) {
    const caller = callers[role];
    for (const path of [
      '/v1/stats',
      '/v1/admin/users',
      '/v1/admin/audit',
      '/v1/admin/requests',
      '/v1/admin/refusals',
      '/v1/admin/audit-log',
    ]) {
      const answer = await caller.request('GET', `${path}?account_id=${foreign.account}`);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const listed = await caller.request(
      'GET',
      `/v1/stats?account_id=${foreign.account},${foreign.account}-2`,
    );
    expect(listed.status).toBe(403);
    const mixed = await caller.request('GET', `/v1/stats?key_id=${foreign.key}&group_by=key`);
    expect([200, 403]).toContain(mixed.status);
    expect(mixed.body?.data?.results ?? []).toEqual([]);
  }
});

test("an account's own channels and pools are not there for others", async () => {
  const { key: operator } = fixture.callers;
  await operator.request('POST', '/v1/admin/channels', {
    body: {
      name: 'of the other account',
      type: 'simulator',
      base_url: (await operator.get(`/v1/admin/channels/${foreign.channel}`)).base_url,
      models: [{ name: 'sim-small' }],
      owner_account_id: foreign.account,
    },
  });
  const own = await createKey(foreign.owner);
  const body = { ...CHAT, model: 'self:sim-small' };
  await eventually(
    () => own.api.request('POST', '/v1/chat/completions', { body }),
    ({ status }) => status === 200,
  );
  const refused = await callers["the owner's key"].request('POST', '/v1/chat/completions', {
    body,
  });
  expect([refused.status, refused.body?.error?.param]).toEqual([404, 'model']);
});

test('after all this the other account still has everything', async () => {
  const { owner, key, webhook, member, request } = foreign;
  expect((await owner.get(`/v1/keys/${key}`)).rotation_count).toBe(0);
  expect(await owner.get(`/v1/webhooks/${webhook}`)).toMatchObject({
    status: 'enabled',
    description: '',
  });
  expect((await owner.request('GET', `/v1/billing/receipts/${request}`)).status).toBe(200);
  const members = await owner.request('GET', '/v1/account/members');
  expect(members.text).toContain(member);
  const { status, plan } = await fixture.callers.key.get(`/v1/admin/accounts/${foreign.account}`);
  expect([status, plan]).toEqual(['active', 'enterprise']);
  const told = fixture.receiver.received('/foreign').map(({ event }) => event.type);
  expect(told).toEqual(['webhook.test']);
});

test('a bearer of one kind is not taken for the other', async () => {
  const asKey = await fixture.callers.session.request('POST', '/v1/chat/completions', {
    body: CHAT,
  });
  expect(asKey.status).toBe(401);
  const asUser = await fixture.callers.key.request('GET', '/v1/users/me');
  expect(asUser.status).toBe(401);
  const nobody = createApi(fixture.tollgate.baseUrl, undefined);
  expect((await nobody.request('GET', '/v1/users/me')).status).toBe(401);
});
