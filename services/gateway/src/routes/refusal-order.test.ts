import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { AppError, ERROR_CODES, type ErrorCode } from '@tollgate/core';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { answer, keyText } from '../testing/fixtures';
import { type GatewayUnderTest, noonAfterTomorrow, startGateway } from '../testing/gateway-fixture';
import { CHAT, type SentRequest } from '../testing/http-client';

let gateway: GatewayUnderTest;
const good = keyText(1);
const scopeless = keyText(2);
const spent = keyText(3);

beforeAll(async () => {
  gateway = await startGateway({
    // Stands still: the minute of a limit that is used up does not end.
    clock: createFakeClock(noonAfterTomorrow()),
    environment: { TOLLGATE_GATEWAY_CHAT_BYTES_MAX: '2048' },
  });
  gateway.principals.set(good, { plan: 'professional' });
  gateway.principals.set(scopeless, { keyId: 'key_2', accountId: 'acc_2', scopes: ['models'] });
  gateway.principals.set(spent, { keyId: 'key_3', accountId: 'acc_3', requestsPerMinute: 1 });
  gateway.completion.handlers.complete = async () => answer('hi');
  await gateway.send('POST', '/v1/chat/completions', { key: spent, body: CHAT });
});
afterAll(() => gateway.stop());

// With a query the router leads there, without one nothing stands in between.
const PATHS = [
  '/v1/llm/chat/completions',
  '/v1/chat/completions',
  '/v1/chat/completions?by=router',
];
const bad = { ...CHAT, temperature: 9 };

