import type { ApiAnswer } from '../support/api';
import { faultOf } from '../support/error-table';
import { eventually } from '../support/eventually';
import { nameOf, parseOpenApi } from '../support/openapi/openapi-document';
import { addEmbeddingModel } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';
import {
  absentMembers,
  type HostileValue,
  INJECTIONS,
  ODDITIES,
  type Place,
  placesOf,
  replaceAt,
} from './hostile-input/hostile-values';

jest.setTimeout(180_000);

const PARALLEL = 12;
const MESSAGES = [
  { role: 'system', content: 'x' },
  { role: 'user', content: [{ type: 'text', text: 'x' }] },
];
const CHAT = {
  model: 'sim-small',
  models: ['sim-small'],
  messages: MESSAGES,
  temperature: 0,
  top_p: 1,
  max_tokens: 1,
  max_completion_tokens: 1,
  stream: false,
  stream_options: { include_usage: true },
  stop: ['x'],
  presence_penalty: 0,
  frequency_penalty: 0,
  user: 'x',
  seed: 1,
  n: 1,
  tools: [{ type: 'function', function: { name: 'x', parameters: {} } }],
  tool_choice: 'none',
  parallel_tool_calls: false,
  response_format: { type: 'text' },
  logprobs: false,
  top_logprobs: 0,
  logit_bias: { '1': 0 },
  reasoning_effort: 'low',
  metadata: { note: 'x' },
};
const CACHED = { cache_control: { type: 'ephemeral' } };
const COUNT = {
  model: 'sim-small',
  models: ['sim-small'],
  system: [{ type: 'text', text: 'x', ...CACHED }],
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    { role: 'user', content: [{ type: 'text', text: 'x', ...CACHED }] },
  ],
  tools: [
    { type: 'custom', name: 'x', description: 'x', input_schema: {}, strict: false, ...CACHED },
  ],
  tool_choice: { type: 'auto', name: null, disable_parallel_tool_use: false },
  thinking: { type: 'enabled', budget_tokens: 1024, display: 'summarized' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } },
  ...CACHED,
};
const MESSAGE = {
  ...COUNT,
  max_tokens: 2048,
  temperature: 0,
  top_p: 1,
  stream: false,
  stop_sequences: ['x'],
  metadata: { user_id: 'x' },
  service_tier: 'auto',
};
const RESPONSE = {
  model: 'sim-small',
  models: ['sim-small'],
  instructions: 'x',
  input: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
  ],
  max_output_tokens: 1,
  temperature: 0,
  top_p: 1,
  stream: false,
  stream_options: { include_obfuscation: false },
  store: false,
  text: { format: { type: 'text' } },
  reasoning: { effort: 'low', summary: 'auto' },
  tools: [{ type: 'function', name: 'x', description: 'x', parameters: {}, strict: false }],
  tool_choice: 'none',
  parallel_tool_calls: true,
  metadata: { a: 'x' },
  user: 'x',
  safety_identifier: 'x',
  prompt_cache_key: 'x',
  prompt_cache_retention: '24h',
  service_tier: 'auto',
  truncation: 'disabled',
  include: ['reasoning.encrypted_content'],
};
const KEY = {
  name: 'x',
  scopes: ['models'],
  models: ['sim-small'],
  pools: ['self'],
  allowed_ips: ['10.0.0.0/8'],
  expires_at: '2099-01-01T00:00:00.000Z',
  max_budget: '1.00',
  budget_period: 'day',
  requests_per_minute: 1,
  requests_per_day: 1,
  concurrent_requests: 1,
  metadata: { note: 'x' },
};
const PERSON = {
  email: 'x@example.test',
  password: 'a long password',
  display_name: 'x',
  must_change_password: false,
};
const CATALOGUE_CHANGE = {
  description: 'x',
  context_length: 1000,
  max_completion_tokens: 100,
  pricing: {
    currency: 'USD',
    prompt: '1.00',
    completion: '1.00',
    cached_prompt: '1.00',
    cache_write: '1.00',
    per: '1M',
  },
  capabilities: ['tools'],
};
const CATALOGUE_MODEL = { name: 'victim-model', kind: 'chat', ...CATALOGUE_CHANGE };
const WEBHOOK = { url: 'https://192.0.2.1/', events: ['key.created'], description: 'x' };
const TIMEOUTS = {
  connect_ms: 100,
  head_ms: 100,
  whole_head_ms: 100,
  first_token_ms: 100,
  idle_ms: 100,
  total_ms: 100,
};
const CHANNEL = {
  name: 'x',
  type: 'openai',
  base_url: 'https://192.0.2.1/',
  credential: 'x',
  models: [{ name: 'victim-model', upstream_name: 'x' }],
  groups: ['x'],
  owner_account_id: null,
  priority: 1,
  weight: 1,
  status: 'disabled',
  auto_disable: true,
  max_concurrency: 1,
  timeouts: TIMEOUTS,
  capabilities: ['tools'],
};
const PLAN_CHANGE = {
  name: 'x',
  requests_per_minute: 1,
  requests_per_day: 1,
  concurrent_requests: 1,
  price: '0.01',
  included_credit: '0.01',
  groups: ['x'],
  models: ['x'],
  keep_answers: true,
  thresholds: { amounts: ['0.01'], days: [1] },
};
const PLAN = { ...PLAN_CHANGE, id: 'x' };
const OVERRIDES = {
  limits: { requests_per_minute: 1, requests_per_day: 1, concurrent_requests: 1 },
  groups: ['x'],
  models: ['x'],
  discount: '1',
};

