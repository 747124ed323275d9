import { Webhook } from 'standardwebhooks';
import { addMember, createKey } from '../support/accounts';
import type { Api, ApiAnswer, ApiData } from '../support/api';
import { OPERATION_CASES, type OperationCase, urlOf } from '../support/openapi/openapi-cases';
import { nameOf } from '../support/openapi/openapi-document';
import {
  channelBody,
  type OpenApiFixture,
  startOpenApiFixture,
  triedDelivery,
} from '../support/openapi/openapi-fixture';

jest.setTimeout(120_000);

/** One request that can be sent again. */
interface Sending {
  /** POST when absent. */
  readonly method?: string;
  readonly api: Api;
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the same operation is asked for something else, and by somebody else. */
interface Variation {
  /** Members that differ; without them the other request is about another record. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** The same operation of another account; absent where only the operator's may call it. */
  elsewhere?(fixture: OpenApiFixture): Promise<Sending>;
}

const owner = ({ account }: OpenApiFixture) => account.owner.api;
const aPerson = (fixture: OpenApiFixture) => ({
  email: `${fixture.unique('elsewhere')}@walk.test`,
  password: 'a-long-password',
});

async function webhookElsewhere(fixture: OpenApiFixture): Promise<string> {
  const body = { url: fixture.receiver.url('/elsewhere'), events: ['key.created'] };
  return String((await owner(fixture).post('/v1/webhooks', body)).id);
}

/** A command on a webhook of the other account. */
async function onWebhook(fixture: OpenApiFixture, command: string): Promise<Sending> {
  const id = await webhookElsewhere(fixture);
  return { api: owner(fixture), path: `/v1/webhooks/${id}/${command}`, body: {} };
}

const VARIATIONS: Readonly<Record<string, Variation>> = {
  'POST /v1/keys': {
    change: { name: 'something else' },
    elsewhere: async (fixture) => ({
      api: owner(fixture),
      path: '/v1/keys',
      body: { name: 'ours' },
    }),
  },
  'POST /v1/keys/{id}/rotate': {
    change: { grace_period_seconds: 61 },
    async elsewhere(fixture) {
      const { id } = await createKey(owner(fixture));
      return { api: owner(fixture), path: `/v1/keys/${id}/rotate`, body: {} };
    },
  },
  'POST /v1/account/members': {
    change: { role: 'admin' },
    elsewhere: async (fixture) => ({
      api: owner(fixture),
      path: '/v1/account/members',
      body: aPerson(fixture),
    }),
  },
  'POST /v1/users': {
    change: { display_name: 'Somebody else' },
    elsewhere: async (fixture) => ({
      api: fixture.callers.anyone,
      path: '/v1/users',
      body: aPerson(fixture),
    }),
  },
  'POST /v1/users/password': {
    change: { new_password: 'something-else-entirely' },
    async elsewhere(fixture) {
      const { api, password } = await addMember(owner(fixture), 'member');
      const body = { current_password: password, new_password: `another-${password}` };
      return { api, path: '/v1/users/password', body };
    },
  },
  'POST /v1/webhooks': {
    change: { description: 'something else' },
    elsewhere: async (fixture) => ({
      api: owner(fixture),
      path: '/v1/webhooks',
      body: { url: fixture.receiver.url('/elsewhere'), events: ['key.created'] },
    }),
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    change: { grace_period_seconds: 61 },
    elsewhere: (fixture) => onWebhook(fixture, 'rotate-secret'),
  },
  'POST /v1/webhooks/{id}/test': { elsewhere: (fixture) => onWebhook(fixture, 'test') },
  'POST /v1/webhooks/deliveries/{id}/redeliver': {
    async elsewhere(fixture) {
      const id = await webhookElsewhere(fixture);
      const deliveryId = await triedDelivery(owner(fixture), id);
      const path = `/v1/webhooks/deliveries/${deliveryId}/redeliver`;
      return { api: owner(fixture), path, body: {} };
    },
  },
  'POST /v1/admin/channels': { change: { weight: 7 } },
  'POST /v1/admin/channels/{id}/health': { change: { model: 'sim-small' } },
  'POST /v1/admin/models': { change: { description: 'something else' } },
  'POST /v1/admin/accounts': { change: { plan: 'smart' } },
  'POST /v1/admin/accounts/{id}/credits': {
    change: { amount: '2.00' },
    async elsewhere(fixture) {
      const { id } = await fixture.callers.key.post('/v1/admin/accounts', {
        name: 'elsewhere',
        owner: aPerson(fixture),
      });
      const path = `/v1/admin/accounts/${String(id)}/credits`;
      return { api: fixture.callers.key, path, body: { amount: '1.00' } };
    },
  },
  'POST /v1/admin/accounts/{id}/adjustments': {
    change: { amount: '2.00' },
    async elsewhere(fixture) {
      const { id } = await fixture.callers.key.post('/v1/admin/accounts', {
        name: 'elsewhere',
        owner: aPerson(fixture),
      });
      const path = `/v1/admin/accounts/${String(id)}/adjustments`;
      return { api: fixture.callers.key, path, body: { amount: '0.50', reason: 'a correction' } };
    },
  },
  // Each request of it is about an account of its own.
  'DELETE /v1/admin/accounts/{id}': {},
  'POST /v1/admin/plans': { change: { name: 'something else' } },
  'POST /v1/admin/codes': { change: { amount: '2.00' } },
  'POST /v1/admin/users': { change: { display_name: 'Somebody else' } },
};

/** They take the header, and have a suite of their own: their answers are kept elsewhere. */
const COMPLETIONS = [
  'POST /v1/llm/chat/completions',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'POST /v1/responses',
  'POST /v1/embeddings',
];
/** Tokens and codes are not kept, the others do no more the second time. */
const WITHOUT_KEY = [
  'POST /v1/users/login',
  'POST /v1/users/refresh',
  'POST /v1/oauth/token',
  'POST /v1/users/logout',
  'POST /v1/users/reset-password',
  'POST /v1/topups/{provider}',
  'POST /v1/account/redeem',
  'POST /v1/admin/users/{id}/reset-password',
  'POST /v1/admin/keys/{id}/disable',
  'POST /v1/admin/keys/{id}/enable',
  'POST /v1/admin/users/{id}/disable',
  'POST /v1/admin/users/{id}/enable',
  'POST /v1/admin/users/{id}/end-sessions',
  'POST /v1/llm/route/explain',
  'POST /v1/messages/count_tokens',
  'POST /v1/admin/accounts/{id}/export',
  'POST /v1/admin/channels/discover',
  'POST /v1/admin/models/import',
];

const posts = OPERATION_CASES.filter(({ method }) => method === 'POST');
const ERASURE = 'DELETE /v1/admin/accounts/{id}';
const keyed = [...posts, ...OPERATION_CASES.filter((one) => nameOf(one) === ERASURE)]
  .filter((one) => ![...WITHOUT_KEY, ...COMPLETIONS].includes(nameOf(one)))
  .map((one) => [nameOf(one), one] as const);

/** After these the bearer of the first request is refused. */
const ENDS_SESSIONS: readonly string[] = ['POST /v1/users/password'];

let fixture: OpenApiFixture;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

/** A call that succeeds, with a record of its own where it needs one. */
async function arrange(one: OperationCase): Promise<Sending> {
  const arranged = await one.arrange(fixture);
  const { body, headers = {} } = arranged;
  const { method, as } = one;
  return { api: fixture.callers[as], method, path: urlOf(one.path, arranged), body, headers };
}

const send = (
  { api, method = 'POST', path, body, headers }: Sending,
  key: string,
): Promise<ApiAnswer> =>
  api.request(method, path, { body, headers: { ...headers, 'idempotency-key': key } });
const isReplayed = ({ headers }: ApiAnswer) => headers.get('idempotency-replayed') === 'true';
const codeOf = ({ status, body }: ApiAnswer) => [status, body?.error?.code];

function withoutSecrets(data: ApiData | undefined): ApiData {
  // The codes of a batch have theirs one level deeper.
  const text = JSON.stringify(data ?? {}, (name, member: unknown) =>
    ['key', 'secret', 'code'].includes(name) ? undefined : member,
  );
  return JSON.parse(text) as ApiData;
}

/** Who repeats a change of password has to log in anew: the first one ended every session. */
async function repeaterOf(one: OperationCase, sending: Sending): Promise<() => Promise<Sending>> {
  if (!ENDS_SESSIONS.includes(nameOf(one))) return async () => sending;
  const { headers = {}, body } = sending;
  const me = await sending.api.request('GET', '/v1/users/me', { headers });
  const { new_password: password } = body as { readonly new_password: string };
  return async () => {
    const credentials = { email: me.body?.data?.email, password };
    const session = await fixture.callers.anyone.post('/v1/users/login', credentials);
    return { ...sending, headers: { authorization: `Bearer ${String(session.access_token)}` } };
  };
}

/** The same operation asked for something else. */
async function vary(one: OperationCase, sending: Sending): Promise<Sending> {
  const change = VARIATIONS[nameOf(one)]?.change;
  if (change === undefined) return { ...(await arrange(one)), headers: sending.headers ?? {} };
  return { ...sending, body: { ...(sending.body as object), ...change } };
}

test('every POST of the document and every erasure takes the header, or documents why not', () => {
  const documented = fixture.document.operations.filter(
    (one) => one.method === 'POST' || nameOf(one) === ERASURE,
  );
  const taking = documented.filter(({ parameters }) =>
    parameters.some(({ name, in: place }) => name === 'Idempotency-Key' && place === 'header'),
  );
  const expected = [...Object.keys(VARIATIONS), ...COMPLETIONS];
  expect(taking.map(nameOf).sort()).toEqual(expected.sort());
  expect(keyed.map(([name]) => name).sort()).toEqual(Object.keys(VARIATIONS).sort());
  expect(documented).toHaveLength(taking.length + WITHOUT_KEY.length);
});

describe.each(keyed)('%s', (_name, one) => {
  test('that is repeated with its key gets the same answer, without secrets', async () => {
    const sending = await arrange(one);
    const key = fixture.unique('again');
    const repeat = await repeaterOf(one, sending);
    const first = await send(sending, key);
    expect([first.status, isReplayed(first)]).toEqual([one.status, false]);
    const second = await send(await repeat(), key);
    expect([second.status, isReplayed(second)]).toEqual([one.status, true]);
    expect(second.body?.data).toEqual(withoutSecrets(first.body?.data));
  });

  test('that asks for something else with the same key is refused', async () => {
    const sending = await arrange(one);
    const key = fixture.unique('other');
    const repeat = await repeaterOf(one, sending);
    const first = await send(sending, key);
    const repeated = await repeat();
    const other = await send(await vary(one, repeated), key);
    expect(codeOf(other)).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    const again = await send(repeated, key);
    expect([again.status, isReplayed(again)]).toEqual([one.status, true]);
    expect(again.body?.data).toEqual(withoutSecrets(first.body?.data));
  });

  test('that is sent four times at once is done once', async () => {
    const sending = await arrange(one);
    const key = fixture.unique('at-once');
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(sending, key)));
    const done = answers.filter(({ status }) => status === one.status);
    const running = answers.filter((answer) => !done.includes(answer));
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    const late = ENDS_SESSIONS.includes(nameOf(one)) ? [401, 409] : [409];
    for (const { status } of running) expect(late).toContain(status);
    const data = done.map(({ body }) => JSON.stringify(withoutSecrets(body?.data)));
    expect(new Set(data).size).toBe(1);
  });