describe.each(PATHS)('refusals on %s come in one order', (path) => {
  const large = { ...CHAT, padding: 'x'.repeat(3000) };
  const cases: readonly (readonly [code: ErrorCode, why: string, request: SentRequest])[] = [
    ['UNAUTHORIZED', 'no bearer, whatever else is wrong', { body: 'no json' }],
    ['UNAUTHORIZED', 'an unknown key', { key: keyText(9), body: bad }],
    ['UNAUTHORIZED', 'a key whose checksum is wrong', { key: `${good}x`, body: CHAT }],
    ['UNAUTHORIZED', 'a malformed header', { headers: { authorization: good }, body: CHAT }],
    ['FORBIDDEN', 'a key without the scope, before its body', { key: scopeless, body: 'x' }],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      'no JSON, before the limit',
      { key: spent, body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    [
      'UNSUPPORTED_MEDIA_TYPE',
      'a compressed body',
      { key: good, body: CHAT, headers: { 'content-encoding': 'gzip' } },
    ],
    ['PAYLOAD_TOO_LARGE', 'a body beyond the bound, before the limit', { key: spent, body: large }],
    ['RATE_LIMIT_EXCEEDED', 'the limit, before the form', { key: spent, body: bad }],
    ['VALIDATION_ERROR', 'the form', { key: good, body: bad }],
    [
      'VALIDATION_ERROR',
      'an amount that is none',
      { key: good, body: CHAT, headers: { 'x-tollgate-max-cost': 'five cents' } },
    ],
    ['VALIDATION_ERROR', 'no JSON at all', { key: good, body: '{' }],
    ['VALIDATION_ERROR', 'an empty body', { key: good, body: '' }],
    ['VALIDATION_ERROR', 'invalid UTF-8', { key: good, body: Buffer.from('"\xff"', 'latin1') }],
    ['VALIDATION_ERROR', 'deep nesting', { key: good, body: `${'['.repeat(65)}${']'.repeat(65)}` }],
  ];
  test.each(cases)('%s: %s', async (code, _why, request) => {
    const received = await gateway.send('POST', path, request);
    const { httpStatus, type } = ERROR_CODES[code];
    expect(received.status).toBe(httpStatus);
    expect(received.json).toEqual({
      success: false,
      data: null,
      error: { ...received.json.error, code, type },
      message: null,
    });
    expect(received.headers.get('x-api-version')).toBe('v1');
    expect(received.headers.get('x-request-id')).toMatch(/^req_/);
    expect(received.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('a key in quotation marks is answered as every 401', async () => {
    for (const key of [good, keyText(9)]) {
      const headers = { authorization: `Bearer "${key}"` };
      const received = await gateway.send('POST', path, { headers, body: CHAT });
      expect(received.status).toBe(401);
      const message = 'The API key or access token is missing or not valid.';
      expect(received.json.error).toMatchObject({ message });
    }
  });

  test('a prompt beyond the context bears the code that clients of the path know', async () => {
    gateway.completion.handlers.complete = async () => {
      throw new AppError('CONTEXT_LENGTH_EXCEEDED', { param: 'messages' });
    };
    const received = await gateway.send('POST', path, { key: good, body: CHAT });
    gateway.completion.handlers.complete = async () => answer('hi');
    expect(received.status).toBe(400);
    const isPlain = path.startsWith('/v1/chat/');
    const code = isPlain ? 'context_length_exceeded' : 'CONTEXT_LENGTH_EXCEEDED';
    const type = 'invalid_request_error';
    expect(received.json.error).toMatchObject({ code, type, param: 'messages' });
  });

  test('what completion refuses keeps its code, field and advice', async () => {
    const refusals: readonly (readonly [ErrorCode, string | undefined, boolean])[] = [
      ['NOT_FOUND', 'model', false],
      ['VALIDATION_ERROR', 'max_tokens', false],
      ['FORBIDDEN', 'model', false],
      ['INSUFFICIENT_BALANCE', undefined, false],
      ['KEY_BUDGET_EXCEEDED', undefined, false],
      ['COST_LIMIT', 'X-Tollgate-Max-Cost', false],
      ['UPSTREAM_ERROR', undefined, true],
      ['UPSTREAM_ERROR', undefined, false],
      ['UPSTREAM_TIMEOUT', undefined, false],
      ['SERVICE_UNAVAILABLE', undefined, true],
      ['DATABASE_ERROR', undefined, true],
      ['INTERNAL_ERROR', undefined, true],
    ];
    for (const [code, param, retryable] of refusals) {
      const details = { retryable, ...(param === undefined ? {} : { param }) };
      gateway.completion.handlers.complete = async () => {
        throw new AppError(code, details);
      };
      const received = await gateway.send('POST', path, { key: good, body: CHAT });
      expect(received.status).toBe(ERROR_CODES[code].httpStatus);
      expect(received.json.error).toMatchObject({ code, param: param ?? null });
      expect(received.headers.get('x-should-retry')).toBe(retryable ? null : 'false');
      expect(received.headers.get('retry-after')).toBe(code === 'SERVICE_UNAVAILABLE' ? '1' : null);
    }
    gateway.completion.handlers.complete = async () => answer('hi');
  });
});

describe('paths', () => {
  test.each(['/nothing', '/v1/nothing', '/v1', '/v1/keys/a/b/c', '/api/nothing', '/v1/%ff'])(
    'an unknown path is a 404 with our body: %s',
    async (path) => {
      const received = await gateway.send('GET', path);
      expect(received.status).toBe(404);
      expect(received.json.error).toMatchObject({ code: 'NOT_FOUND', type: 'not_found_error' });
      expect(received.headers.get('x-api-version')).toBe(path.startsWith('/v1') ? 'v1' : null);
    },
  );

  test('a method that a path does not have is a 405 that names those it has', async () => {
    const received = await gateway.send('PUT', '/v1/keys');
    expect(received.status).toBe(405);
    expect(received.json.error?.code).toBe('METHOD_NOT_ALLOWED');
    expect(received.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(received.headers.get('x-api-version')).toBe('v1');
    const options = await gateway.send('OPTIONS', '/v1/chat/completions');
    expect(options.headers.get('allow')).toBe('POST');
  });

  test.each(['/v1/completions'])('%s names the path that is supported', async (path) => {
    const received = await gateway.send('POST', path, { key: good, body: {} });
    expect(received.status).toBe(404);
    expect(received.json.error?.message).toContain('/v1/chat/completions');
  });
});

test('every 401 is the same sentence and asks for a bearer', async () => {
  const bodies = new Set<string>();
  for (const key of [undefined, 'unknown', `${good}x`, keyText(99), 'a.b.c']) {
    const request = key === undefined ? { body: CHAT } : { key, body: CHAT };
    const received = await gateway.send('POST', '/v1/chat/completions', request);
    expect(received.status).toBe(401);
    expect(received.headers.get('www-authenticate')).toBe('Bearer');
    bodies.add(received.text);
  }
  expect(bodies.size).toBe(1);
});

test('a key whose checksum is wrong is refused without asking identity', async () => {
  const verifications = () =>
    gateway.identity.calls.filter(([method]) => method === 'verifyApiKey').length;
  const before = verifications();
  await gateway.send('POST', '/v1/chat/completions', {
    key: `${good}x`,
    body: CHAT,
  });
  expect(verifications()).toBe(before);
});

test('a key that was issued before v1 is asked for by its own text', async () => {
  gateway.principals.set('old-key-of-another-shape', { accountId: 'acc_old' });
  const received = await gateway.send('POST', '/v1/chat/completions', {
    key: 'old-key-of-another-shape',
    body: CHAT,
  });
  expect(received.status).toBe(200);
});

test("the client's request id comes back beside ours, unless it could forge a log line", async () => {
  const send = (id: string) =>
    gateway.send('GET', '/v1/models', {
      key: good,
      headers: { 'x-request-id': id },
    });
  const kept = await send('my-id:42');
  expect(kept.headers.get('x-client-request-id')).toBe('my-id:42');
  expect(kept.headers.get('x-request-id')).toMatch(/^req_/);
  expect((await send('a b')).headers.get('x-client-request-id')).toBeNull();
  expect((await send('x'.repeat(129))).headers.get('x-client-request-id')).toBeNull();
});

test('a body without an announced length is bounded while it is read', async () => {
  const { hostname, port } = new URL(gateway.baseUrl);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${good}`, 'content-type': 'application/json' },
    });
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    for (let part = 0; part < 8; part += 1) request.write('x'.repeat(512));
  });
  expect(status).toBe(413);
});

test('a client that is still sending reads why its body is refused', async () => {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  const answered = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      text += String(bytes);
    });
    socket.on('close', () => resolve());
  });
  const part = Buffer.alloc(1024 * 1024, 'x');
  const parts = 16;
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${good}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${parts * part.length}\r\n\r\n`,
  );
  await waitFor(() => text.includes('PAYLOAD_TOO_LARGE'));
  for (let sent = 0; sent < parts; sent += 1) {
    await new Promise<void>((resolve, reject) => {
      socket.write(part, (error) => (error ? reject(error) : resolve()));
    });
  }
  await answered;
  expect(text).toContain('413 Payload Too Large');
});

test('what is no HTTP at all gets our body too', async () => {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  socket.write('NOT HTTP\r\n\r\n');
  await waitFor(() => text.includes('"code":"VALIDATION_ERROR"'));
  expect(text).toContain('400 Bad Request');
  socket.destroy();
});

test('a list of refusals has the key that each resembles of which no key is known', async () => {
  const operator = keyText(7);
  gateway.principals.set(operator, { operator: true, scopes: ['admin'] });
  const at = '2026-02-03T10:00:00.000Z';
  const presented = 'tg_live_z40p5szehe1shxet…';
  const nobody = { at, gatewayId: 'gtw_1', errorCode: 'UNAUTHORIZED', message: 'No.' };
  const refusals = [
    { ...nobody, requestId: 'req_4', bearer: { fault: 'malformed', presented } },
    { ...nobody, requestId: 'req_3', bearer: { fault: '', presented }, path: '/v1/v1/messages' },
    { ...nobody, requestId: 'req_2', bearer: { fault: 'unknown', presented: 'sk-…' } },
    { ...nobody, requestId: 'req_1', accountId: 'acc_7', keyId: 'key_7' },
  ];
  gateway.stats.handlers.listRefusals = async () => ({ refusals });
  gateway.identity.handlers.getApiKey = async () => ({
    apiKey: { id: 'key_7', name: 'main', accountId: 'acc_7' },
  });
  gateway.identity.handlers.getAccount = async () => ({ account: { id: 'acc_7', name: 'Acme' } });
  const { json } = await gateway.send('GET', '/v1/admin/refusals', {
    key: operator,
  });
  const key = { key_id: 'key_7', key_name: 'main', account_id: 'acc_7', account_name: 'Acme' };
  const { items } = json.data as { readonly items: readonly { readonly resembles: unknown }[] };
  expect(items.map(({ resembles }) => resembles)).toEqual([key, key, null, null]);
  // What is alike is looked for once.
  const looked = gateway.identity.calls.filter(([method]) => method === 'getApiKey');
  expect(looked).toHaveLength(1);
});
