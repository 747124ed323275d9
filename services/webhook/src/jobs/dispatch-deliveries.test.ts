import { AppError, createId, DAY_MS, silentLogger } from '@tollgate/core';
import {
  createFakeClock,
  createRecordingLogger,
  type FakeClock,
  type RecordingLogger,
  waitFor,
} from '@tollgate/testkit';
import { createAttemptPermits } from '../domain/attempt-permits';
import type { Endpoint, EndpointId } from '../domain/endpoint';
import type { DeliveryStore, DueEndpoints, EndpointStore } from '../domain/ports';
import { appendDelivery } from '../operations/endpoint-queue';
import { createRunIsolated } from '../operations/run-isolated';
import { createDeliveryStores } from '../storage/delivery-store';
import { createEndpointStore } from '../storage/endpoint-store';
import { insertEndpoint, openTestStore, type TestStore } from '../testing/open-test-store';
import { createDispatchJob } from './dispatch-deliveries';

const POLL_MS = 500;
const STEP_MS = 10_000;

let clock: FakeClock;
let opened: TestStore;
let endpoints: EndpointStore;
let deliveries: DeliveryStore;
let dueEndpoints: DueEndpoints;
let term: AbortController;
let led: Promise<void>;
/** Endpoints whose deliveries were read, and deliveries that were sent. */
let looked: EndpointId[];
let sent: string[];
/** How often a list of what is due was asked for. */
let asked: number;
let logger: RecordingLogger;
let wake: () => void;
let drain: () => Promise<void>;

beforeEach(async () => {
  clock = createFakeClock();
  logger = createRecordingLogger();
  opened = await openTestStore(clock);
  endpoints = createEndpointStore(opened.mongo);
  ({ deliveries, dueEndpoints } = createDeliveryStores(opened.mongo, 30 * DAY_MS));
  [looked, sent, term, asked] = [[], [], new AbortController(), 0];
});

afterEach(async () => {
  term.abort();
  await led;
  await opened.close();
});

const addEndpoint = (accountId: string) => insertEndpoint(endpoints, accountId, clock.now());

async function append(endpoint: Endpoint, name: string): Promise<void> {
  const { accountId } = endpoint;
  await appendDelivery({ deliveries, clock }, endpoint, {
    key: name,
    eventId: name,
    type: 'key.created',
    atMs: clock.now(),
    data: {},
    audience: { kind: 'account', accountId },
  });
}

/** As if the process had died before the endpoint was told. */
async function forget(endpoint: Endpoint): Promise<void> {
  const documents = opened.mongo.connection.collection<{ _id: string }>('webhook_endpoints');
  await documents.updateOne({ _id: endpoint.id }, { $unset: { dueAtMs: '' } });
}

function lead(
  own: Partial<DeliveryStore> = {},
  listDue = dueEndpoints.list,
  permits = createAttemptPermits({ total: 16, perEndpoint: 4 }),
): void {
  const watched: DeliveryStore = {
    ...deliveries,
    ...own,
    due(endpointId, ...rest) {
      looked.push(endpointId);
      return deliveries.due(endpointId, ...rest);
    },
  };
  const job = createDispatchJob({
    endpoints,
    deliveries: watched,
    dueEndpoints: {
      ...dueEndpoints,
      list(...query) {
        asked += 1;
        return listDue(...query);
      },
    },
    clock,
    logger,
    claimMs: 30_000,
    permits,
    runIsolated: createRunIsolated(silentLogger, () => undefined),
    pollIntervalMs: POLL_MS,
    async attempt({ delivery, claim }) {
      sent.push(delivery.eventId);
      const outcome = { kind: 'succeeded', statusCode: 200 } as const;
      await deliveries.record(delivery, claim, { outcome, atMs: clock.now() });
    },
  });
  ({ wake, drain } = job);
  led = job.lead(1n, term.signal);
}

/** Lets time pass until it is sent. */
async function untilSent(name: string): Promise<void> {
  await waitFor(async () => {
    await clock.advance(STEP_MS);
    return sent.includes(name);
  });
}

