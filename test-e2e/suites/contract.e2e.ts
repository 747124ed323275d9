import { type ApiAnswer, createApi } from '../support/api';
import {
  callCase,
  OPERATION_CASES,
  type OperationCase,
  urlOf,
} from '../support/openapi/openapi-cases';
import { nameOf } from '../support/openapi/openapi-document';
import { type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';

jest.setTimeout(120_000);

/** The endpoints that the interface promises, each with the status of its success. */
const PROMISED: readonly (readonly [method: string, path: string, status: number])[] = [
  ['POST', '/v1/llm/chat/completions', 200],
  ['GET', '/v1/keys', 200],
  ['POST', '/v1/keys', 201],
  ['DELETE', '/v1/keys/{id}', 200],
  ['POST', '/v1/keys/{id}/rotate', 200],
  ['GET', '/v1/admin/channels', 200],
  ['POST', '/v1/admin/channels', 201],
  ['PUT', '/v1/admin/channels/{id}', 200],
  ['DELETE', '/v1/admin/channels/{id}', 200],
  ['POST', '/v1/admin/channels/{id}/health', 200],
  ['GET', '/v1/llm/models', 200],
  ['GET', '/v1/billing/balance', 200],
  ['GET', '/v1/billing/plans', 200],
  ['GET', '/v1/stats', 200],
  ['GET', '/v1/oauth/login', 200],
  ['GET', '/v1/oauth/callback', 200],
  ['GET', '/v1/webhooks', 200],
  ['POST', '/v1/webhooks', 201],
  ['POST', '/v1/users/login', 200],
  ['GET', '/v1/users/me', 200],
];

/** Their bodies are completions: clients send many members that we do not know. */
const CHAT_PATHS = ['/v1/llm/chat/completions', '/v1/chat/completions', '/v1/llm/route/explain'];
/** Providers add parameters of their own to the callback; clients do to completions. */
const OPEN_QUERIES = [
  '/v1/oauth/callback',
  '/v1/llm/chat/completions',
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/v1/embeddings',
];
const JSON_TYPE = 'application/json; charset=utf-8';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_ID = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
const UNKNOWN = 'surely_not_known';

const cases = OPERATION_CASES.map((one) => [nameOf(one), one] as const);
const secured = cases.filter(([, { as }]) => as !== 'anyone');
const withBody = cases.filter(([, { method }]) => ['POST', 'PUT', 'PATCH'].includes(method));
const managing = withBody.filter(([, { path }]) => !CHAT_PATHS.includes(path));
const closedQueries = cases.filter(([, { path }]) => !OPEN_QUERIES.includes(path));
const paths = [...new Set(OPERATION_CASES.map(({ path }) => path))];

let fixture: OpenApiFixture;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

/** What every answer under /v1 carries. */
function expectCommonHeaders({ headers }: ApiAnswer, type = JSON_TYPE): void {
  expect(headers.get('x-api-version')).toBe('v1');
  expect(headers.get('x-request-id')).toMatch(REQUEST_ID);
  expect(headers.get('content-type')).toBe(type);
}

/** The one body of every failure. */
function expectFailure(answer: ApiAnswer, status: number, code: string): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expectCommonHeaders(answer);
  const { error, ...rest } = answer.body ?? {};
  // The formats of other services have another frame around the same members.
  const frame = 'success' in rest ? { success: false, data: null, message: null } : OTHER_FRAME;
  expect(rest).toEqual(frame);
  expect(Object.keys(error ?? {}).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(error?.message).toMatch(/\S/);
}

/** What the answers of formats have that give no `object`. */
const OWN_MEMBERS: Readonly<Record<string, string>> = {
  'POST /v1/messages': 'type',
  'POST /v1/messages/count_tokens': 'input_tokens',
};

/** Answers that come line by line, and their type. */
const LINES: Readonly<Record<string, string>> = {
  'POST /v1/admin/accounts/{id}/export': 'application/jsonl',
};

/** Around the failures of `POST /v1/messages`. */
const OTHER_FRAME = { type: 'error' };

const asMember = { [UNKNOWN]: 1 };

async function callWith(one: OperationCase, change: { body?: object; query?: string }) {
  const arranged = await one.content(fixture);
  const query = [arranged.query, change.query].filter((part) => part !== undefined).join('&');
  // A month is looked at before anything is looked up.
  const id = one.path.endsWith('{month}') ? { id: '2026-01' } : {};
  const url = urlOf(one.path, { ...arranged, ...id, ...(query === '' ? {} : { query }) });
  const body =
    change.body === undefined ? arranged.body : { ...toObject(arranged.body), ...change.body };
  const headers = arranged.headers ?? {};
  return fixture.callers[one.as].request(one.method, url, { body, headers });
}

const toObject = (body: unknown) => (body ?? {}) as object;

describe('the table', () => {
  test('every operation of the served document has a case, and no case is without one', () => {
    const documented = fixture.document.operations.map(nameOf).sort();
    expect(cases.map(([name]) => name).sort()).toEqual(documented);
  });

  test.each(PROMISED)('%s %s is served as promised, with %i', (method, path, status) => {
    const found = OPERATION_CASES.find((one) => one.method === method && one.path === path);
    expect(found?.status).toBe(status);
    expect(found?.plain).toBe(false);
  });

  test('the document says which operations need a bearer', () => {
    const open = fixture.document.operations.filter((operation) => !operation.secured).map(nameOf);
    const public_ = cases.filter(([, { as }]) => as === 'anyone').map(([name]) => name);
    expect(open.sort()).toEqual([...public_].sort());
  });
});

describe('a success', () => {
  test.each(cases)('of %s has its status, its headers and its envelope', async (name, one) => {
    const answer = await callCase(one, fixture);
    expect([answer.status, answer.body?.error?.message]).toEqual([one.status, undefined]);
    expectCommonHeaders(answer, LINES[name]);
    if (name in LINES) {
      for (const line of answer.text.trimEnd().split('\n')) JSON.parse(line);
      return;
    }
    if (one.plain) {
      expect(answer.body).not.toHaveProperty('success');
      expect(answer.body).toHaveProperty(OWN_MEMBERS[name] ?? 'object');
      return;
    }
    expect(Object.keys(answer.body ?? {})).toEqual(['success', 'data', 'error', 'message']);
    expect(answer.body).toMatchObject({ success: true, error: null, message: null });
    expect(answer.body?.data).toEqual(expect.any(Object));
  });

  test('of a deletion names what is gone', async () => {
    const id = await fixture.newKey();
    const { body } = await fixture.callers.key.request('DELETE', `/v1/keys/${id}`);
    expect(body?.data).toEqual({ id, deleted: true });
  });

  test('echoes a well-formed id of the caller beside our own', async () => {
    const ask = (id: string) =>
      fixture.callers.key.request('GET', '/v1/models', { headers: { 'x-request-id': id } });
    const echoed = await ask('of-the-caller-1');
    expect(echoed.headers.get('x-client-request-id')).toBe('of-the-caller-1');
    expectCommonHeaders(echoed);
    expect((await ask('x'.repeat(1000))).headers.get('x-client-request-id')).toBeNull();
  });
});

describe('without a bearer', () => {
  test.each(secured)('%s is 401', async (_name, one) => {
    const answer = await fixture.callers.anyone.request(one.method, urlOf(one.path));
    expectFailure(answer, 401, 'UNAUTHORIZED');
  });

  test('missing, malformed, unknown and broken bearers get one and the same body', async () => {
    const { baseUrl, apiKey } = fixture.tollgate;
    const broken = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
    const bearers = [undefined, '', 'x', 'a-key-of-nobody-at-all', 'a.b.c', broken];
    const bodies = new Set<string>();
    for (const bearer of bearers) {
      const answer = await createApi(baseUrl, bearer).request('GET', '/v1/keys');
      expectFailure(answer, 401, 'UNAUTHORIZED');
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
  });
});

describe('a method that a path does not have', () => {
  test.each(paths)('is 405 on %s, and says which it has', async (path) => {
    const known = OPERATION_CASES.filter((one) => one.path === path).map(({ method }) => method);
    const allowed = known.includes('GET') ? [...known, 'HEAD'] : known;
    for (const method of METHODS.filter((each) => !known.includes(each))) {
      const answer = await fixture.callers.anyone.request(method, urlOf(path));
      expectFailure(answer, 405, 'METHOD_NOT_ALLOWED');
      const allow = (answer.headers.get('allow') ?? '').split(', ');
      expect(allow.sort()).toEqual([...allowed].sort());
    }
  });

  test('is 405 on the document too', async () => {
    const answer = await fixture.callers.anyone.request('POST', '/v1/openapi.json', { body: {} });
    expectFailure(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('what is not known', () => {
  test.each(managing)('in the body of %s is 400 with its name', async (_name, one) => {
    const answer = await callWith(one, { body: asMember });
    expectFailure(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body?.error?.param).toBe(UNKNOWN);
  });

  test.each(closedQueries)('in the query of %s is 400 with its name', async (_name, one) => {
    const answer = await callWith(one, { query: `${UNKNOWN}=1` });
    expectFailure(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body?.error?.param).toBe(UNKNOWN);
  });

  test.each(CHAT_PATHS)('in a completion sent to %s is ignored', async (path) => {
    const one = OPERATION_CASES.find((each) => each.path === path);
    if (one === undefined) throw new Error(path);
    expect((await callWith(one, { body: asMember })).status).toBe(200);
  });

  test('as a path is 404, below /v1 and anywhere', async () => {
    expectFailure(await fixture.callers.key.request('GET', '/v1/nothing'), 404, 'NOT_FOUND');
    const elsewhere = await fixture.callers.key.request('GET', '/nothing');
    expect([elsewhere.status, elsewhere.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
    expect(elsewhere.headers.get('x-api-version')).toBeNull();
  });

  test.each(['/v1/completions'])(
    '%s is 404 and names the path that clients should use',
    async (path) => {
      const answer = await fixture.callers.key.request('POST', path, { body: {} });
      expectFailure(answer, 404, 'NOT_FOUND');
      expect(answer.body?.error?.message).toContain('/v1/chat/completions');
    },
  );
});

describe('the form of a body', () => {
  test.each(withBody)('of %s that is no JSON by its type is 415', async (_name, one) => {
    const { headers } = await one.content(fixture);
    const answer = await fixture.callers[one.as].request(one.method, urlOf(one.path), {
      body: 'name=x',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expectFailure(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('a member given twice, a deep one and a list at the top are 400', async () => {
    const deep = `{"name":${'['.repeat(100)}${']'.repeat(100)}}`;
    for (const body of ['{"name":"a","name":"b"}', deep, '[]', '"x"', '{']) {
      const answer = await fixture.callers.key.request('POST', '/v1/keys', { body });
      expectFailure(answer, 400, 'VALIDATION_ERROR');
    }
  });

  test('one that is larger than allowed is 413', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(11 * 1024 * 1024) });
    expectFailure(
      await fixture.callers.key.request('POST', '/v1/keys', { body }),
      413,
      'PAYLOAD_TOO_LARGE',
    );
  });
});
