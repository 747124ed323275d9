import { DAY_MS, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { DeliveryStore, EndpointStore } from '../domain/ports';
import type { WebhookEvent } from '../domain/webhook-event';
import { createDeliveryStores } from '../storage/delivery-store';
import { createEndpointStore } from '../storage/endpoint-store';
import { insertEndpoint, openTestStore, type TestStore } from '../testing/open-test-store';
import { attemptDelivery } from './attempt-delivery';
import { appendDelivery, holdDeliveries } from './endpoint-queue';

const clock = createFakeClock();

let opened: TestStore;
let deliveries: DeliveryStore;
let endpoints: EndpointStore;
let endpoint: Endpoint;

beforeAll(async () => {
  opened = await openTestStore(clock);
  ({ deliveries } = createDeliveryStores(opened.mongo, 30 * DAY_MS));
  endpoints = createEndpointStore(opened.mongo);
});

afterAll(() => opened.close());

beforeEach(async () => {
  endpoint = await insertEndpoint(endpoints, 'acc_1', clock.now());
});

function event(name: string): WebhookEvent {
  return {
    key: name,
    eventId: name,
    type: 'key.created',
    atMs: clock.now(),
    audience: { kind: 'account', accountId: 'acc_1' },
    data: {},
  };
}

async function sequences(endpointId: EndpointId): Promise<readonly number[]> {
  const found = await deliveries.list(endpointId, 500, undefined);
  return found.map((delivery) => delivery.sequence).reverse();
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('consumers that append the same events at once give each one number, without a gap', async () => {
  const events = upTo(40).map((number) => event(`evt_${number}`));
  const consumer = async (order: readonly WebhookEvent[]) => {
    for (const one of order) await appendDelivery({ deliveries, clock }, endpoint, one);
  };
  await Promise.all([consumer(events), consumer([...events].reverse()), consumer(events)]);
  expect(await sequences(endpoint.id)).toEqual(upTo(40));
  const keys = (await deliveries.list(endpoint.id, 500, undefined)).map(({ eventKey }) => eventKey);
  expect(new Set(keys).size).toBe(40);
});

test('a crash before or after the write leaves no gap and no second delivery', async () => {
  let calls = 0;
  const crashing: DeliveryStore = {
    ...deliveries,
    async insert(delivery) {
      calls += 1;
      if (calls % 3 === 0) throw new Error('killed before the write');
      const inserted = await deliveries.insert(delivery);
      if (calls % 3 === 1) throw new Error('killed after the write');
      return inserted;
    },
  };
  for (const number of upTo(30)) {
    // The bus hands the event over until it is handled.
    for (let handled = false; !handled; ) {
      handled = await appendDelivery({ deliveries: crashing, clock }, endpoint, event(`f${number}`))
        .then(() => true)
        .catch(() => false);
    }
  }
  expect(await sequences(endpoint.id)).toEqual(upTo(30));
});

test('numbers go on after everything that was delivered has expired', async () => {
  for (const number of upTo(3)) {
    await appendDelivery({ deliveries, clock }, endpoint, event(`e${number}`));
  }
  await endpoints.autoDisable(endpoint.id, endpoint.url);
  await holdDeliveries({ endpoints, deliveries, clock }, endpoint.id);
  await expireAll();
  expect(await nextSequence(event('e4'))).toBe(4);
});

test('numbers go on after everything that was received has expired', async () => {
  const options = {
    endpoints,
    deliveries,
    clock,
    logger: silentLogger,
    receiver: {
      checkUrl: () => Promise.resolve(),
      post: () => Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: 0 } as const),
    },
    sealer: { seal: String, open: String },
    disableAfterMs: DAY_MS,
    random: () => 0,
    onAttempt() {},
    onAutoDisabled() {},
  };
  for (const number of upTo(2)) {
    const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, event(`r${number}`));
    const claim = { fence: 1n, untilAtMs: clock.now() + 1000 };
    await deliveries.claim(delivery, claim);
    await attemptDelivery(options, { delivery, endpoint, claim }, new AbortController().signal);
  }
  await expireAll();
  expect(await nextSequence(event('r3'))).toBe(3);
});

test('a delivery that is asked for again is kept for as long as it waits', async () => {
  const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, event('again'));
  const claim = { fence: 1n, untilAtMs: clock.now() + 1000 };
  await deliveries.claim(delivery, claim);
  const outcome = { kind: 'succeeded', statusCode: 200 } as const;
  await deliveries.record(delivery, claim, { outcome, atMs: clock.now() });
  await deliveries.restart(delivery, clock.now(), 'evt_1');
  clock.jumpWallClock(31 * DAY_MS);
  await opened.server.sweepExpired();
  expect((await deliveries.find('acc_1', delivery.id))?.status).toBe('pending');
});

test('an attempt that is being made keeps its delivery when others of the endpoint go on', async () => {
  const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, event('being made'));
  await appendDelivery({ deliveries, clock }, endpoint, event('waiting'));
  const claim = { fence: 1n, untilAtMs: clock.now() + 30_000 };
  await deliveries.claim(delivery, claim);
  await deliveries.pause(endpoint.id, 2, clock.now());
  await deliveries.resume(endpoint.id, clock.now());
  const due = await deliveries.due(endpoint.id, clock.now(), 10);
  expect(due.map(({ eventKey }) => eventKey)).toEqual(['waiting']);
  const success = { outcome: { kind: 'succeeded', statusCode: 200 }, atMs: clock.now() } as const;
  expect(await deliveries.record(delivery, claim, success)).toBe(true);
});

test('a leader of the past can neither claim nor record', async () => {
  const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, event('fenced'));
  const past = { fence: 1n, untilAtMs: clock.now() + 1000 };
  expect(await deliveries.claim(delivery, past)).toBe(true);
  const due = await deliveries.find('acc_1', delivery.id);
  const present = { fence: 2n, untilAtMs: clock.now() + 9000 };
  expect(await deliveries.claim(due ?? delivery, present)).toBe(true);
  const success = { outcome: { kind: 'succeeded', statusCode: 200 }, atMs: clock.now() } as const;
  expect(await deliveries.record(delivery, past, success)).toBe(false);
  const stale = await deliveries.find('acc_1', delivery.id);
  expect(await deliveries.claim(stale ?? delivery, past)).toBe(false);
  expect(await deliveries.record(delivery, present, success)).toBe(true);
});

test('holding does not outlast an owner who enables the endpoint at the same moment', async () => {
  const { delivery } = await appendDelivery({ deliveries, clock }, endpoint, event('held'));
  // The endpoint is enabled, as if its owner had been faster than the pause.
  await holdDeliveries({ endpoints, deliveries, clock }, endpoint.id);
  clock.jumpWallClock(31 * DAY_MS);
  await opened.server.sweepExpired();
  expect((await deliveries.find('acc_1', delivery.id))?.status).toBe('pending');
});

/** A month later, with nothing left of what waited or was received. */
async function expireAll(): Promise<void> {
  clock.jumpWallClock(31 * DAY_MS);
  await opened.server.sweepExpired();
  expect(await sequences(endpoint.id)).toEqual([]);
}

async function nextSequence(next: ReturnType<typeof event>): Promise<number> {
  const present = await endpoints.find(endpoint.id);
  const { delivery } = await appendDelivery({ deliveries, clock }, present ?? endpoint, next);
  return delivery.sequence;
}