/** Every operation that takes a body, with one that uses each of its members. */
const BODIES = {
  'POST /v1/llm/chat/completions': CHAT,
  'POST /v1/chat/completions': CHAT,
  'POST /v1/messages': MESSAGE,
  'POST /v1/messages/count_tokens': COUNT,
  'POST /v1/responses': RESPONSE,
  'POST /v1/embeddings': {
    model: 'victim-vectors',
    input: ['x'],
    encoding_format: 'float',
    dimensions: 2,
    user: 'x',
  },
  'POST /v1/llm/route/explain': CHAT,
  'POST /v1/keys': KEY,
  'PATCH /v1/keys/{id}': { ...KEY, status: 'disabled' },
  'PUT /v1/keys/{id}': { ...KEY, status: 'disabled' },
  'POST /v1/keys/{id}/rotate': { grace_period_seconds: 1 },
  'POST /v1/account/members': { ...PERSON, role: 'member' },
  'PATCH /v1/account/members/{id}': { role: 'member', display_name: 'x' },
  'POST /v1/users/login': { email: 'x@example.test', password: 'x', cookie: false },
  'POST /v1/users/refresh': { refresh_token: 'x', cookie: false },
  'POST /v1/users': PERSON,
  'POST /v1/users/logout': { all_sessions: false, refresh_token: 'x', cookie: false },
  'POST /v1/users/reset-password': { code: 'x', new_password: 'a new password' },
  'POST /v1/users/password': { current_password: 'x', new_password: 'a new password' },
  'POST /v1/oauth/token': { code: 'x', cookie: false },
  'POST /v1/webhooks': WEBHOOK,
  'PUT /v1/webhooks/{id}': { ...WEBHOOK, status: 'disabled' },
  'PATCH /v1/webhooks/{id}': { ...WEBHOOK, status: 'disabled' },
  'POST /v1/webhooks/{id}/rotate-secret': { grace_period_seconds: 1 },
  'POST /v1/admin/channels/discover': {
    // Refuses at once, where an address without a host would be waited for.
    type: 'openai',
    base_url: 'http://127.0.0.1:1/',
    credential: 'x',
  },
  'POST /v1/admin/channels': CHANNEL,
  'PUT /v1/admin/channels/{id}': CHANNEL,
  'PATCH /v1/admin/channels/{id}': CHANNEL,
  'POST /v1/admin/channels/{id}/health': { model: 'victim-model' },
  'POST /v1/admin/models': CATALOGUE_MODEL,
  'PUT /v1/admin/models/{id}': CATALOGUE_MODEL,
  'PATCH /v1/admin/models/{id}': CATALOGUE_CHANGE,
  'POST /v1/admin/accounts': { name: 'x', plan: 'free', owner: PERSON },
  'PATCH /v1/admin/accounts/{id}': {
    name: 'x',
    status: 'active',
    overrides: OVERRIDES,
  },
  'PUT /v1/admin/accounts/{id}': { name: 'x', status: 'active', overrides: OVERRIDES },
  'POST /v1/admin/accounts/{id}/credits': { amount: '0.01', note: 'x' },
  'POST /v1/admin/accounts/{id}/adjustments': { amount: '0.01', reason: 'x' },
  'PUT /v1/admin/accounts/{id}/plan': { plan: 'free' },
  'POST /v1/topups/{provider}': {
    type: 'topup.succeeded',
    timestamp: '2026-01-31T12:00:00.000Z',
    data: { account_id: 'x', amount: '0.01', currency: 'USD', reference: 'x' },
  },
  'PUT /v1/billing/thresholds': { amounts: ['0.01'], days: [1], suspend_below: '0.001' },
  'POST /v1/account/redeem': { code: 'x' },
  'POST /v1/admin/plans': PLAN,
  'PATCH /v1/admin/plans/{id}': PLAN_CHANGE,
  'PUT /v1/admin/plans/{id}': PLAN_CHANGE,
  'POST /v1/admin/accounts/{id}/export': { format: 'csv' },
  'POST /v1/admin/models/import': { dry_run: true, models: [CATALOGUE_MODEL] },
  'POST /v1/admin/codes': {
    amount: '0.01',
    count: 1,
    note: 'x',
    expires_at: '2999-01-31T12:00:00.000Z',
  },
  'POST /v1/admin/users': { ...PERSON, role: 'member', account_id: 'x' },
  'PATCH /v1/admin/users/{id}': {
    role: 'member',
    display_name: 'x',
    email: 'other@example.test',
  },
} as const;
type OperationName = keyof typeof BODIES;
const OPERATIONS = Object.keys(BODIES) as OperationName[];

