import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { createCanaries, readAllFiles } from '../support/canary-search';
import { eventually } from '../support/eventually';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { directive, simulatorUrl, untilRouted } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'canary-model';
const REFUSED_MODEL = `${MODEL}-refused`;
const MODELS = [MODEL, REFUSED_MODEL];
const CHAT = '/v1/chat/completions';

/** Must stand nowhere. */
const canaries = createCanaries();
const { make, watch } = canaries;
/** Kept by design: a search that does not find these would find nothing at all. */
const kept = createCanaries();
/** What the first start's card shows, once. */
const shown = createCanaries();
const firstCredential = make('vendor credential');

let tollgate: RunningTollgate;
let receiver: Server;
let account: KeyedAccount;
/** What the product said to whoever asked: failures, lists, deliveries. */
const said: { readonly where: string; readonly text: string }[] = [];
const statuses = new Set<number>();

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      said.push({ where: 'delivery', text: `${JSON.stringify(request.headers)} ${body}` });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  tollgate = await startTollgate({
    LOG_LEVEL: 'debug',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000',
    TOLLGATE_COMPLETION_BREAKER_CALLS_MIN: '10000',
    // One limited request must not keep the next one from the vendor.
    TOLLGATE_COMPLETION_RETRY_AFTER_MS_MAX: '0',
  });
  shown.watch('operator key', tollgate.apiKey);
  shown.watch('operator password', tollgate.operatorPassword);
  await makeChannels();
  account = await openAccountWithKey(tollgate.api, {
    name: 'canaries',
    credit: '5.00',
    password: make('first password'),
  });
  watch('api key', account.apiKey);
  watch('access token', account.accessToken);
  watch('refresh token', account.refreshToken);
  for (const model of MODELS) await untilRouted(account.api, model);
});

afterAll(async () => {
  receiver?.close();
  await tollgate?.stop();
});

/** Notes a failure: whoever reads its body or its headers may be anybody. */
async function fails(answering: Promise<ApiAnswer>, ...expected: number[]): Promise<void> {
  const { status, headers, text } = await answering;
  expect({ expected: expected.includes(status), status, text }).toEqual({
    expected: true,
    status,
    text,
  });
  statuses.add(status);
  said.push({ where: `answer ${status}`, text: `${JSON.stringify([...headers])} ${text}` });
}

/** Two models on the vendor stand-in, called with a credential as a real vendor would be. */
async function makeChannels(): Promise<void> {
  const { api } = tollgate;
  const vendor = await simulatorUrl(api);
  for (const model of MODELS) {
    await api.post('/v1/admin/models', {
      name: model,
      context_length: 8192,
      max_completion_tokens: 1024,
      pricing: { prompt: '0.10', completion: '0.40' },
    });
    await api.post('/v1/admin/channels', {
      name: kept.make('channel name'),
      type: 'openai',
      base_url: `${vendor}/v1`,
      credential: firstCredential,
      models: [{ name: model }],
      // Only a vendor that hangs is to reach these, however slow the machine.
      timeouts: { connect_ms: 3000, first_token_ms: 3000, idle_ms: 3000, total_ms: 5000 },
    });
  }
}

/** A request in which every member that can hold text holds a canary of its own. */
function question(settings: Readonly<Record<string, unknown>>, over = {}) {
  const text = `${make('completion')} and ${make('completion end')}`;
  return {
    model: MODEL,
    messages: [
      { role: 'system', content: make('system prompt') },
      { role: 'user', content: make('earlier question') },
      { role: 'assistant', content: make('earlier answer') },
      { role: 'user', content: directive({ text, ...settings }, make('prompt')) },
    ],
    user: make('user member'),
    metadata: { [make('metadata name')]: make('metadata value') },
    stop: [make('stop word')],
    ...over,
  };
}

function ask(body: unknown, options: { readonly path?: string; readonly key?: string } = {}) {
  const { path = CHAT, key = account.apiKey } = options;
  return createApi(tollgate.baseUrl, key).request('POST', path, { body });
}

