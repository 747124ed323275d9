import { openAccountWithKey } from '../support/accounts';
import { type ApiAnswer, type ApiBody, createApi } from '../support/api';
import { faultOf } from '../support/error-table';
import { connectRaw, sendRaw } from '../support/network/raw-http';
import { fetchDocumented } from '../support/openapi/documented-answers';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const GOOD = JSON.stringify({
  model: 'sim-small',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'Hello' }],
});
/** The management path and the completion path read bodies each in a way of its own. */
const PATHS = ['/v1/chat/completions', '/v1/llm/chat/completions', '/v1/keys'] as const;

let tollgate: RunningTollgate;

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_INIT_PLAN: 'enterprise',
    // Only those who send slowly on purpose are to reach these, however slow the machine.
    TOLLGATE_GATEWAY_HEADERS_TIMEOUT_MS: '5000',
    TOLLGATE_GATEWAY_REQUEST_TIMEOUT_MS: '10000',
  });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

afterEach(async () => {
  const good = await post('/v1/chat/completions', GOOD);
  expect([good.status, good.text]).toEqual([200, expect.stringContaining('choices')]);
  expect(tollgate.process.output()).not.toMatch(/"level":"error"|INTERNAL_ERROR/);
});

async function post(
  path: string,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const response = await fetchDocumented(`${tollgate.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tollgate.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text };
  return { ...answer, body: text === '' ? undefined : (JSON.parse(text) as ApiBody) };
}

function summary(answer: ApiAnswer | undefined) {
  if (answer === undefined) return ['no answer', undefined];
  return [answer.status, faultOf(answer)];
}

const nested = (depth: number) =>
  `{"model":"sim-small","messages":[{"role":"user","content":"x"}],"metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;

const BROKEN_BODIES: readonly (readonly [string, string | Buffer])[] = [
  ['an empty body', ''],
  ['half a body', '{"model":'],
  ['a bare word', 'undefined'],
  ['a comment', '{"name":"x"} // x'],
  ['two values', '{"name":"x"}{"name":"x"}'],
  ['a list', '[]'],
  ['a number', '1'],
  ['null', 'null'],
  ['NaN', '{"name":NaN}'],
  ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')])],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  [
    'overlong UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0x80, 0x22, 0x7d])]),
  ],
  ['a lone continuation byte', Buffer.from([0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
  ['a raw NUL in a text', '{"name":"a\u0000b"}'],
  ['65 levels', nested(63)],
  ['100,000 open brackets', '['.repeat(100_000)],
  ['40,000 nested objects', '{"a":'.repeat(40_000)],
  ['form data', 'model=sim-small'],
];

describe.each(PATHS)('%s', (path) => {
  test.each(BROKEN_BODIES)('%s is 400', async (_name, body) => {
    const answer = await post(path, body);
    expect(summary(answer)).toEqual([400, undefined]);
    expect(answer.headers.get('x-api-version')).toBe('v1');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/json, text/plain',
    'xapplication/json',
    '',
  ])('content type "%s" is 415', async (type) => {
    expect(summary(await post(path, GOOD, { 'content-type': type }))).toEqual([415, undefined]);
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, gzip', 'x'])(
    'content encoding %s is 415, so that nothing small can grow',
    async (encoding) => {
      const answer = await post(path, GOOD, { 'content-encoding': encoding });
      expect(summary(answer)).toEqual([415, undefined]);
    },
  );
});

test('64 levels of nesting pass, and a name given twice is refused where it could weaken a key', async () => {
  expect((await post('/v1/chat/completions', nested(62))).status).toBe(200);
  const twice = await post('/v1/keys', '{"name":"x","max_budget":"1.00","max_budget":null}');
  expect([...summary(twice), twice.body?.error?.param]).toEqual([400, undefined, 'max_budget']);
  const hidden = await post('/v1/keys', '{"name":"x","max_\\u0062udget":"1.00","max_budget":null}');
  expect([...summary(hidden), hidden.body?.error?.param]).toEqual([400, undefined, 'max_budget']);
});

test('members named after the prototype are strangers on management paths and nothing on chat paths', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const refused = await post('/v1/keys', `{"name":"x","${name}":{"scopes":["admin"]}}`);
    expect([name, ...summary(refused)]).toEqual([name, 400, undefined]);
    const inner = await post('/v1/keys', `{"name":"x","metadata":{"${name}":"x"}}`);
    expect([name, inner.status < 500, faultOf(inner)]).toEqual([name, true, undefined]);
    const ignored = await post(
      '/v1/chat/completions',
      `{"${name}":{"stream":true,"max_tokens":0},${GOOD.slice(1)}`,
    );
    expect([name, ignored.status]).toEqual([name, 200]);
  }
  // Nobody's objects have changed by that: a new key has the default scopes.
  const key = await tollgate.api.post('/v1/keys', { name: 'plain' });
  expect(key.scopes).not.toContain('admin');
  expect(key.metadata).toEqual({});
});

test('a body that is too large is 413, announced or not, and is not kept waiting for', async () => {
  const limit = 10 * 1024 * 1024;
  const announced = await sendRaw(
    tollgate.baseUrl,
    'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n' +
      `Authorization: Bearer ${tollgate.apiKey}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${limit + 1}\r\n\r\n{`,
  );
  expect(announced.map(summary)).toEqual([[413, undefined]]);
  expect(announced[0]?.headers.get('connection')).toBe('close');
  for (const [path, size] of [
    ['/v1/chat/completions', limit + 1],
    ['/v1/llm/route/explain', limit + 1],
    ['/v1/keys', 256 * 1024 + 1],
  ] as const) {
    expect([path, ...summary(await post(path, 'x'.repeat(size)))]).toEqual([path, 413, undefined]);
    const chunked = await sendChunked(path, size);
    expect([path, ...chunked.map(summary)]).toEqual([path, [413, undefined]]);
  }
});

async function sendChunked(path: string, size: number): Promise<readonly ApiAnswer[]> {
  const connection = await connectRaw(tollgate.baseUrl);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tollgate.apiKey}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const piece = 64 * 1024;
  for (let sent = 0; sent <= size; sent += piece) {
    connection.write(`${piece.toString(16)}\r\n${'x'.repeat(piece)}\r\n`);
  }
  try {
    return await connection.answers();
  } finally {
    connection.close();
  }
}

const request = (headers: string, body = '', line = 'POST /v1/keys HTTP/1.1') =>
  `${line}\r\nHost: x\r\nAuthorization: Bearer ${tollgate.apiKey}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const SMUGGLED = 'GET /v1/keys HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  [
    'a length and chunks',
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 40', `{}${SMUGGLED}`],
  ['a length list', 'Content-Length: 2, 40', `{}${SMUGGLED}`],
  ['a signed length', 'Content-Length: +2', `{}${SMUGGLED}`],
  ['a negative length', 'Content-Length: -2', `{}${SMUGGLED}`],
  ['a hexadecimal length', 'Content-Length: 0x2', `{}${SMUGGLED}`],
  ['chunks that are none', 'Transfer-Encoding: chunked', `zz\r\n${SMUGGLED}`],
  ['another coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`],
  ['chunks twice', 'Transfer-Encoding: chunked, chunked', `0\r\n\r\n${SMUGGLED}`],
  ['a blank before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${SMUGGLED}`],
  ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked', SMUGGLED],
  ['a bare CR', 'X-A: b\rTransfer-Encoding: chunked', SMUGGLED],
  ['a NUL in a header', 'X-A: b\0c', ''],
  ['a huge chunk size', 'Transfer-Encoding: chunked', `fffffffffffffffff\r\n${SMUGGLED}`],
])(
  '%s is one 400 and the end of the connection: nothing is smuggled',
  async (_name, head, body) => {
    const answers = await sendRaw(tollgate.baseUrl, request(head, body));
    expect(answers.map(summary)).toEqual([[400, undefined]]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  },
);

test.each([
  ['a path with a blank', 'GET /v1/ke ys HTTP/1.1'],
  ['an unknown method', 'STEAL /v1/keys HTTP/1.1'],
  ['HTTP 3 in words', 'GET /v1/keys HTTP/3.0'],
  ['TLS on a clear port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['binary noise', '\x00\x01\x02\x03'],
])('%s is 400', async (_name, line) => {
  const answers = await sendRaw(tollgate.baseUrl, `${line}\r\nHost: x\r\n\r\n`);
  expect(answers.map(summary)).toEqual([[400, undefined]]);
});

test.each([
  ['a path upwards', 'GET /v1/../v1/admin/../nothing HTTP/1.1'],
  ['two slashes', 'GET //v1/keys HTTP/1.1'],
  ['an encoded slash', 'GET /v1%2fkeys HTTP/1.1'],
  ['a path that decodes to no text', 'GET /v1/%ff%fe HTTP/1.1'],
  ['a NUL in a path', 'GET /v1/keys%00 HTTP/1.1'],
  ['another case', 'GET /V1/KEYS HTTP/1.1'],
  ['a slash at the end', 'GET /v1/keys/ HTTP/1.1'],
  ['a semicolon', 'GET /v1/keys;a=b HTTP/1.1'],
])('%s reaches nothing', async (_name, line) => {
  const [answer] = await sendRaw(tollgate.baseUrl, request('Content-Length: 0', '', line));
  expect(summary(answer)).toEqual([404, undefined]);
});

test('headers beyond their bound are refused, and a method in a header changes nothing', async () => {
  const [large] = await sendRaw(tollgate.baseUrl, request(`X-A: ${'x'.repeat(100_000)}`));
  expect(summary(large)).toEqual([431, undefined]);
  const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: y`).join('\r\n');
  const [crowd] = await sendRaw(tollgate.baseUrl, request(many));
  expect(summary(crowd)).toEqual([431, undefined]);
  const path = '/v1/billing/balance';
  const answer = await tollgate.api.request('GET', path, {
    headers: { 'x-http-method-override': 'DELETE', 'x-original-url': '/v1/admin/accounts' },
  });
  expect(answer.body?.data).toHaveProperty('balance');
});

test('chunks in HTTP/1.0 are refused, and what they hide is no request', async () => {
  const head = 'Connection: keep-alive\r\nTransfer-Encoding: chunked';
  const sent = request(head, `0\r\n\r\n${SMUGGLED}`, 'POST /v1/keys HTTP/1.0');
  const answers = await sendRaw(tollgate.baseUrl, sent);
  expect(answers.map(summary)).toEqual([[400, undefined]]);
});

test('a header that is given twice never lets a second caller in', async () => {
  const { apiKey } = await openAccountWithKey(tollgate.api, { name: 'second' });
  const [answer] = await sendRaw(
    tollgate.baseUrl,
    `GET /v1/admin/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `Authorization: Bearer ${tollgate.apiKey}\r\n\r\n`,
  );
  expect(summary(answer)).toEqual([400, undefined]);
});

test('who sends slowly is cut after the bound, and others are answered meanwhile', async () => {
  const slow = await Promise.all(
    [
      ...Array.from({ length: 20 }, () => 'POST /v1/keys HTTP/1.1\r\nHost: x\r\nX-A'),
      ...Array.from({ length: 20 }, () => request('Content-Length: 1000', '{')),
    ].map(async (bytes) => {
      const connection = await connectRaw(tollgate.baseUrl);
      connection.write(bytes);
      return connection;
    }),
  );
  const anyone = createApi(tollgate.baseUrl, tollgate.apiKey);
  for (let count = 0; count < 20; count += 1) {
    expect((await anyone.request('GET', '/v1/billing/plans')).status).toBe(200);
  }
  const answers = await Promise.all(slow.map((connection) => connection.answers()));
  for (const connection of slow) connection.close();
  expect(answers.map((one) => one.map(faultOf))).toEqual(slow.map(() => [undefined]));
  expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([408]));
});
