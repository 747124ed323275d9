import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiAnswer } from '../support/api';
import { eventually } from '../support/eventually';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

/** Allowed as a vendor's host and for no webhook. */
const VENDOR_ONLY = '127.0.0.1:2';
const INSIDE = 'what-the-private-server-says';

let tollgate: RunningTollgate;
/** Listens where the product must never call. */
let forbidden: Server;
let forbiddenV6: Server;
/** Listens where an operator has allowed it to call. */
let allowed: Server;
const hits: string[] = [];
const allowedHits: string[] = [];
let webhookId = '';
let channelId = '';

beforeAll(async () => {
  const listen = (server: Server, port: number, host: string) =>
    new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, host, () => resolve(true));
    });
  const notice = () =>
    createServer((request, response) => {
      hits.push(`${request.method} ${request.url}`);
      response.end(INSIDE);
    });
  forbidden = notice();
  forbiddenV6 = notice();
  allowed = createServer((request, response) => {
    allowedHits.push(`${request.method} ${request.url}`);
    const status = Number(/\/status\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200);
    response.writeHead(status, { location: `http://127.0.0.1:${portOf(forbidden)}/moved` });
    response.end(INSIDE);
  });
  await listen(forbidden, 0, '127.0.0.1');
  await listen(forbiddenV6, portOf(forbidden), '::1');
  await listen(allowed, 0, '127.0.0.1');
  tollgate = await startTollgate({
    TOLLGATE_EGRESS_ALLOWED_HOSTS: `127.0.0.1:${portOf(allowed)},${VENDOR_ONLY}`,
    TOLLGATE_WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${portOf(allowed)}`,
    TOLLGATE_INIT_PLAN: 'enterprise',
  });
  const { api } = tollgate;
  const base = `http://127.0.0.1:${portOf(allowed)}`;
  const hook = await api.post('/v1/webhooks', { url: `${base}/hook`, events: ['webhook.test'] });
  webhookId = String(hook.id);
  await api.post('/v1/admin/models', {
    name: 'moved-model',
    context_length: 1000,
    max_completion_tokens: 100,
    pricing: { prompt: '1.00', completion: '1.00' },
  });
  const channel = await api.post('/v1/admin/channels', {
    name: 'moved',
    type: 'openai',
    base_url: `${base}/v1`,
    credential: 'the-vendor-credential',
    models: [{ name: 'moved-model' }],
    auto_disable: false,
  });
  channelId = String(channel.id);
});

afterAll(async () => {
  for (const server of [forbidden, forbiddenV6, allowed]) server?.close();
  expect(await tollgate?.stop()).toBe(0);
});

