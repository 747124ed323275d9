import { AppError, createId, nano, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import {
  createIdempotencyStore,
  type IdempotencyStore,
  type MongoStore,
  NO_KEY,
  openMongo,
  runMigrations,
} from '@tollgate/mongo';
import { createFakeClock, createTestMongo } from '@tollgate/testkit';
import type { ChannelStore, ModelStore } from '../domain/ports';
import { createChannelStore } from '../storage/channel-store';
import { routingMigrations } from '../storage/migrations';
import { createModelStore } from '../storage/model-store';
import { checkChannelHealth } from './channel-health';
import { createChannelOperations } from './channels';
import { createModelOperations } from './models';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
const modelSettings = {
  name: 'small',
  description: '',
  contextLength: 1000,
  maxCompletionTokens: 100,
  capabilities: [],
  ownedBy: '',
  prices: { prompt: nano(7n), completion: nano(9_007_199_254_740_993n), cachedPrompt: nano(1n) },
};
const channelSettings = {
  name: 'first',
  type: 'openai',
  baseUrl: 'http://vendor.example',
  credential: 'a-credential-for-tests',
  models: [{ name: 'small', upstreamName: 'small' }],
} as const;

let server: EmbeddedMongo;
let store: MongoStore;
let stores: Stores;
let channelId: string;
let vendorCalls: number;

/** The real stores, so that a test can let one of them fail. */
interface Stores {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly idempotency: IdempotencyStore;
}

beforeEach(async () => {
  server = await createTestMongo({ clock });
  store = openMongo({ uri: server.uriFor('routing'), appName: 't', logger: silentLogger });
  await store.connect();
  await runMigrations(store, 'routing', routingMigrations, silentLogger);
  stores = {
    channels: createChannelStore(store, clock),
    models: createModelStore(store),
    idempotency: createIdempotencyStore(store, { collection: 'routing_idempotency' }),
  };
  vendorCalls = 0;
  await operations().models.create(modelSettings, NO_KEY);
  channelId = (await operations().channels.create(channelSettings, NO_KEY)).answer.id;
});

afterEach(async () => {
  await store.close();
  await server.close();
});

function operations(broken: Partial<Stores> = {}) {
  const options = {
    ...stores,
    ...broken,
    ...{ clock, logger: silentLogger },
    changes: { announce: () => Promise.resolve() },
    probe: {
      check() {
        vendorCalls += 1;
        return Promise.resolve({ healthy: true, latencyMs: 5, httpStatus: 200, error: '' });
      },
      checkAddress: () => Promise.resolve(),
      listModels: () => Promise.resolve([]),
    },
    sealer: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text },
    openCredential: () => '',
    ...{ channelsMax: 5, modelsMax: 5 },
  };
  return {
    channels: createChannelOperations(options),
    models: createModelOperations(options),
    check: (idempotency: typeof NO_KEY) => checkChannelHealth(options, channelId, '', idempotency),
  };
}

interface Command {
  run(
    idempotency: typeof NO_KEY,
    broken?: Partial<Stores>,
  ): Promise<{ readonly answer: object; readonly replayed: boolean }>;
  /** How often what it does was done. */
  effects(): Promise<number>;
  /** The store that it writes to, failing before the write. */
  breakBefore(): Partial<Stores>;
  /** How long an interrupted one counts as running. */
  readonly runningMs: number;
}

const killed = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));

const COMMANDS: Readonly<Record<string, Command>> = {
  'creation of a channel': {
    run: (idempotency, broken) =>
      operations(broken).channels.create({ ...channelSettings, name: 'second' }, idempotency),
    effects: () => stores.channels.count(),
    breakBefore: () => ({ channels: { ...stores.channels, insert: killed } }),
    runningMs: 30_000,
  },
  'creation of a model': {
    async run(idempotency, broken) {
      // Another body is another model: the name of the first one is taken.
      const name = idempotency.bodyDigest === 'a' ? 'large' : 'huge';
      return operations(broken).models.create({ ...modelSettings, name }, idempotency);
    },
    effects: () => stores.models.count(),
    breakBefore: () => ({ models: { ...stores.models, insert: killed } }),
    runningMs: 30_000,
  },
  'health check': {
    run: (idempotency, broken) => operations(broken).check(idempotency),
    effects: () => Promise.resolve(vendorCalls),
    breakBefore: () => ({ channels: { ...stores.channels, get: killed } }),
    // A vendor may take its time.
    runningMs: 150_000,
  },
};

