import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, openAccount } from '../support/accounts';
import { type Api, type ApiAnswer, createApi } from '../support/api';
import { DOCUMENTED_CODES, faultOf, readPage } from '../support/error-table';
import { eventually } from '../support/eventually';
import { sendRaw } from '../support/network/raw-http';
import { REPOSITORY } from '../support/repository';
import { directive } from '../support/vendors/simulator';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const MODEL = 'sim-small';
const CHAT = '/v1/chat/completions';
const MEBIBYTE = 1024 * 1024;

/** Codes that no request can produce while the service and its vendors are well; who tests them. */
const UNIT_TESTED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  DATABASE_ERROR: [
    'packages/mongo/src/mongo.test.ts',
    'a document is inserted once, and any other answered error is DATABASE_ERROR',
  ],
  CONTENT_POLICY: [
    'services/completion/src/vendors/protocol/request-faults.test.ts',
    'a request that is against a policy of %s is said so',
  ],
  INTERNAL_ERROR: [
    'packages/rpc/src/rpc.test.ts',
    'a bug in a handler is INTERNAL_ERROR without its text',
  ],
};

let tollgate: RunningTollgate;
/** The owner of an account with money and no limits to speak of, and a key of that account. */
let owner: Api;
let caller: Api;
let stranger: Api;

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_COMPLETION_FIRST_TOKEN_TIMEOUT_MS: '500',
    TOLLGATE_GATEWAY_HEADERS_TIMEOUT_MS: '5000',
  });
  owner = (await openAccount(tollgate.api, { credit: '10.00' })).owner.api;
  caller = (await createKey(owner)).api;
  stranger = createApi(tollgate.baseUrl, undefined);
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

type Body = Readonly<Record<string, unknown>>;

function complete(api: Api, over: Body = {}): Promise<ApiAnswer> {
  const messages = [{ role: 'user', content: 'Hello' }];
  return api.request('POST', CHAT, { body: { model: MODEL, messages, ...over } });
}

function simulate(settings: Body): Body {
  return { messages: [{ role: 'user', content: directive(settings) }] };
}

/** More than the context of any model. */
const TOO_LONG = { messages: [{ role: 'user', content: 'word '.repeat(300_000) }] };

/** A model that is known and that no channel serves. */
const UNSERVED = {
  name: 'unserved',
  description: 'Known, and served by nobody.',
  context_length: 8192,
  max_completion_tokens: 1024,
  pricing: {
    currency: 'USD',
    prompt: '1.00',
    completion: '1.00',
    cached_prompt: '1.00',
    per: '1M',
  },
  capabilities: [],
};

