import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiAnswer, createApi } from '../support/api';
import {
  callCase,
  OPERATION_CASES,
  type OperationCase,
  urlOf,
} from '../support/openapi/openapi-cases';
import { nameOf, operationNamed } from '../support/openapi/openapi-document';
import { CHAT, type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';
import { findFaults } from '../support/openapi/openapi-schema';

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
const JSON_MEDIA = 'application/json';
const JSON_TYPE = `${JSON_MEDIA}; charset=utf-8`;
/** The last is one that no path has. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'];
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
});

const operationOf = (name: string) => operationNamed(fixture.document, name);

describe('the document', () => {
  test('is OpenAPI 3.1, needs no bearer, and names every operation once', async () => {
    expect(fixture.document.openapi).toMatch(/^3\.1\./);
    const answer = await fixture.callers.anyone.request('GET', '/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('success');
    const ids = [...answer.text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(fixture.document.operations.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('documents the parameters of every path', () => {
    for (const { path, parameters } of fixture.document.operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(names);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  test('says that a body is required exactly where leaving it out is refused', async () => {
    for (const { name, operation } of operationsWithBody()) {
      const one = OPERATION_CASES.find((each) => nameOf(each) === name);
      if (one === undefined) throw new Error(name);
      const { headers = {} } = await one.content(fixture);
      const answer = await fixture.callers[one.as].request(one.method, urlOf(one.path), {
        headers,
      });
      const refused = answer.status === 415;
      expect([name, operation.body?.required === true]).toEqual([name, refused]);
    }
  });
});

function operationsWithBody() {
  return fixture.document.operations
    .filter(({ body }) => body !== undefined)
    .map((operation) => ({ name: nameOf(operation), operation }));
}

describe('the answer', () => {
  test('to a stream is an event stream, as documented', async () => {
    const answer = await fixture.callers.key.request('POST', '/v1/chat/completions', {
      body: { ...CHAT, stream: true },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  test('to statistics as CSV is documented', async () => {
    const answer = await fixture.callers.key.request('GET', '/v1/stats?format=csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.text).toMatch(/^bucket,requests,/);
  });

  test('to a browser that signs in elsewhere is a documented redirect', async () => {
    const answer = await fixture.callers.anyone.request('GET', '/v1/oauth/login', {
      headers: { accept: 'text/html' },
    });
    expect(answer.status).toBe(302);
    expect(operationOf('GET /v1/oauth/login').responses[302]).toBeDefined();
    expect(operationOf('GET /v1/oauth/callback').responses[302]).toBeDefined();
  });

  test('with a member more or less, or of another type, would be noticed', () => {
    const { schema } = operationOf('GET /v1/users/me').responses[200]?.content?.[JSON_MEDIA] ?? {};
    const context = { root: fixture.document.root, closed: true };
    const faults = findFaults(
      schema ?? {},
      { success: true, data: { id: 7, secret: 'x' }, error: null },
      context,
    );
    expect(faults).toEqual(
      expect.arrayContaining([
        '$.data.id is no string: 7',
        '$.data.secret is not documented',
        expect.stringMatching(/^\$ lacks message/),
        expect.stringMatching(/^\$\.data lacks email/),
      ]),
    );
  });
});

test('every suite would notice an answer that is not documented', async () => {
  const { text } = await fixture.callers.anyone.request('GET', '/v1/openapi.json');
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', JSON_TYPE);
    if (url === '/v1/openapi.json') response.end(text);
    else response.end('{"success":true,"data":{"more":1},"error":null,"message":null}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const pretender = createApi(`http://127.0.0.1:${port}`, undefined);
    await expect(pretender.request('GET', '/v1/users/me')).rejects.toThrow(
      /more is not documented/,
    );
    await expect(pretender.request('GET', '/v1/unheard/of')).rejects.toThrow(/not documented/);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('an example', () => {
  test('is there for every operation that takes members, and follows its own schema', () => {
    const context = { root: fixture.document.root, closed: true };
    for (const { name, operation } of operationsWithBody()) {
      const media = operation.body?.content[JSON_MEDIA];
      if (media === undefined) throw new Error(name);
      if (Object.keys((media.schema.properties ?? {}) as object).length === 0) continue;
      expect([name, media.example]).toEqual([name, expect.any(Object)]);
      expect([name, ...findFaults(media.schema, media.example, context)]).toEqual([name]);
    }
  });

  test('is never refused for its form', async () => {
    const { receiver, callers } = fixture;
    // The examples' channel serves a model that has to be there first.
    const catalogue = operationOf('POST /v1/admin/models').body?.content[JSON_MEDIA]?.example;
    await callers.key.post('/v1/admin/models', catalogue);
    let sent = 0;
    for (const { name, operation } of operationsWithBody()) {
      const example = operation.body?.content[JSON_MEDIA]?.example;
      const one = OPERATION_CASES.find((each) => nameOf(each) === name);
      if (example === undefined || one === undefined) continue;
      const { headers = {} } = await one.content(fixture);
      const answer = await fixture.callers[one.as].request(one.method, urlOf(one.path), {
        // Other people's addresses become one of ours: nothing leaves this machine.
        body: JSON.stringify(example).replace(/https:\/\/[\w.]+\.example\.com/, receiver.url('')),
        headers,
      });
      // What it names need not be there: an unknown id, a taken name or a wrong password are fine.
      expect([name, answer.status, answer.body?.error?.message]).not.toEqual([
        name,
        400,
        expect.anything(),
      ]);
      expect([name, answer.status < 500]).toEqual([name, true]);
      sent += 1;
    }
    expect(sent).toBeGreaterThan(20);
  });
});

describe('the page at /docs', () => {
  test('loads everything from our own origin, and nothing else may be loaded', async () => {
    const { anyone } = fixture.callers;
    const page = await anyone.request('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/(?:src|href|action)="(?:\w+:)?\/\//);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) {
      const asset = await anyone.request('GET', String(path));
      expect([path, asset.status]).toEqual([path, 200]);
      expect(asset.text.length).toBeGreaterThan(0);
    }
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
  });
});
