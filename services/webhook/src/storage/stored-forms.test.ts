import { createId, DAY_MS } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { Delivery } from '../domain/delivery';
import type { DenialSpell } from '../domain/denial-spell';
import { type Endpoint, NEW_ENDPOINT_HEALTH } from '../domain/endpoint';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createDeliveryStores } from './delivery-store';
import { createDenialSpellStore } from './denial-spell-store';
import { createEndpointStore } from './endpoint-store';
import { createRecentDenialsStore } from './recent-denials-store';

// The previous version reads what these tests say is stored, and wrote it so: it may change only so
// that both versions can read it.
const RETENTION_MS = 30 * DAY_MS;
const clock = createFakeClock();
const now = clock.now();
let opened: TestStore;

beforeEach(async () => {
  opened = await openTestStore(clock);
});

afterEach(() => opened.close());

async function stored(collection: string): Promise<string> {
  const [document] = await opened.mongo.connection.collection(collection).find({}).toArray();
  // As text, so that the order of the members and their types are compared as well.
  return JSON.stringify(document, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

const endpoint: Endpoint = {
  url: 'http://receiver.example',
  description: '',
  status: 'enabled',
  events: ['key.created'],
  ...NEW_ENDPOINT_HEALTH,
  id: createId('webhook'),
  accountId: 'acc_1',
  operator: false,
  secrets: [{ sealed: 'sealed', expiresAtMs: null }],
  createdAtMs: now,
  revision: 1,
  lastSequence: 0,
};

const delivery: Delivery = {
  id: createId('delivery'),
  endpointId: endpoint.id,
  accountId: 'acc_1',
  sequence: 1,
  eventKey: 'evt_1',
  eventId: 'evt_1',
  eventType: 'key.created',
  body: '{}',
  status: 'pending',
  attempts: 0,
  attemptsInRound: 0,
  lastStatusCode: null,
  lastError: '',
  dueAtMs: now,
  claimedUntilAtMs: 0,
  createdAtMs: now,
  deliveredAtMs: null,
};

const spell: DenialSpell = {
  accountId: 'acc_1',
  status: 402,
  beganAtMs: 1,
  lastAtMs: 2,
  overAtMs: 3,
  reason: 'balance',
  told: false,
  ending: false,
  beganEventId: 'evt_1',
  endedEventId: 'evt_2',
};

test('an endpoint, which holds sealed secrets, and a delivery of it', async () => {
  const endpoints = createEndpointStore(opened.mongo);
  const { deliveries } = createDeliveryStores(opened.mongo, RETENTION_MS);
  await endpoints.insert(endpoint, 20);
  await deliveries.insert(delivery);
  await expect(stored('webhook_endpoints')).resolves.toBe(
    `{"_id":"${endpoint.id}","url":"http://receiver.example","description":"","status":"enabled",` +
      '"events":["key.created"],"lastDeliveryAtMs":null,"lastStatusCode":null,' +
      '"consecutiveFailures":0,"failingSinceMs":null,"accountId":"acc_1","operator":false,' +
      `"secrets":[{"sealed":"sealed","expiresAtMs":null}],"createdAtMs":${now},"revision":1,` +
      `"lastSequence":0,"placeKey":"acc_1:1","dueAtMs":${now},"dueTurn":1}`,
  );
  await expect(stored('webhook_deliveries')).resolves.toBe(
    `{"_id":"${delivery.id}","endpointId":"${endpoint.id}","accountId":"acc_1","sequence":1,` +
      '"eventId":"evt_1","eventType":"key.created","body":"{}","status":"pending","attempts":0,' +
      `"attemptsInRound":0,"lastStatusCode":null,"lastError":"","dueAtMs":${now},` +
      `"claimedUntilMs":0,"createdAtMs":${now},"deliveredAtMs":null,"factKey":"evt_1",` +
      '"fence":"0n"}',
  );
  // What is answered of them is kept, where a member without a value would be null.
  await expect(endpoints.find(endpoint.id)).resolves.toStrictEqual(endpoint);
  await expect(deliveries.find('acc_1', delivery.id)).resolves.toStrictEqual(delivery);
});

test('a spell of denials and the recent denials of a key', async () => {
  const spells = createDenialSpellStore(opened.mongo);
  await spells.insert(spell);
  await expect(stored('webhook_refusals')).resolves.toBe(
    '{"_id":"acc_1 402","accountId":"acc_1","status":402,"beganAtMs":1,"lastAtMs":2,' +
      '"overAtMs":3,"reason":"balance","told":false,"ending":false,"beganEventId":"evt_1",' +
      '"endedEventId":"evt_2"}',
  );
  await expect(spells.find(spell)).resolves.toStrictEqual(spell);

  const denials = createRecentDenialsStore(opened.mongo, {
    retentionMs: RETENTION_MS,
    now: clock.now,
  });
  const recent = { windows: [{ startMs: 0, denials: [] }], reportedAtMs: null, report: null };
  const expiresAt = new Date(now + RETENTION_MS).toISOString();
  for (const revision of [1, 2]) {
    await denials.update('acc_1', null, recent, revision - 1);
    await expect(stored('webhook_denials')).resolves.toBe(
      '{"_id":"acc_1 ","windows":[{"startMs":0,"denials":[]}],"reportedAtMs":null,"report":null,' +
        `"revision":${revision},"expiresAt":"${expiresAt}"}`,
    );
    const found = await denials.find('acc_1', null);
    expect(found).toStrictEqual({ recent, revision });
  }
});

test('a member that the stores do not know is refused', async () => {
  const unknown = { secret: 'in clear' };
  const writes = [
    () => createEndpointStore(opened.mongo).insert({ ...endpoint, ...unknown }, 20),
    () =>
      createDeliveryStores(opened.mongo, RETENTION_MS).deliveries.insert({
        ...delivery,
        ...unknown,
      }),
    () => createDenialSpellStore(opened.mongo).insert({ ...spell, ...unknown }),
  ];
  for (const write of writes) await expect(async () => write()).rejects.toThrow(/member secret/);
});