async function sendOne(bytes: string): Promise<ApiAnswer> {
  const [answer] = await sendRaw(tollgate.baseUrl, bytes);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** How each code comes about, over HTTP alone. */
const produce: Readonly<Record<string, () => Promise<ApiAnswer>>> = {
  VALIDATION_ERROR: () => complete(caller, { temperature: 3 }),
  UNAUTHORIZED: () => stranger.request('GET', '/v1/keys'),
  INVALID_CREDENTIALS: () =>
    stranger.request('POST', '/v1/users/login', {
      body: { email: tollgate.operatorEmail, password: 'not the password' },
    }),
  INSUFFICIENT_BALANCE: async () => {
    const poor = await openAccount(tollgate.api);
    const { api } = await createKey(poor.owner.api);
    return complete(api, { max_tokens: 16 });
  },
  KEY_BUDGET_EXCEEDED: async () => {
    const { api } = await createKey(owner, { max_budget: '0.000000001' });
    return complete(api, { max_tokens: 16 });
  },
  COST_LIMIT: () =>
    caller.request('POST', CHAT, {
      body: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] },
      headers: { 'x-tollgate-max-cost': '0.000000001' },
    }),
  FORBIDDEN: async () => {
    const { api } = await createKey(owner, { scopes: ['completions'] });
    return api.request('GET', '/v1/keys');
  },
  NOT_FOUND: () => complete(caller, { model: 'nobody' }),
  // The other path speaks to clients that know the code by another name.
  CONTEXT_LENGTH_EXCEEDED: () =>
    caller.request('POST', '/v1/llm/chat/completions', { body: { model: MODEL, ...TOO_LONG } }),
  METHOD_NOT_ALLOWED: () => owner.request('DELETE', '/v1/keys'),
  REQUEST_TIMEOUT: () => sendOne('GET /livez HTTP/1.1\r\nHost: x\r\n'),
  HEADERS_TOO_LARGE: () =>
    sendOne(`GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  CONFLICT: () =>
    tollgate.api.request('POST', '/v1/admin/models', { body: { ...UNSERVED, name: MODEL } }),
  PAYLOAD_TOO_LARGE: () =>
    owner.request('POST', '/v1/keys', { body: { name: 'x'.repeat(MEBIBYTE) } }),
  UNSUPPORTED_MEDIA_TYPE: () =>
    owner.request('POST', '/v1/keys', {
      body: 'name=test',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  IDEMPOTENCY_MISMATCH: async () => {
    const headers = { 'idempotency-key': 'one-key-two-bodies' };
    await owner.post('/v1/keys', { name: 'first' }, headers);
    return owner.request('POST', '/v1/keys', { body: { name: 'second' }, headers });
  },
  RATE_LIMIT_EXCEEDED: async () => {
    const { api } = await createKey(owner, { requests_per_minute: 1 });
    expect((await complete(api, { max_tokens: 1 })).status).toBe(200);
    return complete(api, { max_tokens: 1 });
  },
  UPSTREAM_ERROR: () => complete(caller, simulate({ fail: 'status:500' })),
  UPSTREAM_TIMEOUT: () =>
    complete(caller, { ...simulate({ fail: 'hang:after_head' }), stream: true }),
  SERVICE_UNAVAILABLE: async () => {
    await tollgate.api.post('/v1/admin/models', UNSERVED);
    // Completion hears of the new model a moment later.
    return eventually(
      () => complete(caller, { model: UNSERVED.name }),
      (answer) => answer.status !== 404,
    );
  },
};

/** Header values that belong to a code besides its body. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  UNAUTHORIZED: { 'www-authenticate': /^Bearer/ },
  METHOD_NOT_ALLOWED: { allow: /^(?=.*\bGET\b)(?=.*\bPOST\b)(?!.*\bDELETE\b)/ },
  RATE_LIMIT_EXCEEDED: { 'retry-after': /^[1-9]\d?$/, 'retry-after-ms': /^\d+$/ },
  SERVICE_UNAVAILABLE: { 'retry-after': /^[1-9]\d*$/ },
};

test('every code with a page is produced here, or by a unit test that is named', () => {
  expect([...Object.keys(produce), ...Object.keys(UNIT_TESTED)].sort()).toEqual(
    [...DOCUMENTED_CODES].sort(),
  );
  for (const [file, title] of Object.values(UNIT_TESTED)) {
    const path = join(REPOSITORY, file);
    expect(existsSync(path) && readFileSync(path, 'utf8').includes(title)).toBe(true);
  }
});

test.each(Object.keys(produce))('%s is answered as its page says', async (code) => {
  const { status, retryHelps, example } = readPage(code);
  const answer = await produce[code]?.();
  if (answer?.body === undefined) throw new Error(`no JSON body: ${answer?.text}`);

  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(faultOf(answer)).toBeUndefined();
  // Message and field differ from case to case; everything else is as it is shown.
  const { message, param } = answer.body.error ?? {};
  expect(answer.body).toEqual({ ...example, error: { ...example.error, message, param } });
  expect(message).toMatch(/^\S.*[.!]$/s);
  expect(param === null || typeof param === 'string').toBe(true);

  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-api-version')).toBe('v1');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_\w+$/);
  if (!retryHelps) expect(answer.headers.get('x-should-retry')).toBe('false');
  for (const [name, value] of Object.entries(HEADERS[code] ?? {})) {
    expect(answer.headers.get(name)).toMatch(value);
  }
});

test('a path without the envelope says a code as client libraries know it', async () => {
  const answer = await complete(caller, TOO_LONG);
  const { status, openaiCode } = readPage('CONTEXT_LENGTH_EXCEEDED');
  expect(openaiCode).toBe('context_length_exceeded');
  expect([answer.status, answer.body?.error?.code]).toEqual([status, openaiCode]);
  expect(faultOf(answer)).toBeUndefined();
});

test.each([
  ['VALIDATION_ERROR', 'temperature'],
  ['NOT_FOUND', 'model'],
])('%s names the field at fault', async (code, param) => {
  const answer = await produce[code]?.();
  expect(answer?.body?.error?.param).toBe(param);
});