test('answers carry the completion to its caller, whole, streamed and cut', async () => {
  for (const path of [CHAT, '/v1/llm/chat/completions']) {
    const whole = await ask(question({}), { path });
    expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('completion-end')]);
    const stream = await ask(question({}, { stream: true }), { path });
    expect(stream.text).toContain('completion-end');
    expect(stream.text).toContain('[DONE]');
  }
  const message = question({}, { stop: undefined, metadata: undefined, user: undefined });
  const [system, ...messages] = message.messages;
  const body = { ...message, messages, system: system?.content, max_tokens: 512 };
  for (const stream of [false, true]) {
    const answer = await ask({ ...body, stream }, { path: '/v1/messages' });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('completion-end')]);
    const { stop: _stop, ...asked } = question({}, { metadata: { name: make('metadata value') } });
    const { messages: input, ...members } = asked;
    const response = await ask({ ...members, input, stream }, { path: '/v1/responses' });
    expect([response.status, response.text]).toEqual([
      200,
      expect.stringContaining('completion-end'),
    ]);
  }
  const cut = await ask(question({ fail: 'reset:mid_stream' }, { stream: true }));
  expect(cut.text).toContain('UPSTREAM_ERROR');
  said.push({ where: 'error frame', text: cut.text.slice(cut.text.indexOf('{"success"')) });
});

test('requests are refused in every way, and vendors break in every way', async () => {
  const wrong = [
    `{"model":"${make('unfinished body')}`,
    question({}, { temperature: make('bad number') }),
    question({}, { messages: [{ role: make('bad role'), content: make('bad content') }] }),
    question({}, { messages: [{ role: 'user', content: { text: make('bad content') } }] }),
    question({}, { stop: [make('bad stop').repeat(50)] }),
    question({}, { tools: [{ type: 'function', function: { name: 'f', note: make('tool') } }] }),
    question({}, { response_format: { type: make('bad format') } }),
  ];
  for (const body of wrong) await fails(ask(body), 400);
  await fails(ask(question({}), { path: `${CHAT}/none` }), 404);
  await fails(ask(question({}, { model: 'nobody' })), 404);
  const poor = await openAccountWithKey(tollgate.api, {
    name: 'poor',
    password: make('poor password'),
  });
  await fails(ask(question({}), { key: watch('poor key', poor.apiKey) }), 402);
  const slow = await account.session.post('/v1/keys', { name: 'slow', requests_per_minute: 1 });
  const key = watch('slow key', String(slow.key));
  expect((await ask(question({}), { key })).status).toBe(200);
  await fails(ask(question({}), { key }), 429);
  for (const fail of [
    ['status:429'],
    ['status:500'],
    ['status:400'],
    ['body:html'],
    ['body:invalid_json'],
    ['body:error_frame'],
    ['reset:before_head'],
    ['reset:mid_stream'],
    ['hang:before_head'],
  ]) {
    await fails(ask(question({ fail })), 400, 429, 500, 502, 503, 504);
  }
  await fails(ask(question({ fail: 'hang:before_head' }, { stream: true })), 504);
});

