import { readdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { eventually } from '../support/eventually';
import { connectRaw, sendRaw } from '../support/network/raw-http';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

let tollgate: RunningTollgate;

beforeAll(async () => {
  tollgate = await startTollgate({ TOLLGATE_INIT_PLAN: 'enterprise' });
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

afterEach(() => {
  expect(tollgate.process.output()).not.toMatch(/"level":"error"|INTERNAL_ERROR/);
});

const SOCKETS = 24;
const REQUESTS = 1000;
/** What a few idle connections of services among themselves may come and go with. */
const DESCRIPTORS_SLACK = 40;

function countDescriptors(): number {
  return readdirSync(`/proc/${tollgate.process.pid}/fd`).length;
}

/** Sends the requests in one go, takes the first bytes of an answer, and leaves. */
async function pipelineAndLeave(bytes: string): Promise<void> {
  const { hostname, port } = new URL(tollgate.baseUrl);
  const socket: Socket = createConnection({ host: hostname, port: Number(port) });
  // Whoever overdoes it may be cut at any time.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const heard = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.write(bytes);
  await Promise.race([closed, heard]);
  socket.destroy();
  await closed;
}

const CHAT = JSON.stringify({ model: 'sim-small', messages: [{ role: 'user', content: 'Hi' }] });

function requestOf(method: string, path: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tollgate.apiKey}\r\n`;
  if (method === 'GET') return `${head}\r\n`;
  const type = 'Content-Type: application/json';
  return `${head}${type}\r\nContent-Length: ${CHAT.length}\r\n\r\n${CHAT}`;
}

test.each([
  ['GET', '/docs/swagger-ui-bundle.js'],
  ['GET', '/docs/swagger-ui.css'],
  ['GET', '/docs'],
  ['GET', '/v1/openapi.json'],
  ['GET', '/console/'],
  ['GET', '/livez'],
  ['GET', '/v1/models'],
  ['GET', '/v1/keys'],
  ['GET', '/nowhere'],
  ['POST', '/v1/chat/completions'],
])('clients that pipeline %s %s a thousand times and leave cost nothing', async (method, path) => {
  const before = countDescriptors();
  const bytes = requestOf(method, path).repeat(REQUESTS);
  await Promise.all(Array.from({ length: SOCKETS }, () => pipelineAndLeave(bytes)));
  await eventually(
    async () => countDescriptors(),
    (now) => now <= before + DESCRIPTORS_SLACK,
  );
  expect((await fetch(`${tollgate.baseUrl}/livez`)).status).toBe(200);
});

const CHAT_HEAD = () =>
  `Authorization: Bearer ${tollgate.apiKey}\r\nContent-Type: application/json\r\n`;

test.each([
  ['no Host', 'GET /v1/models HTTP/1.1\r\n\r\n', 'Host'],
  ['two Hosts', 'GET /v1/models HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'Host'],
  ['an expectation', 'GET /v1/models HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', 'Expect'],
])('a request with %s is refused as every bad request is', async (_what, bytes, param) => {
  const [answer] = await sendRaw(tollgate.baseUrl, bytes);
  expect([answer?.status, answer?.body?.error?.param]).toEqual([400, param]);
  expect(answer?.headers.get('x-request-id')).toMatch(/^req_/);
  expect(answer?.headers.get('x-api-version')).toBe('v1');
});

test('a client that waits to be told to go on is refused before it sends its body', async () => {
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n';
  const refused = await sendRaw(tollgate.baseUrl, `${head}Content-Length: 10\r\n\r\n`);
  expect(refused.map(({ status }) => status)).toEqual([401]);
  const connection = await connectRaw(tollgate.baseUrl);
  connection.write(`${head}${CHAT_HEAD()}Content-Length: ${CHAT.length}\r\n\r\n`);
  await eventually(
    async () => connection.received(),
    (text) => text.includes('100 Continue'),
  );
  connection.write(CHAT);
  await eventually(
    async () => connection.received(),
    (text) => text.includes('chat.completion'),
  );
  connection.close();
});

test('nothing that the API says is kept by a cache or guessed at by a browser', async () => {
  for (const path of ['/v1/keys', '/v1/users/login', '/v1/models', '/nowhere']) {
    const { headers } = await fetch(`${tollgate.baseUrl}${path}`);
    expect([path, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      path,
      'no-store',
      'nosniff',
    ]);
  }
});

test.each([
  ['/v1/keys', '{"name":"x","metadata":{"__proto__":"x"}}', 'metadata.__proto__'],
  ['/v1/keys', '{"name":"a\\ud83d"}', 'name'],
  [
    '/v1/chat/completions',
    '{"model":"sim-small","messages":[{"role":"user","content":"a\\ud83d"}]}',
    'messages[0].content',
  ],
])('%s says so when it could not keep what was said: %s', async (path, body, param) => {
  const answer = await tollgate.api.request('POST', path, { body });
  expect([answer.status, answer.body?.error?.param]).toEqual([400, param]);
});