/** A table in place of the models, of which there are some already. */
const LEFT_OUT = ['POST /v1/admin/models/import csv'];

/** Members that take any object; what is inside is ignored, or the vendors' business. */
const FREE_FORM = [
  /^(metadata|tools|response_format|logit_bias)/,
  /^(stream_options|text|reasoning|output_config)$/,
  /cache_control|format\.schema$/,
];
const isFreeForm = (place: Place) => FREE_FORM.some((pattern) => pattern.test(place.join('.')));

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}
interface DocumentedOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

let tollgate: RunningTollgate;
let accessToken = '';
let documented: OpenApi;
/** Things that exist, so that a hostile body gets as far as a good one. */
const victims: Record<string, string> = {};

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_INIT_CREDIT: '1000.00',
    TOLLGATE_REGISTRATION: 'open',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '192.0.2.1,127.0.0.1:1',
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '192.0.2.1',
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '1000000',
    TOLLGATE_GATEWAY_PUBLIC_PER_MINUTE: '1000000',
    TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '100000',
    TOLLGATE_ROUTING_HEALTH_TIMEOUT_MS: '100',
  });
  const { api, operatorEmail: email, operatorPassword: password } = tollgate;
  const login = await api.post('/v1/users/login', { email, password });
  accessToken = String(login.access_token);
  documented = JSON.parse((await api.request('GET', '/v1/openapi.json')).text) as OpenApi;
  const make = async (name: string, path: string, body: unknown) => {
    victims[name] = String((await api.post(path, body)).id ?? 'victim-model');
  };
  const { items } = await api.get('/v1/admin/channels');
  const [channel] = items as readonly { readonly id: string }[];
  await api.put(`/v1/admin/channels/${channel?.id}`, {
    capabilities: ['tools', 'logit_bias', 'reasoning_effort', 'response_format'],
  });
  await eventually(
    () => send('POST /v1/chat/completions', JSON.stringify(CHAT)),
    ({ status }) => status === 200,
  );
  await addEmbeddingModel(api, 'victim-vectors');
  await make('models', '/v1/admin/models', CATALOGUE_MODEL);
  await make('keys', '/v1/keys', { name: 'victim' });
  await make('webhooks', '/v1/webhooks', BODIES['POST /v1/webhooks']);
  await make('channels', '/v1/admin/channels', CHANNEL);
  const owner = { ...PERSON, email: 'victim@example.test' };
  await make('accounts', '/v1/admin/accounts', { name: 'victim', owner });
  const member = { ...PERSON, email: 'member@example.test', role: 'member' };
  await make('users', '/v1/admin/users', { ...member, account_id: victims.accounts });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