test('a vendor that repeats its credential is heard by nobody', async () => {
  const { api } = tollgate;
  const vendor = await simulatorUrl(api);
  await fetch(`${vendor}/control/defaults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fail: 'status:401_echo' }),
  });
  for (const stream of [false, true]) {
    const body = question({ fail: 'status:401_echo' }, { model: REFUSED_MODEL, stream });
    await fails(ask(body), 502, 503);
  }
  const { items } = (await api.get('/v1/admin/channels')) as {
    readonly items: readonly { readonly id: string; readonly base_url: string }[];
  };
  for (const { id } of items) {
    const health = await api.request('POST', `/v1/admin/channels/${id}/health`, { body: {} });
    expect(health.body?.data).toMatchObject({ healthy: false, http_status: 401 });
    said.push({ where: 'health check', text: health.text });
  }
  // The channel's own check is refused as well, so it is disabled.
  await tollgate.process.waitForOutput(/channel disabled/, 30_000);
  await fetch(`${vendor}/control/defaults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const id = items.at(-1)?.id ?? '';
  await api.put(`/v1/admin/channels/${id}`, {
    credential: make('second credential'),
    status: 'enabled',
  });
  const userInfo = `http://user:${make('user info')}@example.com/v1`;
  await fails(
    api.request('PUT', `/v1/admin/channels/${id}`, {
      body: { base_url: userInfo, credential: make('refused credential') },
    }),
    400,
  );
});

test('secrets are made, changed, refused and ended', async () => {
  const { session } = account;
  const { port } = receiver.address() as AddressInfo;
  const hook = await session.post('/v1/webhooks', {
    url: `http://127.0.0.1:${port}/${kept.make('webhook path')}`,
    events: ['key.created', 'key.rotated', 'key.revoked'],
  });
  watch('webhook secret', String(hook.secret));
  const fresh = await session.post(`/v1/webhooks/${String(hook.id)}/rotate-secret`, {});
  watch('rotated webhook secret', String(fresh.secret));
  for (const secret of [hook.secret, fresh.secret]) {
    watch('signing key', Buffer.from(String(secret).slice(6), 'base64').toString('latin1'));
  }
  const key = await session.post('/v1/keys', {
    name: kept.make('key name'),
    metadata: { note: kept.make('key metadata') },
  });
  watch('second key', String(key.key));
  const rotated = await session.post(`/v1/keys/${String(key.id)}/rotate`, {});
  watch('rotated key', String(rotated.key));
  await session.request('DELETE', `/v1/keys/${String(key.id)}`);

  const nobody = createApi(tollgate.baseUrl, undefined);
  for (const stranger of [
    `tg_live_${make('wrong key')}`,
    make('old key'),
    `e30.${make('token')}.e30`,
  ]) {
    await fails(createApi(tollgate.baseUrl, stranger).request('GET', '/v1/keys'), 401);
    await fails(ask(question({}), { key: stranger }), 401);
  }
  await fails(session.request('GET', `/v1/keys?note=${make('query value')}`), 400);
  await fails(
    nobody.request('GET', `/v1/oauth/callback?code=${make('code')}&state=${make('state')}`),
    400,
    401,
    404,
  );
  await fails(
    nobody.request('POST', '/v1/oauth/token', { body: { code: make('code') } }),
    400,
    401,
  );
});

test('sessions are opened, refreshed, stolen and closed', async () => {
  const nobody = createApi(tollgate.baseUrl, undefined);
  const { email, password } = account;
  const wrong = { email, password: make('wrong password') };
  await fails(nobody.request('POST', '/v1/users/login', { body: wrong }), 401);
  await fails(nobody.request('POST', '/v1/users/login', { body: { ...wrong, extra: 1 } }), 400);
  const unknown = { email: 'nobody@example.test', password: make('unknown password') };
  await fails(nobody.request('POST', '/v1/users/login', { body: unknown }), 401);
  const refresh = { refresh_token: account.refreshToken };
  const fresh = await nobody.post('/v1/users/refresh', refresh);
  watch('second refresh token', String(fresh.refresh_token));
  watch('second access token', String(fresh.access_token));
  await fails(nobody.request('POST', '/v1/users/refresh', { body: refresh }), 401);
  // The thief and the owner have lost the session: the owner logs in again.
  const again = await logIn('third', password);
  const next = make('new password');
  const changed = await again.request('POST', '/v1/users/password', {
    body: { current_password: password, new_password: next },
  });
  expect([changed.status, changed.text]).toEqual([200, changed.text]);
  await fails(nobody.request('POST', '/v1/users/login', { body: { email, password } }), 401);
  account = { ...account, session: await logIn('fourth', next) };
});

/** A new session of the account's owner. */
async function logIn(name: string, password: string): Promise<Api> {
  const { email } = account;
  const anyone = createApi(tollgate.baseUrl, undefined);
  const { access_token } = await anyone.post('/v1/users/login', { email, password });
  watch(`${name} access token`, String(access_token));
  return createApi(tollgate.baseUrl, String(access_token));
}

test('nothing that the product says to anybody holds a secret, a prompt or a completion', async () => {
  const { api } = tollgate;
  // The deliveries and the charges are the last to come; what they say is searched too.
  await eventually(
    async () => said.filter(({ where }) => where === 'delivery').length,
    (count) => count >= 3,
  );
  const mine = [
    'keys',
    'webhooks',
    'billing/balance',
    'billing/ledger',
    'requests',
    'stats',
    'account/members',
  ];
  for (const path of mine) {
    const { status, text } = await account.session.request('GET', `/v1/${path}`);
    expect(status).toBe(200);
    said.push({ where: path, text });
  }
  for (const path of [
    'channels',
    'models',
    'accounts',
    'users',
    'audit',
    'requests',
    'audit-log?limit=200',
  ]) {
    const { status, text } = await api.request('GET', `/v1/admin/${path}`);
    expect(status).toBe(200);
    said.push({ where: path, text });
  }
  const log = (await api.get('/v1/admin/audit-log?limit=200')) as {
    readonly items: readonly { readonly id: string }[];
  };
  expect(log.items.length).toBeGreaterThan(10);
  for (const { id } of log.items) {
    const { text } = await api.request('GET', `/v1/admin/audit-log/${id}`);
    said.push({ where: 'audit entry', text });
  }
  const adminPort = /"adminPort":(\d+)/.exec(tollgate.process.output())?.[1];
  for (const path of ['metrics', 'readyz']) {
    const response = await fetch(`http://127.0.0.1:${adminPort}/${path}`);
    said.push({ where: path, text: await response.text() });
  }
  expect(said.find(({ where }) => where === 'metrics')?.text).toContain('tollgate_completion_');
  expect([...statuses].sort()).toEqual(expect.arrayContaining([400, 401, 402, 404, 429, 502, 504]));
  for (const { where, text } of said) {
    expect([where, canaries.findIn(Buffer.from(text))]).toEqual([where, []]);
  }
  const keys = said.find(({ where }) => where === 'channels')?.text ?? '';
  expect(kept.findIn(Buffer.from(keys))).toEqual(['channel name']);
});

test('neither the log nor the data directory holds one, not even after a kill in the middle', async () => {
  const search = (what: string, bytes: Buffer) => {
    expect([what, canaries.findIn(bytes), shown.findIn(bytes)]).toEqual([what, [], []]);
    return kept.findIn(bytes);
  };
  const leaver = new AbortController();
  const response = await fetchDocumented(`${tollgate.baseUrl}${CHAT}`, {
    method: 'POST',
    signal: leaver.signal,
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(question({ token_interval_ms: 150 }, { stream: true })),
  });
  expect(response.status).toBe(200);
  const first = tollgate.process;
  // Completion reports what it saw of channels every second; the log must hold that line too.
  await first.waitForOutput(/channel disabled/, 30_000);
  await tollgate.killAndRestart();
  leaver.abort();
  const [log = '', card = ''] = first.output().split('Tollgate is running.');
  expect(shown.findIn(Buffer.from(card))).toEqual(['operator key', 'operator password']);
  const afterCard = card.slice(card.indexOf('\n{'));
  expect(search('the log before the kill', Buffer.from(log + afterCard))).toEqual([]);
  expect(afterCard).toContain('channel disabled');
  const found = readAllFiles(tollgate.dataDirectory).flatMap(({ path, bytes }) =>
    search(path, bytes),
  );
  expect(new Set(found)).toEqual(
    new Set(['channel name', 'webhook path', 'key name', 'key metadata']),
  );
  const second = tollgate.process;
  second.signal('SIGTERM');
  expect(await second.exited).toBe(0);
  search('the log after the kill', Buffer.from(second.output()));
  for (const { path, bytes } of readAllFiles(tollgate.dataDirectory)) search(path, bytes);
});