const ONCE = { key: 'acc_1/once', bodyDigest: 'a' };

describe.each(Object.entries(COMMANDS))('a %s', (_name, command) => {
  const { run, effects, breakBefore, runningMs } = command;

  test('that is repeated with its key is answered the same and done once', async () => {
    const first = await run(ONCE);
    const done = await effects();
    await clock.advance(DAY_MS - 1);
    const second = await run(ONCE);
    expect(first.replayed).toBe(false);
    expect(second).toEqual({ answer: first.answer, replayed: true });
    expect(await effects()).toBe(done);
  });

  test('with a key that had another body or belongs to another command is a mismatch', async () => {
    await run(ONCE);
    const done = await effects();
    const mismatch = { code: 'IDEMPOTENCY_MISMATCH' };
    await expect(run({ ...ONCE, bodyDigest: 'b' })).rejects.toMatchObject(mismatch);
    for (const other of Object.values(COMMANDS)) {
      if (other !== command) await expect(other.run(ONCE)).rejects.toMatchObject(mismatch);
    }
    expect(await effects()).toBe(done);
  });

  test('of another account under the same word is another one', async () => {
    await run(ONCE);
    const done = await effects();
    const others = { key: 'acc_2/once', bodyDigest: 'b' };
    expect((await run(others)).replayed).toBe(false);
    expect(await effects()).toBe(done + 1);
  });

  test('that was killed before its effect is done by the next request', async () => {
    const before = await effects();
    await expect(run(ONCE, breakBefore())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await run(ONCE)).replayed).toBe(false);
    expect(await effects()).toBe(before + 1);
  });

  test('that was killed after its effect is running for a while, then found, never redone', async () => {
    const { idempotency } = stores;
    const first = await run(ONCE, { idempotency: { ...idempotency, answer: killed } });
    const done = await effects();
    await clock.advance(runningMs - 1);
    await expect(run(ONCE)).rejects.toMatchObject({ code: 'CONFLICT', retryAfterMs: 1000 });
    await clock.advance(1);
    expect(await run(ONCE)).toEqual({ answer: first.answer, replayed: true });
    expect(await effects()).toBe(done);
  });
});

test('a check that enables its channel again is found after a crash as well', async () => {
  const channel = await stores.channels.get(channelId);
  if (channel === undefined) throw new Error('no channel');
  const disabled = { ...channel, status: 'auto_disabled', updatedAtMs: channel.updatedAtMs + 1 };
  await stores.channels.replace(disabled as typeof channel, channel.updatedAtMs);
  const lost = { ...stores.idempotency, answer: killed };
  const { answer } = await operations({ idempotency: lost }).check(ONCE);
  await clock.advance(150_000);
  expect(await operations().check(ONCE)).toEqual({ answer, replayed: true });
  expect(vendorCalls).toBe(1);
  expect((await stores.channels.get(channelId))?.status).toBe('enabled');
});

test('an answer outlives its channel, and holds no credential', async () => {
  const { channels } = operations();
  const { answer } = await channels.create({ ...channelSettings, name: 'second' }, ONCE);
  await channels.remove(answer.id);
  const again = await channels.create({ ...channelSettings, name: 'second' }, ONCE);
  expect(again).toEqual({ answer, replayed: true });
  const kept = await store.connection.collection('routing_idempotency').find({}).toArray();
  expect(JSON.stringify(kept)).not.toMatch(/sealed|a-credential/);
});

test('creations that channels remembered before are forgotten by the migration', async () => {
  const documents = store.connection.collection('channels');
  const old = { _id: createId('channel') as never, idempotencyKey: 'acc_1/k', bodyDigest: 'd' };
  await documents.insertOne(old);
  await store.connection
    .collection('migrations')
    .deleteOne({ _id: 'routing:0002-idempotency' as never });
  await runMigrations(store, 'routing', routingMigrations, silentLogger);
  expect(await documents.findOne({ _id: old._id })).toEqual({ _id: old._id });
  const indexes = (await documents.indexes()).map(({ name }) => name);
  expect(indexes).toEqual(['_id_', 'models.name_1', 'outbox.id_1']);
});
