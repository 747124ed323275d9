import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, type ServiceName, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import {
  createEvent,
  createInProcessBus,
  type EventBus,
  type ReceivedEvent,
  toOutgoing,
} from '@tollgate/events';
import { openMongo } from '@tollgate/mongo';
import { createMetrics } from '@tollgate/observability';
import type { routingV1 } from '@tollgate/protos';
import { createRpcClient, definitionOf } from '@tollgate/rpc';
import {
  createRecordingLogger,
  createTestMongo,
  type LogLine,
  makeTemporaryDirectory,
  type TemporaryDirectory,
  waitFor,
} from '@tollgate/testkit';
import { routingConfigSchema } from './config';
import { createRoutingService, type RoutingService } from './service';
import { COLLECTIONS } from './storage/collections';

const SECRET = 'a-service-secret-that-exists-only-in-this-test';
const clock = createSystemClock();
const WAIT = { timeoutMs: 10_000 };
const COMPLETION = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'pong' }, finish_reason: 'length' }],
});

/** With names that nobody could give a model of a channel: they are no part of what is told. */
const MODEL_LIST = JSON.stringify({
  data: ['a\u001b[2Jb', 'a\nb', 'gr\u00fcn', '', 'x'.repeat(201), 'vendor-model'].map((id) => ({
    id,
  })),
});

let directory: TemporaryDirectory;
let store: EmbeddedMongo;
let bus: EventBus;
let vendor: Server;
let vendorUrl: string;
let vendorStatus: number;
let vendorAnswer: { readonly type: string; readonly body: string };
let service: RoutingService | undefined;
let clients: { close(): void }[];