  test.each(['', 'two words', 'x'.repeat(256)])('with the key %j is refused', async (key) => {
    const answer = await send(await arrange(one), key);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body?.error?.param).toBe('Idempotency-Key');
  });
});

const shared = keyed.flatMap(([name, one]) => {
  const { elsewhere } = VARIATIONS[name] ?? {};
  return elsewhere === undefined ? [] : [[name, one, elsewhere] as const];
});

test.each(shared)(
  '%s of another account is independent under the same key',
  async (_name, one, elsewhere) => {
    const key = fixture.unique('shared');
    expect((await send(await arrange(one), key)).status).toBe(one.status);
    const sending = await elsewhere(fixture);
    const repeat = await repeaterOf(one, sending);
    const theirs = await send(sending, key);
    expect([theirs.status, isReplayed(theirs)]).toEqual([one.status, false]);
    expect(isReplayed(await send(await repeat(), key))).toBe(true);
  },
);

test('a refused request leaves its key to a corrected one', async () => {
  const key = fixture.unique('corrected');
  const body = { name: 'a key', max_budget: '1.00' };
  const path = '/v1/keys';
  const { key: api } = fixture.callers;
  const wrong = { api, path, body: { ...body, expires_at: '2001-01-01T00:00:00.000Z' } };
  expect(codeOf(await send(wrong, key))).toEqual([400, 'VALIDATION_ERROR']);
  expect((await send({ api, path, body }, key)).status).toBe(201);
});