test('a store that takes its time with one endpoint keeps no other waiting', async () => {
  for (let at = 0; at < 3; at += 1) await append(await addEndpoint(`acc_${at}`), `event ${at}`);
  const { promise: allClaimed, resolve } = Promise.withResolvers<void>();
  let claims = 0;
  lead({
    async claim(...claim) {
      claims += 1;
      if (claims === 3) resolve();
      await allClaimed;
      return deliveries.claim(...claim);
    },
  });
  await waitFor(() => sent.length === 3);
});

test('endpoints that fail are not read when their account has its share for such', async () => {
  const permits = createAttemptPermits({ total: 16, perEndpoint: 4 });
  const [failing, alsoFailing, well, other] = [
    await addEndpoint('acc_failing'),
    await addEndpoint('acc_failing'),
    await addEndpoint('acc_failing'),
    await addEndpoint('acc_other'),
  ];
  const documents = opened.mongo.connection.collection<{ _id: string }>('webhook_endpoints');
  for (const { id } of [failing, alsoFailing, other]) {
    await documents.updateOne({ _id: id }, { $set: { consecutiveFailures: 1 } });
  }
  for (const endpoint of [failing, alsoFailing, well, other]) await append(endpoint, endpoint.id);
  for (let held = 0; held < 4; held += 1) permits.take({ ...failing, consecutiveFailures: 1 });
  lead({}, dueEndpoints.list, permits);
  await waitFor(() => sent.length === 2);
  expect(sent.toSorted()).toEqual([well.id, other.id].toSorted());
  expect(looked.toSorted()).toEqual([well.id, other.id].toSorted());
});

test('a store that fails with one endpoint keeps no other waiting, nor a wake-up, and it is tried again', async () => {
  const failing = await addEndpoint('acc_failing');
  await append(failing, 'failing');
  for (let at = 0; at < 20; at += 1) {
    await clock.advance(1);
    await append(await addEndpoint(`acc_${at}`), `event ${at}`);
  }
  let isFailing = true;
  lead({
    async claim(delivery, claim) {
      const isRefused = isFailing && delivery.endpointId === failing.id;
      if (isRefused) throw new AppError('DATABASE_ERROR');
      return deliveries.claim(delivery, claim);
    },
  });
  await waitFor(() => sent.length === 20);
  expect(sent).not.toContain('failing');
  await waitFor(() => logger.text().includes(failing.id));
  await append(await addEndpoint('acc_later'), 'later');
  wake();
  await waitFor(() => sent.includes('later'));
  isFailing = false;
  await untilSent('failing');
});

test('an endpoint that the store fails with is tried once in a poll, and one warning tells of it', async () => {
  const failing = await addEndpoint('acc_failing');
  await append(failing, 'first');
  let isFailing = true;
  let tries = 0;
  lead({
    async claim(delivery, claim) {
      if (delivery.endpointId !== failing.id) return deliveries.claim(delivery, claim);
      tries += 1;
      if (isFailing) throw new AppError('DATABASE_ERROR');
      return deliveries.claim(delivery, claim);
    },
  });
  const warnings = () => logger.text().split('the store failed with due endpoints').length - 1;
  await waitFor(() => warnings() === 1);
  for (let at = 0; at < 5; at += 1) {
    await append(await addEndpoint(`acc_${at}`), `event ${at}`);
    wake();
    await waitFor(() => sent.includes(`event ${at}`));
  }
  expect({ tries, warnings: warnings() }).toEqual({ tries: 1, warnings: 1 });
  let polls = 0;
  await waitFor(async () => {
    polls += 1;
    await clock.advance(POLL_MS);
    return tries >= 5;
  });
  expect(tries - 1).toBeLessThanOrEqual(polls);
  expect(warnings()).toBe(1);
  isFailing = false;
  await untilSent('first');
  isFailing = true;
  await append(failing, 'second');
  wake();
  await waitFor(() => warnings() === 2);
});

