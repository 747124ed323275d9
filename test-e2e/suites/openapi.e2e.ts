import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiAnswer, createApi } from '../support/api';
import { findAnswerFaults } from '../support/openapi/documented-answers';
import { callCase, OPERATION_CASES, urlOf } from '../support/openapi/openapi-cases';
import { nameOf, operationNamed } from '../support/openapi/openapi-document';
import { CHAT, type OpenApiFixture, startOpenApiFixture } from '../support/openapi/openapi-fixture';
import { findFaults } from '../support/openapi/openapi-schema';

jest.setTimeout(120_000);

const JSON_TYPE = 'application/json';
const cases = OPERATION_CASES.map((one) => [nameOf(one), one] as const);

let fixture: OpenApiFixture;

beforeAll(async () => {
  fixture = await startOpenApiFixture();
});

afterAll(async () => {
  expect(await fixture?.stop()).toBe(0);
});

const operationOf = (name: string) => operationNamed(fixture.document, name);

const faultsOf = (name: string, answer: ApiAnswer) =>
  findAnswerFaults(fixture.document, operationOf(name), answer);

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
  test.each(cases)('to %s is the one that is documented', async (name, one) => {
    expect(faultsOf(name, await callCase(one, fixture))).toEqual([]);
  });

  test.each(cases)('to a refused %s is the one that is documented', async (name, one) => {
    const url = `${urlOf(one.path)}?limit=none&limit=none`;
    const refused = await fixture.callers[one.as].request(one.method, url);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(faultsOf(name, refused)).toEqual([]);
    // No format answers methods that a path does not have: the client compares with the common body.
    const wrongMethod = await fixture.callers.anyone.request('PURGE', urlOf(one.path));
    expect(wrongMethod.status).toBe(405);
  });

  test('to a stream is an event stream, as documented', async () => {
    const name = 'POST /v1/chat/completions';
    const answer = await fixture.callers.key.request('POST', '/v1/chat/completions', {
      body: { ...CHAT, stream: true },
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(faultsOf(name, answer)).toEqual([]);
  });

  test('to statistics as CSV is documented', async () => {
    const answer = await fixture.callers.key.request('GET', '/v1/stats?format=csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.text).toMatch(/^bucket,requests,/);
    expect(faultsOf('GET /v1/stats', answer)).toEqual([]);
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
    const { schema } = operationOf('GET /v1/users/me').responses[200]?.content?.[JSON_TYPE] ?? {};
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
      const media = operation.body?.content[JSON_TYPE];
      if (media === undefined) throw new Error(name);
      if (Object.keys((media.schema.properties ?? {}) as object).length === 0) continue;
      expect([name, media.example]).toEqual([name, expect.any(Object)]);
      expect([name, ...findFaults(media.schema, media.example, context)]).toEqual([name]);
    }
  });

  test('is never refused for its form', async () => {
    const { receiver, callers } = fixture;
    // The examples' channel serves a model that has to be there first.
    const catalogue = operationOf('POST /v1/admin/models').body?.content[JSON_TYPE]?.example;
    await callers.key.post('/v1/admin/models', catalogue);
    let sent = 0;
    for (const { name, operation } of operationsWithBody()) {
      const example = operation.body?.content[JSON_TYPE]?.example;
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
      expect([name, ...faultsOf(name, answer)]).toEqual([name]);
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
