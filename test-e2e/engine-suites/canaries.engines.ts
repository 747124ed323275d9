import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname } from 'node:path';
import type { Kafka } from 'kafkajs';
import type { RunningEngine } from '../engines/engine-process';
import { kafkaObstacle, startKafka } from '../engines/kafka';
import { redisObstacle, startRedis } from '../engines/redis';
import { type KeyedAccount, openAccountWithKey } from '../support/accounts';
import { type Api, createApi, toNano } from '../support/api';
import { createCanaries, readAllFiles } from '../support/canary-search';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { createKafka } from '../support/kafka-client';
import { directive } from '../support/vendors/simulator';
import { SERVICES } from '../topologies/instances';
import { type SeparateTollgate, startSeparate } from '../topologies/separate';

jest.setTimeout(180_000);

const USAGE_TOPIC = 'tollgate.usage.v1';
const DEAD_LETTERS = 'tollgate.dead-letter.v1';
const MODEL = 'canary-model';

const canaries = createCanaries();
const { make, watch } = canaries;
/** Kept by design: what finds these would find the others. */
const kept = createCanaries();

let tollgate: SeparateTollgate;
let kafka: Kafka;
let broker: RunningEngine;
let limits: RunningEngine;
let receiver: Server;
let operator: Api;
let account: KeyedAccount;

async function makeChannel(): Promise<void> {
  await operator.post('/v1/admin/models', {
    name: MODEL,
    context_length: 8192,
    max_completion_tokens: 1024,
    pricing: { prompt: '0.10', completion: '0.40' },
  });
  await operator.post('/v1/admin/channels', {
    name: kept.make('channel name'),
    type: 'openai',
    base_url: `${tollgate.simulatorUrl}/v1`,
    credential: make('vendor credential'),
    models: [{ name: MODEL }],
  });
}

/** A request in which every member that can hold text holds a canary of its own. */
function ask(settings: Readonly<Record<string, unknown>>, over = {}) {
  const text = `${make('completion')} and ${make('completion end')}`;
  return account.api.request('POST', '/v1/chat/completions', {
    headers: { 'x-request-id': kept.make('own request id') },
    body: {
      model: MODEL,
      messages: [
        { role: 'system', content: make('system prompt') },
        { role: 'user', content: directive({ text, ...settings }, make('prompt')) },
      ],
      user: make('user member'),
      metadata: { note: make('metadata') },
      stop: [make('stop word')],
      ...over,
    },
  });
}

/** Messages that no consumer can use. */
const poison = [
  make('poisoned message'),
  JSON.stringify({ prompt: make('poisoned member') }),
  JSON.stringify({ id: 'evt_1', type: 'usage.recorded', data: { note: make('poisoned data') } }),
];
const poisonDigests = poison.map((text) => createHash('sha256').update(text).digest('hex'));

interface Kept {
  readonly topic: string;
  readonly bytes: Buffer;
}

/** All that the broker keeps, from the first message of each topic to its present end. */
async function readTopics(): Promise<readonly Kept[]> {
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith('tollgate.'));
  const left = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic)) {
      if (BigInt(high) > BigInt(low)) left.set(`${topic}/${partition}`, BigInt(high) - 1n);
    }
  }
  await admin.disconnect();
  const found: Kept[] = [];
  const consumer = kafka.consumer({ groupId: `canaries-${Date.now()}` });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, partition, message }) => {
      const headers = Buffer.from(JSON.stringify(message.headers ?? {}));
      const parts = [message.key, message.value, headers].map((part) => part ?? Buffer.alloc(0));
      found.push({ topic, bytes: Buffer.concat(parts) });
      const place = `${topic}/${partition}`;
      if (BigInt(message.offset) >= (left.get(place) ?? 0n)) left.delete(place);
    },
  });
  await eventually(
    async () => left.size,
    (size) => size === 0,
    60_000,
  );
  await consumer.disconnect();
  return found;
}