afterEach(() => {
  expect(hits).toEqual([]);
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** `P` stands for the port where nobody may call, `A` for the one that is allowed. */
const HOSTS: readonly (readonly [string, string])[] = [
  ['loopback', 'http://127.0.0.1:P/'],
  ['loopback elsewhere', 'http://127.255.255.254:P/'],
  ['loopback in decimal', 'http://2130706433:P/'],
  ['loopback in octal', 'http://0177.0.0.1:P/'],
  ['loopback in one octal number', 'http://017700000001:P/'],
  ['loopback in hexadecimal', 'http://0x7f000001:P/'],
  ['loopback in hexadecimal parts', 'http://0x7f.0x0.0x0.0x1:P/'],
  ['loopback in two parts', 'http://127.1:P/'],
  ['loopback with a final dot', 'http://127.0.0.1.:P/'],
  ['loopback in wide digits', 'http://\uff11\uff12\uff17.0.0.1:P/'],
  ['loopback with other dots', 'http://127\u30020\u30020\u30021:P/'],
  ['loopback percent-encoded', 'http://%31%32%37.0.0.1:P/'],
  ['loopback with https', 'https://127.0.0.1:P/'],
  ['no address', 'http://0.0.0.0:P/'],
  ['zero', 'http://0:P/'],
  ['IPv6 loopback', 'http://[::1]:P/'],
  ['IPv6 loopback in full', 'http://[0:0:0:0:0:0:0:1]:P/'],
  ['no IPv6 address', 'http://[::]:P/'],
  ['mapped loopback', 'http://[::ffff:127.0.0.1]:P/'],
  ['mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]:P/'],
  ['compatible loopback', 'http://[::127.0.0.1]:P/'],
  ['translated loopback', 'http://[::ffff:0:7f00:1]:P/'],
  ['NAT64 of loopback', 'http://[64:ff9b::7f00:1]:P/'],
  ['local NAT64', 'http://[64:ff9b:1::7f00:1]:P/'],
  ['6to4 of loopback', 'http://[2002:7f00:1::]:P/'],
  ['Teredo', 'http://[2001::1]:P/'],
  ['link-local', 'http://[fe80::1]:P/'],
  ['unique-local', 'http://[fd00::1]:P/'],
  ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['cloud metadata in decimal', 'http://2852039166/latest/meta-data/'],
  ['cloud metadata over IPv6', 'http://[fd00:ec2::254]/latest/meta-data/'],
  ['cloud metadata, mapped', 'http://[::ffff:169.254.169.254]/'],
  ['10/8', 'http://10.0.0.1/'],
  ['172.16/12', 'http://172.31.255.255/'],
  ['192.168/16', 'http://192.168.0.1/'],
  ['carrier-grade NAT', 'http://100.64.0.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['localhost', 'http://localhost:P/'],
  ['localhost in capitals', 'http://LOCALHOST:P/'],
  ['localhost with a final dot', 'http://localhost.:P/'],
  ['below localhost', 'http://x.localhost:P/'],
  ['a name that nobody has', 'http://nobody.invalid/'],
  [
    'a name longer than DNS allows',
    `http://${'x'.repeat(60)}.${`${'y'.repeat(60)}.`.repeat(5)}test/`,
  ],
  ['the allowed host on another port', 'http://127.0.0.1:1/'],
  ['the allowed host without a port', 'http://127.0.0.1/'],
  ['another name of the allowed host', 'http://localhost:A/'],
  ['the allowed host over IPv6', 'http://[::1]:A/'],
];

/** Those of them that a resolver may not know. */
const NAMES = new Set(['localhost', 'localhost.', 'x.localhost', 'nobody.invalid']);

/** Refused for their form. */
const FORMS: readonly (readonly [string, string])[] = [
  ['a user', 'http://user@127.0.0.1:A/'],
  ['a user and a password', 'http://user:sesame@127.0.0.1:A/'],
  ['the allowed host as user', 'http://127.0.0.1:A@127.0.0.1:P/'],
  ['an empty user', 'http://:x@127.0.0.1:A/'],
  ['a file', 'file:///etc/passwd'],
  ['FTP', 'ftp://127.0.0.1:P/'],
  ['gopher', 'gopher://127.0.0.1:P/_x'],
  ['a web socket', 'ws://127.0.0.1:P/'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/plain,x'],
  ['a unix socket', 'unix:/var/run/docker.sock'],
  ['no scheme', '//127.0.0.1:P/'],
  ['only a host', '127.0.0.1:P'],
  ['only a path', '/v1/keys'],
  ['no host', 'http:///'],
  ['half a bracket', 'http://[::1/'],
  ['a port too high', 'http://127.0.0.1:99999/'],
  ['a port in words', 'http://127.0.0.1:http/'],
  ['a blank within', 'http://127.0.0.1 :P/'],
  ['a zone', 'http://[fe80::1%25eth0]:P/'],
  ['an address beyond its range', 'http://256.0.0.1:P/'],
];

const at = (url: string) =>
  url.replace(':P', `:${portOf(forbidden)}`).replace(':A', `:${portOf(allowed)}`);

/** The four places where a caller can give an address to call. */
function tryEverywhere(url: string): Promise<readonly ApiAnswer[]> {
  const { api } = tollgate;
  const channel = { base_url: url, credential: 'another-credential' };
  return Promise.all([
    api.request('POST', '/v1/webhooks', { body: { url, events: ['key.created'] } }),
    api.request('PATCH', `/v1/webhooks/${webhookId}`, { body: { url } }),
    api.request('POST', '/v1/admin/channels', {
      body: { name: 'x', type: 'openai', models: [{ name: 'moved-model' }], ...channel },
    }),
    api.request('PUT', `/v1/admin/channels/${channelId}`, { body: channel }),
  ]);
}

/** Refused by each of the four; answers what it was told. */
async function refusalsOf(url: string): Promise<readonly string[]> {
  const answers = await tryEverywhere(at(url));
  const codes = answers.map(({ status, body }) => `${status} ${body?.error?.code}`);
  expect(new Set(codes)).toEqual(new Set(['400 VALIDATION_ERROR']));
  const [created, changed] = answers;
  expect([created?.body?.error?.param, changed?.body?.error?.param]).toEqual(['url', 'url']);
  return answers.map(({ body }) => body?.error?.message ?? '');
}

const sentence = (setting: string) =>
  `The host of this URL cannot be used; ${setting} allows private ones.`;
const WEBHOOKS = sentence('TOLLGATE_WEBHOOK_ALLOWED_HOSTS');
const VENDORS = sentence('TOLLGATE_EGRESS_ALLOWED_HOSTS');
/** No setting allows a name that DNS cannot know. */
const OVERLONG = 'The host of this URL cannot be used: its address must be public.';
const HOSTNAME_LENGTH_MAX = 253;

test.each(HOSTS)(
  '%s is refused in a sentence that tells nothing of it, and never called',
  async (_name, url) => {
    const told = await refusalsOf(url);
    const { hostname } = new URL(at(url));
    if (hostname.length > HOSTNAME_LENGTH_MAX) {
      expect(told).toEqual([OVERLONG, OVERLONG, OVERLONG, OVERLONG]);
      return;
    }
    // Operators are told of a name that the resolver of this machine does not know; others are not.
    const unknown = `${hostname} does not resolve: look at its spelling, and at the DNS that this product asks.`;
    const vendors = NAMES.has(hostname) && told[2] === unknown ? unknown : VENDORS;
    expect(told).toEqual([WEBHOOKS, WEBHOOKS, vendors, vendors]);
  },
);

test('a host that is allowed for vendors is refused to webhooks, and never called', async () => {
  const url = `http://${VENDOR_ONLY}/`;
  const body = { base_url: url, credential: 'another-credential' };
  const { api } = tollgate;
  expect((await api.request('PUT', `/v1/admin/channels/${channelId}`, { body })).status).toBe(200);
  const hooks = await Promise.all([
    api.request('POST', '/v1/webhooks', { body: { url, events: ['key.created'] } }),
    api.request('PATCH', `/v1/webhooks/${webhookId}`, { body: { url } }),
  ]);
  for (const { status, body: refused } of hooks) {
    expect([status, refused?.error?.param, refused?.error?.message]).toEqual([
      400,
      'url',
      WEBHOOKS,
    ]);
  }
});

test.each(FORMS)('%s is refused, and never called', async (_name, url) => {
  const messages = await refusalsOf(url);
  expect(messages.join(' ')).not.toMatch(/127\.0|::1|localhost|sesame/);
});

test.each([301, 302, 303, 307, 308])('a webhook that answers %i ends there', async (status) => {
  const { api } = tollgate;
  const url = at(`http://127.0.0.1:A/status/${status}`);
  const hook = await api.post('/v1/webhooks', { url, events: ['webhook.test'] });
  const path = `/v1/webhooks/${String(hook.id)}`;
  await api.post(`${path}/test`, {});
  const deliveries = await eventually(
    () => api.request('GET', `${path}/deliveries`),
    ({ text }) => text.includes(`${status}`),
  );
  expect(allowedHits).toContain(`POST /status/${status}`);
  expect(deliveries.text).not.toContain(INSIDE);
  expect(deliveries.text).not.toContain('moved');
  await api.request('DELETE', path);
});

test.each([301, 302, 303, 307, 308])(
  'a vendor that answers %i ends there, with its credential',
  async (status) => {
    const { api } = tollgate;
    await api.put(`/v1/admin/channels/${channelId}`, {
      base_url: at(`http://127.0.0.1:A/status/${status}`),
      credential: 'the-vendor-credential',
    });
    const health = await api.request('POST', `/v1/admin/channels/${channelId}/health`, {
      body: {},
    });
    expect(health.body?.data).toMatchObject({ healthy: false, http_status: status });
    expect(health.text).not.toMatch(/what-the-private|moved"|127\.0/);
    const before = allowedHits.length;
    const body = { model: 'moved-model', messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await eventually(
      () => api.request('POST', '/v1/chat/completions', { body }),
      () => allowedHits.slice(before).includes(`POST /status/${status}/chat/completions`),
    );
    expect([answer.status, answer.body?.error?.code]).toEqual([502, 'UPSTREAM_ERROR']);
    expect(answer.text).not.toMatch(/what-the-private|moved"|127\.0/);
  },
);

test('what an allowed address answers is shown to nobody', async () => {
  const { api } = tollgate;
  const base = at('http://127.0.0.1:A/status/500');
  await api.put(`/v1/admin/channels/${channelId}`, { base_url: base, credential: 'x' });
  const health = await api.request('POST', `/v1/admin/channels/${channelId}/health`, { body: {} });
  expect(health.body?.data).toMatchObject({ healthy: false, http_status: 500 });
  expect(health.text).not.toContain(INSIDE);
});

test('a new address without a new credential is refused: the old one would travel', async () => {
  const { api } = tollgate;
  const answer = await api.request('PUT', `/v1/admin/channels/${channelId}`, {
    body: { base_url: at('http://127.0.0.1:A/elsewhere') },
  });
  expect([answer.status, answer.body?.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(allowedHits.filter((hit) => hit.includes('elsewhere'))).toEqual([]);
});