beforeEach(async () => {
  directory = await makeTemporaryDirectory('r');
  store = await createTestMongo();
  bus = createInProcessBus({ clock, logger: silentLogger });
  vendorStatus = 200;
  vendorAnswer = { type: 'application/json', body: COMPLETION };
  vendor = createServer((request, response) => {
    response.writeHead(vendorStatus, { 'content-type': vendorAnswer.type });
    const models = request.url?.endsWith('/models') === true;
    response.end(models ? MODEL_LIST : vendorAnswer.body);
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  await service?.stop();
  service = undefined;
  await bus.close();
  await new Promise((resolve) => vendor.close(resolve));
  await store.close();
  await directory.remove();
});

async function start(environment: Record<string, string> = {}) {
  const replica = createReplica(environment);
  service = replica.service;
  await service.start();
  return replica.logger.lines;
}

function createReplica(environment: Record<string, string>) {
  const logger = createRecordingLogger();
  const sealing = Buffer.alloc(32, 'k').toString('base64');
  const config = parseConfig(routingConfigSchema, {
    ROUTING_LISTEN: `unix:${join(directory.path, 'r.sock')}`,
    MONGODB_URI: store.uriFor('routing'),
    TOLLGATE_SERVICE_SECRET: SECRET,
    TOLLGATE_SEALING_KEYS: `k1:${sealing}`,
    TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TOLLGATE_SIMULATOR_BASE_URL: vendorUrl,
    TOLLGATE_ROUTING_HEALTH_WRITE_INTERVAL_MS: '100',
    ...environment,
  });
  const host = { clock, logger, metrics: createMetrics() };
  return { logger, service: createRoutingService(config, host, { eventBus: bus }) };
}

function connect(ownName: ServiceName, socket = 'r.sock') {
  const client = createRpcClient(definitionOf('routing'), {
    address: `unix:${join(directory.path, socket)}`,
    ownName,
    security: { serviceSecret: SECRET, plaintext: false },
    host: { clock, logger: silentLogger },
    deadlineMs: 20_000,
    breaker: false,
  });
  clients.push(client);
  return client;
}

/** What a new follower is told: the whole table, which is small enough for one message. */
function firstTable(): Promise<routingV1.RouteChanges__Output> {
  const stream = connect('completion').watchRouteTable({});
  return new Promise((resolve, reject) => {
    stream.listen({
      onMessage({ changes }) {
        if (changes === null) return;
        resolve(changes);
        stream.cancel();
      },
      onEnd: (error) => reject(error ?? new Error('the stream ended without a table')),
    });
  });
}

const settings = (over: routingV1.ChannelSettings = {}): routingV1.ChannelSettings => ({
  name: 'second',
  type: 'CHANNEL_TYPE_OPENAI',
  baseUrl: vendorUrl,
  credential: 'vendor-credential-for-tests',
  models: { values: [{ name: 'sim-small', upstreamName: 'small-upstream' }] },
  ...over,
});

test('the first start makes a priced simulator channel, and a later one keeps it', async () => {
  await start();
  const table = await firstTable();
  expect(table.channels).toHaveLength(1);
  expect(table.channels[0]).toMatchObject({ type: 'CHANNEL_TYPE_SIMULATOR', baseUrl: vendorUrl });
  expect(table.models.map((model) => model.name)).toEqual(['sim-large', 'sim-small']);
  expect(BigInt(table.models[0]?.pricing?.prompt ?? 0)).toBeGreaterThan(0n);

  await service?.stop();
  const moved = 'http://127.0.0.1:1/v1';
  await start({ TOLLGATE_SIMULATOR_BASE_URL: moved });
  const again = await firstTable();
  expect(again.channels.map((channel) => [channel.id, channel.baseUrl])).toEqual([
    [table.channels[0]?.id, moved],
  ]);
});

test('replicas that start together make one first channel, and each reads what the other wrote', async () => {
  const { service: other } = createReplica({
    ROUTING_LISTEN: `unix:${join(directory.path, 'other.sock')}`,
  });
  try {
    await Promise.all([start(), other.start()]);
    const [here, there] = [connect('gateway'), connect('gateway', 'other.sock')];
    expect((await there.listChannels({ limit: 10 })).channels).toHaveLength(1);
    const named = { name: 'gpt-4o', contextLength: 1000, maxCompletionTokens: 100 };
    await here.putModel({ model: named, create: true });
    const { models } = await there.listModels({});
    expect(models.map(({ name }) => name)).toContain('gpt-4o');
  } finally {
    await other.stop();
  }
});

test('every price that a model had is told of it alone, with when it came into force', async () => {
  await start();
  const routing = connect('gateway');
  const put = (prompt: string, create: boolean) => {
    const pricing = { currency: 'USD', prompt, completion: '5', cachedPrompt: '0' };
    const model = { name: 'gpt-4o', contextLength: 1000, maxCompletionTokens: 100, pricing };
    return routing.putModel({ model, create });
  };
  await put('100', true);
  await put('200', false);
  const { models } = await routing.listModels({ versionsOf: 'gpt-4o' });
  expect(models).toMatchObject([
    {
      name: 'gpt-4o',
      pricing: { version: 2, prompt: '200' },
      priceVersions: [
        { version: 1, prompt: '100' },
        { version: 2, prompt: '200' },
      ],
    },
  ]);
  expect((await routing.listModels({ versionsOf: 'none' })).models).toEqual([]);
  const [first] = (await routing.listModels({})).models;
  expect(first?.priceVersions).toEqual([]);
});

test('credentials are sealed again with a key that came first, and open with it alone', async () => {
  const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
  await start({ TOLLGATE_SEALING_KEYS: key('k1') });
  const [before] = (await firstTable()).channels;
  await service?.stop();
  await start({ TOLLGATE_SEALING_KEYS: `${key('k2')},${key('k1')}` });
  const database = openMongo({
    uri: store.uriFor('routing'),
    appName: 'test',
    logger: silentLogger,
  });
  await database.connect();
  const channels = database.connection.collection(COLLECTIONS.channels);
  await waitFor(async () =>
    String((await channels.findOne({}))?.sealedCredential).startsWith('v1.k2.'),
  );
  await database.close();
  await service?.stop();
  await start({ TOLLGATE_SEALING_KEYS: key('k2') });
  expect((await firstTable()).channels).toEqual([before]);
});

test('a vendor of the environment becomes the first channel, with its own list of models', async () => {
  await start({ OPENAI_BASE_URL: vendorUrl, OPENAI_API_KEY: 'vendor-credential-for-tests' });
  const table = await firstTable();
  expect(table.channels[0]).toMatchObject({
    type: 'CHANNEL_TYPE_OPENAI',
    credential: 'vendor-credential-for-tests',
    models: [{ name: 'vendor-model', upstreamName: 'vendor-model' }],
  });
});

test('a vendor that is named at a later start takes the place of the simulator', async () => {
  await start();
  await service?.stop();
  const vendor = { OPENAI_BASE_URL: vendorUrl, OPENAI_API_KEY: 'vendor-credential-for-tests' };
  const replaced = await start(vendor);
  const serving = async () => (await firstTable()).channels.map(({ type, name }) => [type, name]);
  expect(await serving()).toEqual([['CHANNEL_TYPE_OPENAI', 'first channel']]);
  expect((await firstTable()).models.map(({ name }) => name)).toEqual(['vendor-model']);
  await service?.stop();
  expect(replaced.filter(({ message }) => message.includes('simulator answers'))).toEqual([]);
  const lines = await start(vendor);
  expect(await serving()).toEqual([['CHANNEL_TYPE_OPENAI', 'first channel']]);
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test('a vendor that is named beside channels of its kind changes none, and the log says what to do', async () => {
  const vendor = { OPENAI_BASE_URL: vendorUrl, OPENAI_API_KEY: 'vendor-credential-for-tests' };
  await start(vendor);
  await service?.stop();
  const rotated = await start({ ...vendor, OPENAI_API_KEY: 'another-credential-for-tests' });
  const sentences = rotated.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(sentences).toEqual([expect.stringContaining('PATCH /v1/admin/channels/{id}')]);
  expect((await firstTable()).channels[0]?.credential).toBe('vendor-credential-for-tests');
  await service?.stop();
  const other = await start({ ...vendor, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
  const [line] = other.filter(({ level }) => level === 'warn');
  expect(line?.message).toContain('POST /v1/admin/channels');
  expect((await firstTable()).channels).toHaveLength(1);
});

test('the log says that answers are simulated when, and only when, a simulator serves', async () => {
  const saysSo = (lines: readonly LogLine[]) =>
    lines.filter(({ message }) => message.includes('nothing it says is real'));
  const vendorOnly = await start({ OPENAI_BASE_URL: vendorUrl, OPENAI_API_KEY: 'for-tests-only' });
  expect(saysSo(vendorOnly)).toEqual([]);
  await connect('gateway').createChannel({
    settings: settings({
      type: 'CHANNEL_TYPE_SIMULATOR',
      models: { values: [{ name: 'vendor-model', upstreamName: 'x' }] },
    }),
  });
  expect(saysSo(vendorOnly)).toMatchObject([{ fields: { channels: ['second'] } }]);
  await connect('gateway').createChannel({
    settings: settings({ name: 'third', models: { values: [] } }),
  });
  expect(saysSo(vendorOnly)).toHaveLength(1);
});

test('the channels of an erased account go with their credentials, and its answers too', async () => {
  await start();
  const gateway = connect('gateway');
  const own = settings({ name: 'of Lovelace', ownerAccountId: 'acc_1' });
  const once = { idempotencyKey: 'acc_op/once', bodyDigest: 'a' };
  await gateway.createChannel({ settings: own, ...once });
  await gateway.createChannel({
    settings: settings({ name: 'of Hopper', ownerAccountId: 'acc_2' }),
  });
  const erased = createEvent('account.erased', { account_id: 'acc_1' }, clock);
  await bus.publish([toOutgoing('acc_1', erased)], { timeoutMs: 20_000 });
  const { channels } = await gateway.listChannels({ limit: 10 });
  expect(channels.map(({ name }) => name).sort()).toEqual(['of Hopper', 'simulator']);
  const owners = (await firstTable()).channels.map(({ ownerAccountId }) => ownerAccountId);
  expect(owners).not.toContain('acc_1');
  const again = gateway.createChannel({ settings: own, ...once });
  await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
});

test('a vendor is asked for its models before there is a channel, within the rules of egress', async () => {
  await start();
  const gateway = connect('gateway');
  const asked = { type: 'CHANNEL_TYPE_OPENAI', credential: 'vendor-credential-for-tests' } as const;
  const found = await gateway.discoverModels({ ...asked, baseUrl: vendorUrl });
  expect(found).toMatchObject({ names: ['vendor-model'], httpStatus: 200, error: '' });
  expect(found.listPrices).toEqual([]);
  expect(found.models).toMatchObject([{ name: 'vendor-model', kind: 'MODEL_KIND_CHAT' }]);
  const silent = await gateway.discoverModels({ ...asked, baseUrl: 'http://127.0.0.1:1/v1' });
  expect(silent.names).toEqual([]);
  expect(silent.error).not.toBe('');
  const forbidden = gateway.discoverModels({ ...asked, baseUrl: 'http://192.168.0.1/v1' });
  await expect(forbidden).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'base_url' });
  const { channels } = await gateway.listChannels({ limit: 10 });
  expect(channels).toHaveLength(1);
});

test('a model is told as available where it is changed, if a channel serves it', async () => {
  await start();
  const gateway = connect('gateway');
  const [first] = (await gateway.listChannels({ limit: 1 })).channels;
  const put = async (name: string, create: boolean) => {
    const pricing = { currency: 'USD', prompt: '1', completion: '1', cachedPrompt: '0' };
    const settings = { name, contextLength: 1000, maxCompletionTokens: 100, pricing };
    const { model } = await gateway.putModel({ model: settings, create });
    return model?.available;
  };
  expect(await put('served', true)).toBe(false);
  const models = { values: [{ name: 'served', upstreamName: '' }] };
  await gateway.updateChannel({ channelId: first?.id ?? '', settings: { models } });
  await waitFor(() => put('served', false), WAIT);
  const { models: versions } = await gateway.listModels({ versionsOf: 'served' });
  expect(versions).toMatchObject([{ available: true }]);
});

test('a model without a price begins with its list price, or is refused where none is known', async () => {
  await start();
  const gateway = connect('gateway');
  const bounds = { contextLength: 8192, maxCompletionTokens: 1024, pricing: null };
  const { model } = await gateway.putModel({ model: { name: 'gpt-4o', ...bounds }, create: true });
  expect(model?.pricing).toMatchObject({ prompt: '2500000000', source: 'list', version: 1 });
  const unknown = gateway.putModel({ model: { name: 'nobody-knows', ...bounds }, create: true });
  await expect(unknown).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'pricing' });
});

test('a follower gets a table also while there is no channel, once for each connection', async () => {
  await start({ TOLLGATE_SIMULATOR_BASE_URL: '' });
  const messages: routingV1.WatchRouteTableResponse__Output[] = [];
  connect('completion')
    .watchRouteTable({})
    .listen({ onMessage: (message) => messages.push(message), onEnd() {} });
  // The first heartbeat follows the table, if there is one.
  await waitFor(() => messages.length >= 2, WAIT);
  const whole = { reset: true, channels: [], more: false };
  expect(messages.slice(0, 2)).toMatchObject([
    { revision: '0', changes: whole },
    { revision: '0', changes: null },
  ]);
});

test('only completion sees credentials; management sees a preview', async () => {
  await start();
  const gateway = connect('gateway');
  const { channel } = await gateway.createChannel({ settings: settings() });
  expect(channel?.credentialPreview).toBe('…ests');
  expect(JSON.stringify(channel)).not.toContain('vendor-credential-for-tests');
  const end = await new Promise((resolve) => {
    gateway.watchRouteTable({}).listen({ onMessage() {}, onEnd: resolve });
  });
  expect(end).toMatchObject({ code: 'FORBIDDEN' });
});

test('a follower is told the whole in parts, then only what changed', async () => {
  await start();
  const told: routingV1.RouteChanges__Output[] = [];
  connect('completion')
    .watchRouteTable({})
    .listen({
      onMessage({ changes }) {
        if (changes !== null) told.push(changes);
      },
      onEnd() {},
    });
  await waitFor(() => told.length === 1, WAIT);
  expect(told[0]).toMatchObject({ reset: true, more: false, channels: [{}], health: [] });
  const gateway = connect('gateway');
  const { channel } = await gateway.createChannel({ settings: settings() });
  const id = channel?.id ?? '';
  await waitFor(() => told.some(({ channels }) => channels.some((one) => one.id === id)), WAIT);
  expect(told.at(-1)).toMatchObject({ reset: false, channels: [{ id }], models: [] });
  await gateway.checkChannelHealth({ channelId: id });
  await waitFor(() => told.at(-1)?.health.length === 1, WAIT);
  expect(told.at(-1)).toMatchObject({ channels: [], health: [{ channelId: id }] });
  await gateway.deleteChannel({ channelId: id });
  await waitFor(() => told.at(-1)?.removedChannels.length === 1, WAIT);
  expect(told.at(-1)).toMatchObject({ channels: [], health: [], removedChannels: [id] });
});

test('a change is pushed to a follower with a higher revision', async () => {
  await start();
  const revisions: bigint[] = [];
  const names: string[][] = [];
  connect('completion')
    .watchRouteTable({})
    .listen({
      onMessage(message) {
        if (!message.changes) return;
        revisions.push(BigInt(message.revision));
        names.push(message.changes.channels.map((channel) => channel.name));
      },
      onEnd() {},
    });
  await waitFor(() => revisions.length === 1, WAIT);
  await connect('gateway').createChannel({ settings: settings() });
  await waitFor(() => names.at(-1)?.includes('second') === true, WAIT);
  expect(revisions.at(-1)).toBeGreaterThan(revisions[0] ?? 0n);
});

test('a command that is repeated with its key is answered from what is kept', async () => {
  await start();
  const gateway = connect('gateway');
  const request = { settings: settings(), idempotencyKey: 'k', bodyDigest: 'd' };
  const first = await gateway.createChannel(request);
  const second = await gateway.createChannel(request);
  expect(second).toMatchObject({ replayed: true, channel: { id: first.channel?.id } });
  await expect(gateway.createChannel({ ...request, bodyDigest: 'other' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  });
  expect((await gateway.listChannels({})).channels).toHaveLength(2);

  const once = { idempotencyKey: 'c', bodyDigest: 'd' };
  const channelId = first.channel?.id ?? '';
  const checked = await gateway.checkChannelHealth({ channelId, ...once });
  vendorStatus = 500;
  expect(checked).toMatchObject({ healthy: true, replayed: false });
  expect(await gateway.checkChannelHealth({ channelId, ...once })).toEqual({
    ...checked,
    replayed: true,
  });
  const model = {
    name: 'made-once',
    contextLength: 1000,
    maxCompletionTokens: 100,
    pricing: { prompt: '7', completion: '5', cachedPrompt: '1' },
  };
  const put = { model, create: true, idempotencyKey: 'm', bodyDigest: 'd' };
  const made = await gateway.putModel(put);
  expect(await gateway.putModel(put)).toEqual({ ...made, replayed: true });
});

test('a private address, an unknown model and an unknown id are refused by their code', async () => {
  await start({ TOLLGATE_EGRESS_ALLOWED_HOSTS: new URL(vendorUrl).host });
  const gateway = connect('gateway');
  const refused = (over: routingV1.ChannelSettings) =>
    gateway.createChannel({ settings: settings(over) });
  await expect(refused({ baseUrl: 'http://127.0.0.1:9/v1' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param: 'base_url',
  });
  await expect(gateway.listChannels({ cursor: 'invented' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param: 'cursor',
  });
  await expect(
    refused({ models: { values: [{ name: 'nobody', upstreamName: 'x' }] } }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', param: 'models[0].name' });
  await expect(gateway.getChannel({ channelId: 'chn_0' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a model that a channel serves cannot be deleted; a price change adds a version', async () => {
  await start();
  const gateway = connect('gateway');
  await expect(gateway.deleteModel({ name: 'sim-small' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  const put = (prompt: string) =>
    gateway.putModel({
      model: {
        name: 'sim-small',
        contextLength: 1000,
        maxCompletionTokens: 100,
        pricing: { currency: 'USD', prompt, completion: '5', cachedPrompt: '1' },
      },
    });
  expect((await put('7')).model?.pricing?.version).toBe(2);
  expect((await put('7')).model?.pricing?.version).toBe(2);
  expect((await put('8')).model?.pricing?.version).toBe(3);
});

async function reportRefusal(channelId: string): Promise<void> {
  await connect('completion').reportOutcomes({
    outcomes: [{ channelId, kind: 'OUTCOME_KIND_CREDENTIAL_REFUSED', count: 1 }],
  });
}

test('an operator who enables a channel that was disabled automatically clears why it did', async () => {
  await start();
  const gateway = connect('gateway');
  const channelId = (await gateway.listChannels({})).channels[0]?.id ?? '';
  vendorStatus = 401;
  await reportRefusal(channelId);
  await waitFor(() => isDisabled(channelId), WAIT);
  const renamed = await gateway.updateChannel({ channelId, settings: { name: 'renamed' } });
  expect(renamed.channel?.disabledReason).not.toBe('');
  const settings = { status: 'CHANNEL_STATUS_ENABLED' } as const;
  const enabled = await gateway.updateChannel({ channelId, settings });
  expect(enabled.channel).toMatchObject({ disabledAt: '', disabledReason: '' });
});

async function isDisabled(channelId: string): Promise<boolean> {
  const { channel } = await connect('gateway').getChannel({ channelId });
  return channel?.status === 'CHANNEL_STATUS_AUTO_DISABLED';
}

test('a prompt that a vendor forbids disables no channel whose own check works', async () => {
  const lines = await start();
  const channelId = (await connect('gateway').listChannels({})).channels[0]?.id ?? '';
  await reportRefusal(channelId);
  await waitFor(() => lines.some(({ message }) => message.includes('not the credential')), WAIT);
  expect(await isDisabled(channelId)).toBe(false);
});

test('a refused credential disables the channel at once, and a good check enables it again', async () => {
  await start();
  const published: ReceivedEvent[] = [];
  await bus.subscribe({
    group: 'test',
    topics: ['tollgate.routing.v1'],
    async handle(events) {
      published.push(...events);
    },
  });
  const gateway = connect('gateway');
  const [channel] = (await gateway.listChannels({})).channels;
  const channelId = channel?.id ?? '';
  vendorStatus = 401;
  await reportRefusal(channelId);
  await waitFor(() => isDisabled(channelId), WAIT);
  const disabled = (await gateway.getChannel({ channelId })).channel;
  expect(disabled?.disabledReason).toBe('The vendor refused the credential (401).');
  expect(Date.parse(disabled?.disabledAt ?? '')).toBeGreaterThan(0);
  expect(disabled?.health?.lastError).toContain('401');
  expect(await gateway.checkChannelHealth({ channelId })).toMatchObject({
    healthy: false,
    httpStatus: 401,
  });
  vendorStatus = 200;
  expect((await gateway.checkChannelHealth({ channelId })).healthy).toBe(true);
  expect((await gateway.getChannel({ channelId })).channel).toMatchObject({
    status: 'CHANNEL_STATUS_ENABLED',
    disabledAt: '',
    disabledReason: '',
    health: { lastError: '' },
  });
  await waitFor(() => published.length === 2, WAIT);
  expect(published.map(({ event }) => event.type)).toEqual([
    'channel.disabled',
    'channel.recovered',
  ]);
});

test.each([
  ['a page of HTML', 'text/html', '<html>Welcome to the proxy</html>'],
  ['an object without choices', 'application/json', '{}'],
  ['an error with status 200', 'application/json', '{"error":{"message":"no"},"choices":[]}'],
  ['a choice without a message', 'application/json', '{"choices":[{}]}'],
])('%s does not enable a channel that was disabled for its credential', async (_, type, body) => {
  await start();
  const gateway = connect('gateway');
  const channelId = (await gateway.listChannels({})).channels[0]?.id ?? '';
  vendorStatus = 401;
  await reportRefusal(channelId);
  await waitFor(() => isDisabled(channelId), WAIT);
  vendorStatus = 200;
  vendorAnswer = { type, body };
  const checked = await gateway.checkChannelHealth({ channelId });
  expect(checked).toMatchObject({ healthy: false, httpStatus: 200 });
  expect(checked.error).toBe('The vendor answered with something that is not a completion.');
  expect((await gateway.getChannel({ channelId })).channel?.status).toBe(
    'CHANNEL_STATUS_AUTO_DISABLED',
  );
});

test('observed latency reaches the table that completion chooses by', async () => {
  await start();
  const [channel] = (await connect('gateway').listChannels({})).channels;
  await connect('completion').reportOutcomes({
    outcomes: [
      {
        channelId: channel?.id ?? '',
        kind: 'OUTCOME_KIND_SUCCESS',
        count: 3,
        latencyMs: 80,
        firstTokenMs: 12,
      },
    ],
  });
  await waitFor(async () => (await firstTable()).channels[0]?.health?.firstTokenMs === 12, WAIT);
});