/** The raw answers to the commands. */
async function askRedis(commands: readonly string[]): Promise<Buffer> {
  const { hostname, port } = new URL(limits.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${[...commands, 'QUIT'].join('\r\n')}\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The names of all keys and what is under them. */
async function readRedis(): Promise<Buffer> {
  const names = await askRedis(['KEYS *']);
  const keys = [...names.toString().matchAll(/^[^*$+\r\n].*$/gm)].map(([name]) => name.trim());
  return Buffer.concat([names, await askRedis(keys.map((key) => `DUMP "${key}"`))]);
}

describeUnless(kafkaObstacle() ?? redisObstacle(), 'services as processes on real engines', () => {
  beforeAll(async () => {
    // Engines of its own: another installation would share its consumer groups.
    const options = { report: () => undefined, detached: false };
    broker = await startKafka(options);
    limits = await startRedis(options);
    kafka = createKafka(broker.url);
    receiver = createServer((_request, response) => {
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    tollgate = await startSeparate(
      { kafkaBrokers: broker.url, redisUrl: limits.url },
      {
        LOG_LEVEL: 'debug',
        TOLLGATE_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
        TOLLGATE_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      },
    );
    const session = await createApi(tollgate.baseUrl, undefined).post('/v1/users/login', {
      email: tollgate.operatorEmail,
      password: watch('operator password', tollgate.operatorPassword),
    });
    operator = createApi(tollgate.baseUrl, watch('operator token', String(session.access_token)));
    await makeChannel();
    account = await openAccountWithKey(operator, {
      name: 'canaries',
      credit: '5.00',
      password: make('password'),
    });
    watch('api key', account.apiKey);
    watch('access token', account.accessToken);
    watch('refresh token', account.refreshToken);
  });

  afterAll(async () => {
    receiver?.close();
    const codes = await tollgate?.stop();
    await broker?.stop();
    await limits?.stop();
    expect(Object.entries(codes ?? {}).filter(([, code]) => code !== 0)).toEqual([]);
  });

  test('secrets are made and changed, requests succeed, fail and are cut', async () => {
    expect((await ask({})).status).toBe(200);
    expect((await ask({}, { stream: true })).text).toContain('[DONE]');
    expect((await ask({ fail: 'reset:mid_stream' }, { stream: true })).text).toContain('UPSTREAM');
    expect((await ask({ fail: 'status:500' })).status).toBe(502);
    expect((await ask({}, { temperature: make('bad number') })).status).toBe(400);
    const { port } = receiver.address() as AddressInfo;
    const hook = await account.session.post('/v1/webhooks', {
      url: `http://127.0.0.1:${port}/`,
      events: ['key.created', 'key.rotated', 'key.revoked'],
    });
    watch('webhook secret', String(hook.secret));
    const key = await account.session.post('/v1/keys', { name: 'second' });
    watch('second key', String(key.key));
    const rotated = await account.session.post(`/v1/keys/${String(key.id)}/rotate`, {});
    watch('rotated key', String(rotated.key));
    await account.session.request('DELETE', `/v1/keys/${String(key.id)}`);
    // The last one: the channel is disabled by it, because its own check is refused as well.
    await fetch(`${tollgate.simulatorUrl}/control/defaults`, {
      method: 'POST',
      body: JSON.stringify({ fail: 'status:401_echo' }),
    });
    expect((await ask({})).status).toBe(502);
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: USAGE_TOPIC, messages: poison.map((value) => ({ value })) });
    await producer.disconnect();
    await eventually(
      () => account.api.get('/v1/billing/balance'),
      (balance) => toNano(balance.reserved) === 0n && toNano(balance.total_usage) > 0n,
      60_000,
    );
  });

  test('topics, dead letters, Redis, logs and disks hold none of it', async () => {
    const design = new Set(['channel name', 'own request id']);
    const keptIn = (kinds: readonly Kept[]) =>
      new Set(kinds.flatMap(({ bytes }) => kept.findIn(bytes)));
    let messages: readonly Kept[] = [];
    await eventually(
      async () => {
        messages = await readTopics();
        const letters = messages.filter(({ topic }) => topic === DEAD_LETTERS);
        const buried = poisonDigests.filter((digest) =>
          letters.some(({ bytes }) => bytes.includes(digest)),
        );
        return { buried: buried.length, kept: keptIn(messages).size };
      },
      // That the channel was disabled is told some seconds after the last request.
      ({ buried, kept: kinds }) => buried === poison.length && kinds >= design.size,
      90_000,
    );
    // What the test itself put there is the one thing to be found.
    const found = messages.flatMap(({ topic, bytes }) =>
      canaries.findIn(bytes).map((what) => `${topic}: ${what}`),
    );
    expect(new Set(found)).toEqual(
      new Set(['message', 'member', 'data'].map((what) => `${USAGE_TOPIC}: poisoned ${what}`)),
    );
    expect(keptIn(messages)).toEqual(design);
    const redis = await readRedis();
    expect([redis.includes(account.id), canaries.findIn(redis)]).toEqual([true, []]);
    for (const name of SERVICES) {
      expect([name, canaries.findIn(Buffer.from(tollgate.output(name)))]).toEqual([name, []]);
    }
    const everything = readAllFiles(dirname(tollgate.dataDirectory('billing')));
    for (const { path, bytes } of everything) {
      expect([path, canaries.findIn(bytes)]).toEqual([path, []]);
    }
    expect(new Set(everything.flatMap(({ bytes }) => kept.findIn(bytes)))).toEqual(design);
  });
});
