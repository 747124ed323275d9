import { createId, DAY_MS, silentLogger } from '@tollgate/core';
import { createIdempotencyStore, type IdempotencyStore, NO_KEY } from '@tollgate/mongo';
import {
  createFakeClock,
  describeIdempotentOperations,
  type IdempotentOperation,
  interrupt,
} from '@tollgate/testkit';
import type { DeliveryStore, EndpointStore } from '../domain/ports';
import { COLLECTIONS } from '../storage/collections';
import { createDeliveryStores } from '../storage/delivery-store';
import { createEndpointStore } from '../storage/endpoint-store';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createDeliveryOperations } from './deliveries';
import { createEndpointOperations } from './endpoints';

const RUNNING_MS = 30_000;
const settings = { url: 'http://receiver.example', events: ['key.created'] };
const clock = createFakeClock();

let opened: TestStore;
let stores: Stores;
let accountId: string;
let endpointId: string;
let deliveryId: string;

/** The real stores, so that a test can let one of them fail. */
interface Stores {
  readonly endpoints: EndpointStore;
  readonly deliveries: DeliveryStore;
  readonly idempotencyClaims: IdempotencyStore;
}

beforeAll(async () => {
  opened = await openTestStore(clock);
});

afterAll(() => opened.close());

beforeEach(async () => {
  const { mongo } = opened;
  stores = {
    endpoints: createEndpointStore(mongo),
    ...createDeliveryStores(mongo, 30 * DAY_MS),
    idempotencyClaims: createIdempotencyStore(mongo, { collection: COLLECTIONS.idempotency }),
  };
  accountId = createId('account');
  const creation = { operator: false, idempotency: NO_KEY };
  const { endpoint } = await operations().endpoints.create(accountId, settings, creation);
  endpointId = endpoint.id;
  deliveryId = (await operations().deliveries.sendTest(accountId, endpointId, NO_KEY)).answer.id;
});

function operations(broken: Partial<Stores> = {}) {
  const options = {
    ...stores,
    ...broken,
    clock,
    logger: silentLogger,
    receiver: { checkUrl: () => Promise.resolve() },
    sealer: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text },
    wakeup: { wake() {} },
    endpointsMax: 3,
    testsPendingMax: 3,
  };
  const endpoints = createEndpointOperations(options);
  return { endpoints, deliveries: createDeliveryOperations({ ...options, endpoints }) };
}

let restarts = 0;

const OPERATIONS: Readonly<Record<string, IdempotentOperation>> = {
  creation: {
    async run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        endpoints: { ...stores.endpoints, insert: at(stores.endpoints.insert) },
      }));
      const creation = { operator: false, idempotency };
      const made = await operations(broken).endpoints.create(accountId, settings, creation);
      return { answer: made.endpoint, replayed: made.replayed };
    },
    async effects() {
      const page = { after: undefined, limit: 9 };
      return (await stores.endpoints.list(accountId, page)).length;
    },
    runningMs: RUNNING_MS,
  },
  rotation: {
    async run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        endpoints: { ...stores.endpoints, update: at(stores.endpoints.update) },
      }));
      const { endpoints } = operations(broken);
      const rotated = await endpoints.rotateSecret(accountId, endpointId, 60, idempotency);
      return { answer: rotated.endpoint, replayed: rotated.replayed };
    },
    effects: async () => (await stores.endpoints.find(endpointId))?.revision ?? 0,
    runningMs: RUNNING_MS,
  },
  test: {
    run(idempotency, interrupted) {
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        deliveries: { ...stores.deliveries, insert: at(stores.deliveries.insert) },
      }));
      return operations(broken).deliveries.sendTest(accountId, endpointId, idempotency);
    },
    effects: async () => (await listed()).length,
    runningMs: RUNNING_MS,
  },
  redelivery: {
    run(idempotency, interrupted) {
      const { restart } = stores.deliveries;
      const counting: DeliveryStore = {
        ...stores.deliveries,
        async restart(...asked) {
          const restarted = await restart(...asked);
          if (restarted) restarts += 1;
          return restarted;
        },
      };
      const broken = interrupt(interrupted, stores.idempotencyClaims, (at) => ({
        deliveries: { ...counting, restart: at(counting.restart) },
      }));
      const { deliveries } = operations({ deliveries: counting, ...broken });
      return deliveries.redeliver(accountId, deliveryId, idempotency);
    },
    effects: () => Promise.resolve(restarts),
    runningMs: RUNNING_MS,
  },
};

const listed = async () =>
  (
    await operations().deliveries.list(accountId, endpointId, {
      limit: 200,
      cursor: '',
    })
  ).items;

const ONCE = { key: 'once', bodyDigest: 'a' };

describeIdempotentOperations(OPERATIONS, clock);

test('a signing secret is told once, to the first answer', async () => {
  const { endpoints } = operations();
  const create = () =>
    endpoints.create(accountId, settings, { operator: false, idempotency: ONCE });
  expect((await create()).secret).toMatch(/^whsec_/);
  expect((await create()).secret).toBe('');
  const again = { ...ONCE, key: 'rotate once' };
  const rotate = () => endpoints.rotateSecret(accountId, endpointId, 60, again);
  expect((await rotate()).secret).toMatch(/^whsec_/);
  expect((await rotate()).secret).toBe('');
});

test('a rotation that was overtaken leaves the secret that the other one told', async () => {
  const reached = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const update: EndpointStore['update'] = async (...given) => {
    reached.resolve();
    await goesOn.promise;
    return stores.endpoints.update(...given);
  };
  const { endpoints } = operations({ endpoints: { ...stores.endpoints, update } });
  const overtaken = expect(
    endpoints.rotateSecret(accountId, endpointId, 0, ONCE),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  await reached.promise;
  await clock.advance(RUNNING_MS);
  const told = await operations().endpoints.rotateSecret(accountId, endpointId, 0, ONCE);
  goesOn.resolve();
  await overtaken;
  const present = await stores.endpoints.find(endpointId);
  expect(present?.secrets).toEqual([{ sealed: `sealed ${told.secret}`, expiresAtMs: null }]);
});

test('what is kept of an answer holds no secret and no event', async () => {
  for (const [name, { run }] of Object.entries(OPERATIONS)) await run({ ...ONCE, key: name });
  const kept = await opened.mongo.connection.collection('webhook_idempotency').find({}).toArray();
  expect(kept.length).toBeGreaterThanOrEqual(4);
  expect(JSON.stringify(kept)).not.toMatch(/whsec|sealed|"body"/);
});
