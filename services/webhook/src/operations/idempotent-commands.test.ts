import { AppError, createId, silentLogger } from '@tollgate/core';
import { createIdempotencyStore, type IdempotencyStore, NO_KEY } from '@tollgate/mongo';
import { createFakeClock } from '@tollgate/testkit';
import type { DeliveryStore, EndpointStore } from '../domain/ports';
import { createDeliveryStore } from '../storage/delivery-store';
import { createEndpointStore } from '../storage/endpoint-store';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createDeliveryOperations } from './deliveries';
import { createEndpointOperations } from './endpoints';

const DAY_MS = 86_400_000;
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
  readonly idempotency: IdempotencyStore;
}

beforeAll(async () => {
  opened = await openTestStore(clock);
});

afterAll(() => opened.close());

beforeEach(async () => {
  const { store } = opened;
  stores = {
    endpoints: createEndpointStore(store),
    deliveries: createDeliveryStore(store, 30 * DAY_MS),
    idempotency: createIdempotencyStore(store, { collection: 'webhook_idempotency' }),
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
    ...{ clock, logger: silentLogger },
    receiver: { checkUrl: () => Promise.resolve() },
    sealer: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text },
    dispatcher: { wake() {} },
    endpointsMax: 3,
    testsPendingMax: 3,
  };
  const endpoints = createEndpointOperations(options);
  return { endpoints, deliveries: createDeliveryOperations({ ...options, endpoints }) };
}

interface Outcome {
  readonly answer: object;
  readonly replayed: boolean;
  readonly secret?: string;
}

/** A command, and how often what it does was done. */
interface Command {
  run(idempotency: { key: string; bodyDigest: string }, broken?: Partial<Stores>): Promise<Outcome>;
  effects(): Promise<number>;
  /** The stores, with that one broken which the command writes to. */
  breakBefore(): Partial<Stores>;
}

const killed = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
let restarts = 0;

const COMMANDS: Readonly<Record<string, Command>> = {
  creation: {
    async run(idempotency, broken) {
      const creation = { operator: false, idempotency };
      const made = await operations(broken).endpoints.create(accountId, settings, creation);
      return { ...made, answer: made.endpoint };
    },
    effects: () => stores.endpoints.list(accountId, 9, undefined).then(({ length }) => length),
    breakBefore: () => ({ endpoints: { ...stores.endpoints, insert: killed } }),
  },
  rotation: {
    async run(idempotency, broken) {
      const { endpoints } = operations(broken);
      const rotated = await endpoints.rotateSecret(accountId, endpointId, 60, idempotency);
      return { ...rotated, answer: rotated.endpoint };
    },
    effects: async () => (await stores.endpoints.get(endpointId))?.revision ?? 0,
    breakBefore: () => ({ endpoints: { ...stores.endpoints, replace: killed } }),
  },
  test: {
    run: (idempotency, broken) =>
      operations(broken).deliveries.sendTest(accountId, endpointId, idempotency),
    effects: async () => (await listed()).length,
    breakBefore: () => ({ deliveries: { ...stores.deliveries, insert: killed } }),
  },
  redelivery: {
    run(idempotency, broken) {
      const { restart } = stores.deliveries;
      const counting: DeliveryStore = {
        ...stores.deliveries,
        restart: (...asked) => {
          restarts += 1;
          return restart(...asked);
        },
      };
      const { deliveries } = operations({ deliveries: counting, ...broken });
      return deliveries.redeliver(accountId, deliveryId, idempotency);
    },
    effects: () => Promise.resolve(restarts),
    breakBefore: () => ({ deliveries: { ...stores.deliveries, restart: killed } }),
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

describe.each(Object.entries(COMMANDS))('a %s', (_name, { run, effects, breakBefore }) => {
  test('that is repeated with its key is answered the same and done once', async () => {
    const first = await run(ONCE);
    const done = await effects();
    await clock.advance(DAY_MS - 1);
    const second = await run(ONCE);
    expect(first.replayed).toBe(false);
    expect(second).toMatchObject({ answer: first.answer, replayed: true });
    if (first.secret !== undefined) {
      expect(first.secret).toMatch(/^whsec_/);
      expect(second.secret).toBe('');
    }
    expect(await effects()).toBe(done);
  });

  test('with a key that had another body or belongs to another command is a mismatch', async () => {
    await run(ONCE);
    const done = await effects();
    const mismatch = { code: 'IDEMPOTENCY_MISMATCH' };
    await expect(run({ ...ONCE, bodyDigest: 'b' })).rejects.toMatchObject(mismatch);
    for (const other of Object.values(COMMANDS)) {
      if (other.run === run) continue;
      await expect(other.run(ONCE)).rejects.toMatchObject(mismatch);
    }
    expect(await effects()).toBe(done);
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
    await clock.advance(RUNNING_MS - 1);
    await expect(run(ONCE)).rejects.toMatchObject({ code: 'CONFLICT', retryAfterMs: 1_000 });
    await clock.advance(1);
    const found = await run(ONCE);
    expect(found).toMatchObject({ answer: first.answer, replayed: true });
    expect(found.secret ?? '').toBe('');
    expect(await effects()).toBe(done);
  });
});

test('what is kept of an answer holds no secret and no event', async () => {
  for (const [name, { run }] of Object.entries(COMMANDS)) await run({ ...ONCE, key: name });
  const kept = await opened.store.connection.collection('webhook_idempotency').find({}).toArray();
  expect(kept.length).toBeGreaterThanOrEqual(4);
  expect(JSON.stringify(kept)).not.toMatch(/whsec|sealed|"body"/);
});
