import { writeFileSync } from 'node:fs';
import http, { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSealer, createSystemClock, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { openMongo } from '@tollgate/mongo';
import { createTestMongo, makeTemporaryDirectory } from '@tollgate/testkit';
import { examine } from './doctor';

const NOWHERE = 'http://127.0.0.1:1';
const clock = createSystemClock();
const SOME_TEXT: unknown = expect.any(String);

const channel = (
  name: string,
  over: {
    status?: string;
    state?: string;
    breaker?: string;
    last_error?: string;
    owner?: string;
  } = {},
) => {
  const { status = 'enabled', state = 'healthy', breaker = 'closed', last_error = null } = over;
  const health = { state, breaker, last_error };
  const reason = status === 'auto_disabled' ? 'the credential was refused (401)' : null;
  const owner_account_id = over.owner ?? null;
  return { id: `chn_${name}`, name, status, disabled_reason: reason, health, owner_account_id };
};

/** Answers as the product does, for one key. It knows no channel of the name `gone` any more. */
async function startProduct(channels: readonly object[], asks: string[] = []): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://product');
    if (request.method === 'POST') asks.push(pathname);
    if (pathname.includes('chn_gone')) {
      const missing = { code: 'NOT_FOUND', message: 'There is none.' };
      response.writeHead(404).end(JSON.stringify({ data: null, error: missing }));
      return;
    }
    const known = request.headers.authorization === 'Bearer operator';
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
    const plans = { items: [{ price: { currency: 'USD' } }], next_cursor: null };
    const items = pathname.includes('channels') ? pageOf(channels, searchParams) : plans;
    const error = `${pathname.split('/').at(-2)} answered 401.`;
    const models = [{ pricing: null }, { pricing: { currency: 'USD' } }];
    const asked = { error: pathname.includes('chn_able') ? null : error };
    const data = request.method === 'POST' ? asked : items;
    response.end(JSON.stringify({ data: pathname.endsWith('/models') ? models : data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function pageOf(channels: readonly object[], query: URLSearchParams) {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit'));
  return {
    items: channels.slice(start, end),
    next_cursor: end < channels.length ? String(end) : null,
  };
}

async function findingsOf(url: string, environment: Record<string, string>) {
  const { exitCode, message } = await examine({ url, json: true, clock }, environment);
  const { findings } = JSON.parse(message) as {
    findings: { state: string; subject: string; seen: string; remedy?: string }[];
  };
  const states = Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  return { exitCode, findings, states };
}

test('without engines and without a product nothing fails, and each is told', async () => {
  const { exitCode, findings, states } = await findingsOf(NOWHERE, {});
  expect(exitCode).toBe(0);
  for (const subject of ['currency', 'sealing']) {
    const seen = 'MONGODB_URI is not set here; an embedded store is not read';
    expect(findings).toContainEqual({ state: 'skipped', subject, seen });
  }
  expect(states).toEqual({
    settings: 'ok',
    disk: 'ok',
    store: 'skipped',
    currency: 'skipped',
    sealing: 'skipped',
    Kafka: 'skipped',
    Redis: 'skipped',
    API: 'warning',
  });
});

test.each([
  [
    'all',
    [
      'MONGODB_URI is not set: the embedded store is used',
      'KAFKA_BROKERS is not set: events stay here',
      'REDIS_URL is not set: one gateway counts limits in memory',
    ],
  ],
  [
    'console',
    [
      'MONGODB_URI is not set here: TARGET=console does not use it',
      'KAFKA_BROKERS is not set here: TARGET=console does not use it',
      'REDIS_URL is not set here: TARGET=console does not use it',
    ],
  ],
])('what stands in for an engine is told only where it is so: %s', async (TARGET, seen) => {
  const { findings } = await findingsOf(NOWHERE, { TARGET });
  const engines = findings.filter(({ subject }) => ['store', 'Kafka', 'Redis'].includes(subject));
  expect(engines.map((finding) => finding.seen)).toEqual(seen);
});

test('engines that do not answer fail, each with a remedy', async () => {
  const { exitCode, findings } = await findingsOf(NOWHERE, {
    MONGODB_URI: 'mongodb://127.0.0.1:1/tollgate',
    KAFKA_BROKERS: '127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  expect(exitCode).toBe(1);
  for (const subject of ['store', 'Kafka', 'Redis']) {
    expect(findings).toContainEqual(
      expect.objectContaining({ subject, state: 'failure', remedy: SOME_TEXT }),
    );
  }
});

test.each([
  [
    'a server that does not answer',
    { REDIS_URL: 'redis://127.0.0.1:1' },
    'Connection is closed',
    0,
  ],
  [
    'sentinels that do not answer',
    { REDIS_URL: 'redis://limits', REDIS_SENTINELS: '127.0.0.1:1' },
    'sentinels',
    // The library does not hand its option on to what it opens to sentinels.
    1,
  ],
])('%s: Redis fails, and nobody waits for it', async (_, environment, words, waiting) => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const { findings } = await findingsOf(NOWHERE, environment);
  const seen: unknown = expect.stringContaining(words);
  expect(findings).toContainEqual(
    expect.objectContaining({ subject: 'Redis', state: 'failure', seen }),
  );
  const left = timers.mock.calls.flatMap(([, ms = 0], index) => {
    const timer = timers.mock.results[index]?.value as NodeJS.Timeout;
    return timer.hasRef() && ms > 100 ? [timer.unref()] : [];
  });
  timers.mockRestore();
  expect(left).toHaveLength(waiting);
});

test('a store without copies is a warning', async () => {
  const store = await createTestMongo();
  try {
    const { findings } = await findingsOf(NOWHERE, { MONGODB_URI: store.uriFor('doctor') });
    const seen: unknown = expect.stringMatching(/^one server without copies, \d+ ms$/);
    expect(findings).toContainEqual({
      state: 'warning',
      subject: 'store',
      remedy: SOME_TEXT,
      seen,
    });
  } finally {
    await store.close();
  }
});

test('a store that a file names is asked all the same', async () => {
  const store = await createTestMongo();
  const directory = await makeTemporaryDirectory('doctor');
  try {
    const file = join(directory.path, 'uri');
    writeFileSync(file, store.uriFor('doctor'));
    const { states } = await findingsOf(NOWHERE, {
      MONGODB_URI_FILE: file,
      TOLLGATE_SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    });
    expect(states).toMatchObject({ store: 'warning', currency: 'ok', sealing: 'ok' });
  } finally {
    await directory.remove();
    await store.close();
  }
});

test('another currency than that of the stored amounts is a failure', async () => {
  const server = await createTestMongo();
  const uri = server.uriFor('currency');
  const store = openMongo({ uri, appName: 'test', logger: silentLogger });
  const of = async (currency: string) => {
    const { findings } = await findingsOf(NOWHERE, {
      MONGODB_URI: uri,
      TOLLGATE_CURRENCY: currency,
    });
    return findings.find(({ subject }) => subject === 'currency');
  };
  try {
    expect(await of('EUR')).toEqual({ state: 'ok', subject: 'currency', seen: 'EUR' });
    await store.connect();
    const first = store.connection.collection<{ _id: string; currency: string }>(
      'billing_currency',
    );
    await first.insertOne({ _id: 'deployment', currency: 'USD' });
    expect(await of('USD')).toEqual({ state: 'ok', subject: 'currency', seen: 'USD' });
    expect(await of('EUR')).toEqual({
      state: 'failure',
      subject: 'currency',
      seen: 'TOLLGATE_CURRENCY is EUR, and all amounts in the store are in USD',
      remedy: 'set TOLLGATE_CURRENCY=USD for every service',
    });
  } finally {
    await store.close();
    await server.close();
  }
});

describe('which sealing keys are needed', () => {
  const key = (id: string) => ({ id, secret: Buffer.alloc(32, id) });
  const variable = (...ids: string[]) =>
    ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join();
  let server: EmbeddedMongo;
  let uri: string;

  beforeAll(async () => {
    server = await createTestMongo();
    uri = server.uriFor('sealing');
    const store = openMongo({ uri, appName: 'test', logger: silentLogger });
    await store.connect();
    const seal = (id: string) => createSealer([key(id)], 'any').seal('text', 'record');
    const channels = [{ sealedCredential: seal('k1') }, { sealedCredential: seal('k2') }];
    await store.connection.collection('channels').insertMany(channels);
    const secrets = [{ sealed: seal('k1') }, { sealed: seal('k2') }];
    await store.connection.collection('webhook_endpoints').insertOne({ secrets });
    const signing = { sealedPrivateKey: seal('k2') };
    await store.connection.collection('identity_signing_keys').insertOne(signing);
    await store.close();
  });

  afterAll(() => server.close());

  test.each([
    ['an old one that still is', ['k2', 'k1'], 'warning', /^values by key: k2 3, k1 2$/],
    ['one that is not here', ['k2'], 'failure', /^sealed by keys that are not here: k1 2$/],
    ['all', ['k1', 'k2'], 'warning', /^values by key: k1 2, k2 3$/],
  ])('%s', async (_what, ids, state, seen) => {
    const { findings } = await findingsOf(NOWHERE, {
      MONGODB_URI: uri,
      TOLLGATE_SEALING_KEYS: variable(...ids),
    });
    const told: unknown = expect.stringMatching(seen);
    expect(findings).toContainEqual(
      expect.objectContaining({ subject: 'sealing', state, seen: told }),
    );
  });

  test('one that sealed nothing any more may go', async () => {
    const { findings } = await findingsOf(NOWHERE, {
      MONGODB_URI: server.uriFor('nothing'),
      TOLLGATE_SEALING_KEYS: variable('k2', 'k1'),
    });
    expect(findings).toContainEqual({
      subject: 'sealing',
      state: 'ok',
      seen: 'values by key: k2 0, k1 0; a day after k2 came first k1 may be taken out',
    });
  });
});

test.each([
  [401, 'ok', 0],
  [502, 'failure', 1],
  [200, 'failure', 1],
])('without a key an answer of %d is judged as %s', async (status, state, exitCode) => {
  const server = createServer((_, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await findingsOf(url, {});
  server.close();
  expect(found).toMatchObject({ exitCode, states: { API: state, vendors: 'skipped' } });
});

test('another currency than that of billing or routing is a failure, also where the store is not at hand', async () => {
  const server = await startProduct([channel('good')]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const of = async (currency: string) => {
    const environment = { TOLLGATE_API_KEY: 'operator', TOLLGATE_CURRENCY: currency };
    const { exitCode, findings } = await findingsOf(url, environment);
    return [
      exitCode,
      ...findings.filter(({ subject }) => ['billing', 'routing'].includes(subject)),
    ];
  };
  expect(await of('USD')).toEqual([
    0,
    { state: 'ok', subject: 'billing', seen: 'has all amounts in USD' },
    { state: 'ok', subject: 'routing', seen: 'has all prices in USD' },
  ]);
  expect(await of('EUR')).toEqual([
    1,
    {
      state: 'failure',
      subject: 'billing',
      seen: 'TOLLGATE_CURRENCY is EUR, and billing has all amounts in USD',
      remedy: 'set TOLLGATE_CURRENCY=USD for every service',
    },
    {
      state: 'failure',
      subject: 'routing',
      seen: 'TOLLGATE_CURRENCY is EUR, and routing has all prices in USD',
      remedy: SOME_TEXT,
    },
  ]);
  server.close();
});

test('a channel that its breaker cut off is named, with what its vendor answers', async () => {
  const server = await startProduct([channel('good'), channel('bad', { breaker: 'open' })]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { exitCode, findings, states } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect([exitCode, states.API, states.vendors]).toEqual([0, 'ok', 'warning']);
  expect(findings.at(-1)?.seen).toBe('2 channels enabled, 1 failing: bad (chn_bad answered 401.)');
  const other = await findingsOf(url, { TOLLGATE_API_KEY: 'other' });
  expect([other.exitCode, other.states.API]).toEqual([1, 'failure']);
  server.close();
});

test.each([
  ['is degraded', { state: 'degraded' }],
  ['was never called', { state: 'unknown' }],
  ['failed in a call', { last_error: 'The connection was refused.' }],
])('a channel that %s is named when its vendor does not answer, and only then', async (_, over) => {
  const server = await startProduct([channel('good'), channel('able', over), channel('bad', over)]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  server.close();
  expect(findings.at(-1)).toMatchObject({
    state: 'warning',
    seen: '3 channels enabled, 1 failing: bad (chn_bad answered 401.)',
  });
});

test('no vendor is asked with the credential of a customer, and what its calls met is told', async () => {
  const asks: string[] = [];
  const broken = { state: 'unhealthy', last_error: 'The vendor answered 500.' };
  const server = await startProduct(
    [
      channel('own', { owner: 'acc_1', ...broken }),
      channel('cut', { owner: 'acc_1', breaker: 'open' }),
      channel('new', { owner: 'acc_2', state: 'unknown' }),
      channel('slow', { owner: 'acc_2', state: 'degraded' }),
      channel('shared', broken),
    ],
    asks,
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  server.close();
  expect(asks).toEqual(['/v1/admin/channels/chn_shared/health']);
  expect(findings.at(-1)).toMatchObject({
    state: 'warning',
    seen:
      '5 channels enabled, 3 failing: shared (chn_shared answered 401.); ' +
      'own (of an account, not asked: The vendor answered 500.); cut (of an account, not asked)',
  });
});

test('a vendor has as long to answer as the product gives it', async () => {
  const server = await startProduct([channel('bad', { breaker: 'open' })]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sent = jest.spyOn(http, 'request');
  await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  const waits = sent.mock.calls.map(([, options]) => options as http.RequestOptions);
  sent.mockRestore();
  server.close();
  expect(waits.at(-1)).toMatchObject({ method: 'POST', timeout: 30_000 });
});

test('a channel whose vendor cannot be asked is named with why', async () => {
  const server = await startProduct([channel('good'), channel('gone', { state: 'unhealthy' })]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect(findings.at(-1)?.seen).toMatch(/: gone \(404 NOT_FOUND There is none\.\)$/);
  server.close();
});

test.each([
  ['the only one that fails', {}, { state: 'unhealthy' }, 'warning', /^251 channels enabled, 1 f/],
  ['the only one that is enabled', { status: 'disabled' }, {}, 'ok', /^1 channel enabled, none/],
])('the newest of many channels is %s', async (_what, others, newest, state, seen) => {
  const old = Array.from({ length: 250 }, (_, index) => channel(`old${index}`, others));
  const server = await startProduct([...old, channel('newest', newest)]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { exitCode, findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect(exitCode).toBe(0);
  const told: unknown = expect.stringMatching(seen);
  expect(findings.at(-1)).toMatchObject({ state, subject: 'vendors', seen: told });
  server.close();
});

test('of many channels that nobody enabled some are named', async () => {
  const server = await startProduct(
    Array.from({ length: 250 }, (_, index) => channel(`old${index}`, { status: 'disabled' })),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect(findings.at(-1)?.seen).toMatch(/by hand: old0, .*, old99, 150 more$/);
  server.close();
});

test('a channel that was disabled automatically is a warning beside one that works', async () => {
  const server = await startProduct([channel('good'), channel('off', { status: 'auto_disabled' })]);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { exitCode, findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect(exitCode).toBe(0);
  expect(findings.at(-1)).toMatchObject({
    state: 'warning',
    seen: '1 channel enabled, none failing; disabled automatically: off (the credential was refused (401))',
    remedy: expect.stringContaining('pay there') as string,
  });
  server.close();
});

test.each([
  [
    'the only one fails',
    [channel('only', { state: 'unhealthy' })],
    /^1 channel enabled, 1 failing: only \(chn_only/,
  ],
  [
    'the only one was disabled automatically',
    [channel('only', { status: 'auto_disabled' })],
    /automatically: only \(the credential was refused \(401\)\)$/,
  ],
  [
    'the only one was disabled by hand',
    [channel('only', { status: 'disabled' })],
    /by hand: only$/,
  ],
  ['there is none', [], /^there is no channel$/],
])('no channel that works is a failure: %s', async (_why, channels, seen) => {
  const server = await startProduct(channels);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { exitCode, findings } = await findingsOf(url, { TOLLGATE_API_KEY: 'operator' });
  expect(exitCode).toBe(1);
  const told: unknown = expect.stringMatching(seen);
  expect(findings.at(-1)).toMatchObject({ state: 'failure', subject: 'vendors', seen: told });
  server.close();
});

test('a setting that nobody reads is a warning, one that is wrong a failure', async () => {
  const unknown = await findingsOf(NOWHERE, { TOLLGATE_HTTP_PROT: '1' });
  expect([unknown.exitCode, unknown.states.settings]).toEqual([0, 'warning']);
  const wrong = await findingsOf(NOWHERE, { TOLLGATE_HTTP_PORT: 'eighty' });
  expect([wrong.exitCode, wrong.states.settings]).toEqual([1, 'failure']);
});

test('people read a line for each, with what to do below it', async () => {
  const { message } = await examine({ url: NOWHERE, json: false, clock }, {});
  expect(message).toMatch(/^ok {7}settings {2}valid$/m);
  expect(message).toMatch(/^WARNING {2}API .*\n {10,}start it, or name its public address/m);
});