test('of many endpoints a leader looks only at those for which something waits', async () => {
  for (let at = 0; at < 50; at += 1) await addEndpoint(`acc_${at}`);
  const [one, other] = [await addEndpoint('acc_one'), await addEndpoint('acc_other')];
  await append(one, 'told');
  await append(other, 'forgotten');
  await forget(other);
  lead();
  await untilSent('told');
  await untilSent('forgotten');
  expect(new Set(looked)).toEqual(new Set([one.id, other.id]));
});

test('what is forgotten while a leader leads is sent some minutes later, and once', async () => {
  const idle = await addEndpoint('acc_idle');
  const endpoint = await addEndpoint('acc_1');
  lead();
  await append(endpoint, 'first');
  await untilSent('first');
  await append(endpoint, 'second');
  await forget(endpoint);
  await untilSent('second');
  expect(sent).toEqual(['first', 'second']);
  expect(looked).not.toContain(idle.id);
});

test('more than a page that is due at once hides nothing behind it', async () => {
  const [full, behind] = [await addEndpoint('acc_full'), await addEndpoint('acc_behind')];
  const { delivery } = await appendDelivery({ deliveries, clock }, full, {
    key: 'model',
    eventId: 'model',
    type: 'key.created',
    atMs: clock.now(),
    data: {},
    audience: { kind: 'account', accountId: 'acc_full' },
  });
  const { id: _, eventKey: __, ...fields } = delivery;
  const copies = Array.from({ length: 1_200 }, (___, at) => ({
    ...fields,
    _id: createId('delivery'),
    factKey: `${at}`,
    fence: 0n,
    sequence: at + 2,
  }));
  const documents = opened.mongo.connection.collection<{ _id: string }>('webhook_deliveries');
  await documents.insertMany(copies);
  await append(behind, 'behind');
  await forget(behind);
  lead();
  await untilSent('behind');
});

test('a delivery of an endpoint that is gone is not kept', async () => {
  const endpoint = await addEndpoint('acc_1');
  await append(endpoint, 'late');
  await endpoints.remove('acc_1', endpoint.id);
  lead();
  await waitFor(async () => (await deliveries.newestSequence(endpoint.id)) === 0);
  expect(sent).toEqual([]);
});

/** What waits while nothing is done: the store's look for what expires, and both loops of the job. */
const RESTING_TIMERS = 3;

/** Lets time pass, but none while the store has still to answer a round of the job. */
async function pass(durationMs: number): Promise<void> {
  const isResting = () => waitFor(() => clock.pendingTimers >= RESTING_TIMERS);
  for (let at = 0; at < durationMs; at += POLL_MS) {
    await isResting();
    await clock.advance(POLL_MS);
  }
  await isResting();
}

test('while nothing waits a leader asks four times less often, and is woken at once', async () => {
  const endpoint = await addEndpoint('acc_1');
  lead();
  await pass(20_000);
  expect(asked).toBeLessThanOrEqual(14);
  await append(endpoint, 'after the rest');
  wake();
  await waitFor(() => sent.includes('after the rest'));
});

test('a retry that comes due soon is not slept through', async () => {
  const endpoint = await addEndpoint('acc_1');
  lead();
  await pass(20_000);
  await append(endpoint, 'soon');
  const due = { $set: { dueAtMs: clock.now() + 4_000 } };
  for (const collection of ['webhook_deliveries', 'webhook_endpoints']) {
    await opened.mongo.connection.collection(collection).updateMany({}, due);
  }
  await pass(3_500);
  expect(sent).toEqual([]);
  await pass(2 * POLL_MS);
  await waitFor(() => sent.includes('soon'));
});

test('what is found after a drain began is not started, and the drain waits for that look', async () => {
  await append(await addEndpoint('acc_1'), 'for the next leader');
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  lead({}, async (...query) => {
    const found = await dueEndpoints.list(...query);
    await isAnswered;
    return found;
  });
  await waitFor(() => asked === 1);
  let isDrained = false;
  const drained = drain().then(() => {
    isDrained = true;
  });
  await clock.advance(POLL_MS);
  const wasDrainedAtOnce = isDrained;
  answer();
  await drained;
  await pass(POLL_MS);
  expect({ wasDrainedAtOnce, looked, sent }).toEqual({
    wasDrainedAtOnce: false,
    looked: [],
    sent: [],
  });
});