afterEach(async () => {
  const answer = await tollgate.api.request('POST', '/v1/chat/completions', {
    body: { model: 'sim-small', max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('choices')]);
  expect(tollgate.process.output()).not.toMatch(/"level":"error"|INTERNAL_ERROR|DATABASE_ERROR/);
});

let calls = 0;

function send(operation: string, body: string | undefined, path?: string): Promise<ApiAnswer> {
  const [method = '', template = ''] = operation.split(' ');
  const kind = /\/(keys|webhooks|channels|models|accounts|users)\/\{/.exec(template)?.[1] ?? '';
  const target = path ?? template.replace('{id}', victims[kind] ?? 'nothing');
  const headers: Record<string, string> = {};
  if (/\/v1\/(users|account)/.test(template)) headers.authorization = `Bearer ${accessToken}`;
  calls += 1;
  if (/credits|adjustments/.test(operation)) headers['idempotency-key'] = `key-${calls}`;
  return tollgate.api.request(method, target, { body, headers });
}

interface Case {
  readonly operation: OperationName;
  readonly place: Place;
  readonly hostile: HostileValue;
}

/** Sends all cases, a few at a time; answers a line for each that went wrong. */
async function tryAll<Item>(
  items: readonly Item[],
  judge: (item: Item) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const fault = await judge(item);
      if (fault !== undefined) wrong.push(fault);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return wrong;
}

function casesOf(values: readonly HostileValue[]): readonly Case[] {
  return OPERATIONS.flatMap((operation) =>
    placesOf(BODIES[operation]).flatMap((place) =>
      values.map((hostile) => ({ operation, place, hostile })),
    ),
  );
}

async function sendCase({ operation, place, hostile }: Case) {
  const answer = await send(operation, replaceAt(BODIES[operation], place, hostile.json));
  const line = `${operation} ${place.join('.')} = ${hostile.name}: ${answer.status} ${answer.text.slice(0, 200)}`;
  return { answer, line };
}

test('the table has every operation that takes a body, and uses each of its members', () => {
  // A reference says nothing of members: the parser puts the schema in its place.
  const { operations, root } = parseOpenApi(JSON.stringify(documented));
  const withBody = operations.filter(({ body }) =>
    JSON.stringify(body ?? {}).includes('"properties":{"'),
  );
  expect(withBody.map(nameOf).sort()).toEqual([...OPERATIONS].sort());
  const leftOut = withBody.flatMap((operation) => {
    const name = nameOf(operation) as OperationName;
    const { schema = {} } = operation.body?.content['application/json'] ?? {};
    return absentMembers(schema, BODIES[name], root).map((place) => `${name} ${place.join('.')}`);
  });
  expect(leftOut).toEqual(LEFT_OUT);
});

test('the bodies of the table are good ones', async () => {
  const wrong = await tryAll(OPERATIONS, async (operation) => {
    const answer = await send(operation, JSON.stringify(BODIES[operation]));
    const found = answer.body?.error?.code === 'VALIDATION_ERROR';
    return found ? `${operation}: ${answer.text}` : undefined;
  });
  expect(wrong).toEqual([]);
});

test('an operator or a prototype in place of any value is refused and named', async () => {
  const cases = casesOf(INJECTIONS).filter(({ place }) => !isFreeForm(place));
  const wrong = await tryAll(cases, async (one) => {
    const { answer, line } = await sendCase(one);
    const { code, param } = answer.body?.error ?? {};
    const refused = code === 'VALIDATION_ERROR' && typeof param === 'string' && param !== '';
    return refused && faultOf(answer) === undefined ? undefined : line;
  });
  expect(cases.length).toBeGreaterThan(900);
  expect(wrong).toEqual([]);
});

const HOSTILE_IDS = [
  '{"$gt":""}',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../admin/accounts',
  'a\u0000b',
  ' ',
  '*',
  'key_01%',
  'x'.repeat(10_000),
  '\u202e',
].map(encodeURIComponent);

test('an id that is none is 404 or 400, whatever stands in it', async () => {
  const operations = Object.entries(documented.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const withId = operations.filter((operation) => operation.includes('{'));
  const cases = withId.flatMap((operation) =>
    // The last ones are no UTF-8: they decode to nothing.
    [...HOSTILE_IDS, '%ff', '%c0%ae', '%'].map((id) => ({ operation, id })),
  );
  const wrong = await tryAll(cases, async ({ operation, id }) => {
    const body = operation in BODIES ? BODIES[operation as OperationName] : undefined;
    const path = operation.replace(/^\w+ /, '').replace(/\{\w+\}/, id);
    const answer = await send(operation, JSON.stringify(body), path);
    // Whose signature is not right is not told whether the signer is known.
    const isSigned = operation.endsWith('{provider}') && answer.status === 401;
    const refused = isSigned || answer.status === 404 || answer.status === 400;
    const line = `${operation} ${id.slice(0, 40)}: ${answer.status} ${answer.text}`;
    return refused && faultOf(answer) === undefined ? undefined : line;
  });
  expect(withId.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('a query that is none is 400: operators, lists, doubles, strangers and forged cursors', async () => {
  const forged = ['{"$gt":""}', '{"__proto__":{"a":1}}', '["key_"]', 'null', '\u0000'].flatMap(
    (cursor) => [cursor, Buffer.from(cursor).toString('base64url')],
  );
  const wrong: string[] = [];
  for (const [path, methods] of Object.entries(documented.paths)) {
    const parameters = (methods.get?.parameters ?? []).filter((one) => one.in === 'query');
    if (methods.get === undefined || path.startsWith('/v1/oauth/')) continue;
    const queries = ['$where=1', 'x[$gt]=', '__proto__=1', '__proto__[admin]=1', 'constructor=1'];
    for (const { name } of parameters) {
      queries.push(`${name}[$gt]=`, `${name}[]=1`, `${name}=1&${name}=2`);
      if (name === 'limit') queries.push('limit=0', 'limit=-1', 'limit=201', 'limit=1e2');
      if (name === 'limit') queries.push('limit=99999999999999999999', 'limit=%00', 'limit=');
      if (name === 'cursor') {
        queries.push(...forged.map((text) => `cursor=${encodeURIComponent(text)}`));
        queries.push(`cursor=${'x'.repeat(600)}`, 'cursor=');
      }
      if (/start|end|interval|group_by|format/.test(name)) {
        queries.push(`${name}=%7B%22%24gt%22%3A%22%22%7D`, `${name}=__proto__`, `${name}=`);
      }
    }
    const [, kind = ''] = /\/(\w+)\/\{/.exec(path) ?? [];
    const target = path.replace(/\{\w+\}/, victims[kind] ?? 'nothing');
    wrong.push(
      ...(await tryAll(queries, async (query) => {
        const answer = await send(`GET ${path}`, undefined, `${target}?${query}`);
        const line = `${path}?${query.slice(0, 60)}: ${answer.status} ${answer.text.slice(0, 200)}`;
        return answer.status === 400 && faultOf(answer) === undefined ? undefined : line;
      })),
    );
  }
  expect(wrong).toEqual([]);
});

test('an odd value in any place is a success or a failure of the table, never a fault', async () => {
  // Both completion paths lead to one handler.
  const cases = casesOf(ODDITIES).filter(({ operation }) => !operation.includes('llm/chat'));
  const wrong = await tryAll(cases, async (one) => {
    const { answer, line } = await sendCase(one);
    return answer.status < 500 && faultOf(answer) === undefined ? undefined : line;
  });
  expect(cases.length).toBeGreaterThan(3000);
  expect(wrong).toEqual([]);
});
