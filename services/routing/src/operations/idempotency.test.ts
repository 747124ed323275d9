import { nano, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import {
  createIdempotencyStore,
  type IdempotencyStore,
  type MongoStore,
  NO_KEY,
  openMongo,
  runMigrations,
} from '@tollgate/mongo';
import {
  createFakeClock,
  createTestMongo,
  describeIdempotentOperations,
  type IdempotentOperation,
  interrupt,
} from '@tollgate/testkit';
import type { ChannelStore, ModelStore } from '../domain/ports';
import { createChannelStore } from '../storage/channel-store';
import { COLLECTIONS } from '../storage/collections';
import { routingMigrations } from '../storage/migrations';
import { createModelStore } from '../storage/model-store';
import { checkChannelHealth } from './channel-health';
import { createChannelOperations } from './channels';
import { createModelOperations } from './models';

const clock = createFakeClock();
const modelSettings = {
  name: 'small',
  kind: 'chat' as const,
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
  readonly idempotencyClaims: IdempotencyStore;
}

beforeEach(async () => {
  server = await createTestMongo({ clock });
  store = openMongo({ uri: server.uriFor('routing'), appName: 't', logger: silentLogger });
  await store.connect();
  await runMigrations(store, 'routing', routingMigrations, silentLogger);
  stores = {
    channels: createChannelStore(store, { clock, logger: silentLogger }),
    models: createModelStore(store, silentLogger),
    idempotencyClaims: createIdempotencyStore(store, { collection: COLLECTIONS.idempotency }),
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
    clock,
    logger: silentLogger,
    routeLog: { append: () => Promise.resolve() },
    probe: {
      check() {
        vendorCalls += 1;
        return Promise.resolve({ healthy: true, latencyMs: 5, httpStatus: 200, error: '' });
      },
      checkAddress: () => Promise.resolve(),
      discoverModels: () => Promise.resolve({ models: [], httpStatus: null, error: '' }),
    },
    sealer: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text },
    openCredential: () => '',
    channelsMax: 5,
    modelsMax: 5,
  };
  return {
    channels: createChannelOperations(options),
    models: createModelOperations(options),
    check: (idempotency: typeof NO_KEY) => checkChannelHealth(options, channelId, '', idempotency),
  };
}

const OPERATIONS: Readonly<Record<string, IdempotentOperation>> = {
  'creation of a channel': {
    run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        channels: { ...stores.channels, insert: at(stores.channels.insert) },
      }));
      const { channels } = operations(broken);
      return channels.create({ ...channelSettings, name: 'second' }, idempotency);
    },
    effects: () => stores.channels.count(),
    runningMs: 30_000,
  },
  'creation of a model': {
    run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        models: { ...stores.models, insert: at(stores.models.insert) },
      }));
      const { models } = operations(broken);
      // Another body is another model: the name of the first one is taken.
      const name = idempotency.bodyDigest === 'a' ? 'large' : 'huge';
      return models.create({ ...modelSettings, name }, idempotency);
    },
    effects: () => stores.models.count(),
    runningMs: 30_000,
  },
  'health check': {
    run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        channels: { ...stores.channels, find: at(stores.channels.find) },
      }));
      return operations(broken).check(idempotency);
    },
    effects: () => Promise.resolve(vendorCalls),
    mayAskAgain: true,
    // A vendor may take its time.
    runningMs: 150_000,
  },
};

const ONCE = { key: 'acc_1/once', bodyDigest: 'a' };

describeIdempotentOperations(OPERATIONS, clock);

test('a check that enables its channel again is found after a crash as well', async () => {
  const channel = await stores.channels.find(channelId);
  if (channel === undefined) throw new Error('no channel');
  const disabled = { ...channel, status: 'auto_disabled', updatedAtMs: channel.updatedAtMs + 1 };
  await stores.channels.update(disabled as typeof channel, channel.updatedAtMs);
  const broken = interrupt('after its effect', stores.idempotencyClaims, () => ({}));
  const { answer } = await operations(broken).check(ONCE);
  await clock.advance(150_000);
  expect(await operations().check(ONCE)).toEqual({ answer, replayed: true });
  expect(vendorCalls).toBe(1);
  expect((await stores.channels.find(channelId))?.status).toBe('enabled');
});

test('an answer outlives its channel, and holds no credential', async () => {
  const { channels } = operations();
  const { answer } = await channels.create({ ...channelSettings, name: 'second' }, ONCE);
  await channels.remove(answer.id);
  const again = await channels.create({ ...channelSettings, name: 'second' }, ONCE);
  expect(again).toEqual({ answer, replayed: true });
  const kept = await store.connection.collection(COLLECTIONS.idempotency).find({}).toArray();
  expect(JSON.stringify(kept)).not.toMatch(/sealed|a-credential/);
});
