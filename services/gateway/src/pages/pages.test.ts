import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRecordingLogger, waitFor } from '@tollgate/testkit';
import { noFields } from '../routes/payloads/values';
import { ROUTES } from '../routes/table';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-fixture';
import { REQUEST_EXAMPLES } from './request-examples';

let gateway: GatewayUnderTest;
let site: { readonly url: string; readonly seen: string[]; close(): Promise<void> };

beforeAll(async () => {
  site = await startConsole();
  gateway = await startGateway({ environment: { CONSOLE_ADDRESS: site.url } });
});
afterAll(async () => {
  await gateway.stop();
  await site.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.baseUrl}${path}`, { headers, redirect: 'manual' });

async function startConsole() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const { authorization, cookie } = request.headers;
    seen.push(`${request.url} ${authorization ?? '-'} ${cookie ?? '-'}`);
    response.setHeader('Keep-Alive', 'timeout=600');
    response.end('a console page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

test('the root leads to the console', async () => {
  const response = await get('/');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/console/');
});

test('the console is proxied under its path and never sees a bearer or a cookie', async () => {
  const response = await get('/console/assets/a.js?x=1', {
    authorization: 'Bearer secret',
    cookie: 'session=secret',
  });
  expect(await response.text()).toBe('a console page');
  expect(site.seen.at(-1)).toBe('/console/assets/a.js?x=1 - -');
});

test.each([
  ['POST', '0', 405],
  ['GET', '100000', 400],
])(
  'a %s with a body of %s bytes is refused before the console is asked',
  async (method, length, status) => {
    const { hostname: host, port } = new URL(gateway.baseUrl);
    const headers = { 'content-length': length };
    const sent = request({ host, port, method, path: '/console/', headers });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.flushHeaders();
    const asked = site.seen.length;
    const [{ statusCode, headers: told }] = await answered;
    expect([statusCode, told.allow]).toEqual([status, status === 405 ? 'GET, HEAD' : undefined]);
    expect(site.seen).toHaveLength(asked);
    sent.destroy();
  },
);

test('what the console says of its connections is not passed on', async () => {
  const { headers } = await get('/console/');
  expect(headers.get('keep-alive')).not.toBe('timeout=600');
});

test('a console that does not answer is a 503 with our body', async () => {
  const lonely = await startGateway({ environment: { CONSOLE_ADDRESS: 'http://127.0.0.1:9' } });
  try {
    const response = await fetch(`${lonely.baseUrl}/console/`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({
      success: false,
      error: { code: 'SERVICE_UNAVAILABLE', type: 'server_error', param: null },
    });
  } finally {
    await lonely.stop();
  }
});

test('probes say little and need no bearer', async () => {
  expect(await (await get('/livez')).json()).toEqual({ live: true });
  const ready = await get('/readyz');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ ready: true });
});

test('a gateway whose completion takes no work says that it is not ready, until it does', async () => {
  const status = async () => (await get('/readyz')).status;
  gateway.completion.setReady(false);
  await waitFor(async () => (await status()) === 503);
  expect(await (await get('/readyz')).json()).toEqual({ ready: false });
  gateway.completion.setReady(true);
  await waitFor(async () => (await status()) === 200);
});

test('a gateway of another currency than billing is not ready, names both, and serves', async () => {
  const logger = createRecordingLogger();
  const environment = { TOLLGATE_CURRENCY: 'EUR', TOLLGATE_GATEWAY_PLAN_REFRESH_MS: '100' };
  const foreign = await startGateway({ logger, environment });
  try {
    const told = foreign.billing.handlers.listPlans;
    const tell = (currency: string) => {
      foreign.billing.handlers.listPlans = async (request, call) => ({
        ...(await told?.(request, call)),
        currency,
      });
    };
    // An earlier version of billing says nothing.
    await waitFor(() => foreign.service.readiness().ready);
    tell('USD');
    const problem = 'TOLLGATE_CURRENCY is EUR, and billing has all amounts in USD';
    await waitFor(() => foreign.service.readiness().reasons.includes(problem));
    expect((await fetch(`${foreign.baseUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${foreign.baseUrl}/livez`)).status).toBe(200);
    const errors = logger.lines.filter(({ message }) => message.includes('TOLLGATE_CURRENCY'));
    expect(errors).toMatchObject([{ level: 'error', message: `${problem}: set it to that` }]);
    tell('EUR');
    await waitFor(() => foreign.service.readiness().ready);
  } finally {
    await foreign.stop();
  }
});

test.each(['/v1/openapi.json', '/docs', '/livez', '/'])(
  '%s has no other method than GET',
  async (path) => {
    const response = await fetch(`${gateway.baseUrl}${path}`, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
    expect((await fetch(`${gateway.baseUrl}${path}`, { method: 'HEAD' })).status).toBeLessThan(400);
  },
);

test('the docs page loads everything from our own origin', async () => {
  const docs = await get('/docs');
  const html = await docs.text();
  expect(docs.status).toBe(200);
  expect(html).not.toMatch(/https?:\/\//);
  expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'");
  for (const [, path = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await get(path)).status).toBe(200);
  }
  expect((await get('/docs/index.html')).status).toBe(404);
  // As somebody writes it who takes it for a folder.
  const slash = await get('/docs/');
  expect([slash.status, slash.headers.get('location')]).toEqual([302, '/docs']);
});

test('the OpenAPI document has every row of the table, and its schemas', async () => {
  const response = await get('/v1/openapi.json');
  const document = (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { security?: unknown; requestBody?: unknown }>>;
  };
  expect(document.openapi).toBe('3.1.0');
  const { paths } = document;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/v1/llm/chat/completions', '/v1/keys/{id}', '/v1/stats']),
  );
  expect(paths['/v1/keys']?.post?.requestBody).toBeDefined();
  expect(paths['/v1/keys']?.post?.security).toEqual([{ bearer: [] }]);
  expect(paths['/v1/users/login']?.post?.security).toBeUndefined();
  expect(JSON.stringify(paths['/v1/chat/completions'])).toContain('"temperature"');
});

test('every body that takes members has an example that its own schema accepts', () => {
  const bodies = ROUTES.flatMap(({ method, path, target }) => {
    const schema = target.kind === 'chat' ? target.format.document.request : target.schema.body;
    if (schema === undefined || schema === noFields) return [];
    return [{ name: `${method} ${path}`, schema }];
  });
  expect(Object.keys(REQUEST_EXAMPLES).sort()).toEqual(bodies.map(({ name }) => name).sort());
  for (const { name, schema } of bodies) {
    const { success } = schema.safeParse(REQUEST_EXAMPLES[name]);
    expect([name, success]).toEqual([name, true]);
  }
});

test('the OpenAPI document says which bodies may be left out, and which answers are not JSON', async () => {
  const { paths } = (await (await get('/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  expect(paths['/v1/keys']?.post?.requestBody?.required).toBe(true);
  expect(paths['/v1/keys/{id}/rotate']?.post?.requestBody?.required).toBe(false);
  expect(Object.keys(paths['/v1/stats']?.get?.responses['200']?.content ?? {})).toEqual([
    'application/json',
    'text/csv',
  ]);
  expect(Object.keys(paths['/v1/oauth/login']?.get?.responses ?? {})).toContain('302');
});

test('the OpenAPI document says who takes an Idempotency-Key, and what a repetition is told', async () => {
  const { paths } = (await (await get('/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  const headerOf = (path: string) =>
    paths[path]?.post?.parameters?.find(({ name }) => name === 'Idempotency-Key');
  const optional = headerOf('/v1/webhooks/{id}/rotate-secret');
  expect(optional).toMatchObject({ in: 'header', required: false });
  expect(optional?.schema?.pattern).toBe('^[\\x21-\\x7e]{1,255}$');
  expect(headerOf('/v1/admin/accounts/{id}/credits')?.required).toBe(true);
  const { responses } = paths['/v1/users']?.post ?? {};
  expect(Object.keys(responses?.['201']?.headers ?? {})).toEqual(['Idempotency-Replayed']);
  expect(headerOf('/v1/users/login')).toBeUndefined();
  expect(paths['/v1/users/login']?.post?.description).toMatch(/^An Idempotency-Key is ignored\./);
});

interface DocumentedOperation {
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: { readonly pattern?: string };
  }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<
    Record<string, { readonly content?: object; readonly headers?: object }>
  >;
}

test('the guide stands beside the reference, and what is not there says where to look', async () => {
  const reference = await (await get('/docs')).text();
  expect(reference).toContain('href="/docs/guide/getting-started"');
  const page = await get('/docs/guide/getting-started?x=1');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<h1 id="getting-started">');
  const missing = await get('/docs/guide/missing');
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  const posted = await fetch(`${gateway.baseUrl}/docs/guide/errors`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const style = await get('/docs/guide.css');
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
});