test('a repeated check does not call the vendor again', async () => {
  const { key: api } = fixture.callers;
  const channel = channelBody(fixture.unique('channel'), fixture.receiver.url('/vendor'));
  const { id } = await api.post('/v1/admin/channels', channel);
  const sending = { api, path: `/v1/admin/channels/${String(id)}/health`, body: {} };
  const first = await send(sending, fixture.unique('first'));
  expect(first.body?.data).toMatchObject({ healthy: false, http_status: 204 });
  const key = fixture.unique('check');
  for (let count = 0; count < 3; count += 1) await send(sending, key);
  expect(fixture.receiver.received('/vendor/chat/completions')).toHaveLength(2);
});

test('a repeated rotation leaves the secret of the first one in force', async () => {
  const { key: api } = fixture.callers;
  const body = { url: fixture.receiver.url('/rotated'), events: ['key.created'] };
  const { id } = await api.post('/v1/webhooks', body);
  const path = `/v1/webhooks/${String(id)}`;
  const sending = { api, path: `${path}/rotate-secret`, body: { grace_period_seconds: 0 } };
  const key = fixture.unique('rotate');
  const first = await send(sending, key);
  expect(isReplayed(await send(sending, key))).toBe(true);
  await api.post(`${path}/test`, {});
  const [delivery] = await fixture.receiver.waitFor('/rotated', 1);
  const webhook = new Webhook(String(first.body?.data?.secret));
  const headers = delivery?.headers as Record<string, string>;
  expect(webhook.verify(delivery?.text ?? '', headers)).toMatchObject({ type: 'webhook.test' });
});

test('what is gone is still what the first request was answered', async () => {
  const { key: api } = fixture.callers;
  for (const path of ['/v1/keys', '/v1/webhooks', '/v1/admin/channels', '/v1/admin/models']) {
    const one = posts.find((each) => each.path === path);
    if (one === undefined) throw new Error(path);
    const sending = await arrange(one);
    const key = fixture.unique('gone');
    const first = await send(sending, key);
    const id = String(first.body?.data?.id);
    expect((await api.request('DELETE', `${path}/${id}`)).status).toBe(200);
    const second = await send(sending, key);
    expect([path, second.status, isReplayed(second)]).toEqual([path, 201, true]);
    expect(second.body?.data).toEqual(withoutSecrets(first.body?.data));
  }
});

test('a login with a key is a login: no token is given out twice', async () => {
  const { email, password } = fixture.operator;
  const sending = {
    api: fixture.callers.anyone,
    path: '/v1/users/login',
    body: { email, password },
  };
  const key = fixture.unique('login');
  const first = await send(sending, key);
  const second = await send(sending, key);
  expect([second.status, isReplayed(second)]).toEqual([200, false]);
  expect(second.body?.data?.refresh_token).not.toBe(first.body?.data?.refresh_token);
});
