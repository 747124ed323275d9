import { DAY_MS, silentLogger } from '@tollgate/core';
import { type MongoStore, openMongo } from '@tollgate/mongo';
import { waitFor } from '@tollgate/testkit';
import type { EndpointId } from '../domain/endpoint';
import { createDeliveryStores } from '../storage/delivery-store';
import {
  answering,
  keyCreated,
  startWebhookFixture,
  type WebhookFixture,
} from '../testing/webhook-fixture';

let fixture: WebhookFixture;
let mongo: MongoStore;

beforeEach(async () => {
  fixture = await startWebhookFixture();
  const uri = fixture.server.uriFor('webhook');
  mongo = openMongo({ uri, appName: 'test', logger: silentLogger });
  await mongo.connect();
});

afterEach(async () => {
  await mongo.close();
  await fixture.close();
});

const erased = (account_id: string) => fixture.event('account.erased', { account_id });

test('the endpoints of an erased account go, with what waits for them and what was refused', async () => {
  const receiver = await fixture.receiver();
  receiver.answer = answering(500);
  const gone = await fixture.subscribe(receiver, ['key.created', 'requests.refused'], {
    idempotencyKey: 'acc_1/once',
    bodyDigest: 'a',
  });
  const kept = await fixture.subscribe(receiver, ['key.created'], { accountId: 'acc_2' });
  await fixture.publish(fixture.event('key.created', keyCreated('Lovelace', 'acc_1')), 'acc_1');
  await fixture.publish(fixture.event('key.created', keyCreated('Hopper', 'acc_2')), 'acc_2');
  const window = { window_start: new Date(fixture.clock.now()).toISOString(), window_seconds: 10 };
  await fixture.publish(
    fixture.event('denials.counted', {
      account_id: 'acc_1',
      key_id: 'key_1',
      reason: 'key_rpm' as const,
      count: 1,
      ...window,
      gateway_id: 'gw_1',
    }),
  );
  expect(await fixture.deliveries(gone.id)).not.toEqual([]);
  // Told twice, as it is.
  for (const event of [erased('acc_1'), erased('acc_1')]) await fixture.publish(event);
  const { endpoints } = await fixture.gateway.listEndpoints({ accountId: 'acc_1', limit: 10 });
  expect(endpoints).toEqual([]);
  // The leader removes what there may be much of.
  await waitFor(async () => !/Lovelace|acc_1/.test(await everything()));
  expect(await fixture.deliveries(kept.id, 'acc_2')).toHaveLength(1);
  await fixture.publish(fixture.event('key.created', keyCreated('Byron', 'acc_1')), 'acc_1');
  expect(await everything()).not.toContain('Byron');
});

test('many deliveries of an endpoint go a bounded number at a time, and no others with them', async () => {
  const receiver = await fixture.receiver();
  const gone = await fixture.subscribe(receiver, ['key.created']);
  const deliveries = mongo.connection.collection<{ readonly _id: string }>('webhook_deliveries');
  const deliveryOf = (endpointId: string, sequence: number) => ({
    _id: `${endpointId}/${sequence}`,
    endpointId,
    accountId: 'acc_1',
    factKey: `event ${sequence}`,
    sequence,
    status: 'delivered',
  });
  const count = 1_201;
  await deliveries.insertMany([
    ...Array.from({ length: count }, (_, index) => deliveryOf(gone.id, index + 1)),
    deliveryOf('whk_of_another', 1),
  ]);
  const removals = jest.spyOn(Object.getPrototypeOf(deliveries) as typeof deliveries, 'deleteMany');
  await createDeliveryStores(mongo, DAY_MS).deliveries.removeOf(gone.id as EndpointId);
  const results = await Promise.all(
    removals.mock.results.map(({ value }) => value as Promise<Removal>),
  );
  removals.mockRestore();
  const removed = results.map(({ deletedCount }) => deletedCount);
  expect(removed.reduce((sum, one) => sum + one, 0)).toBe(count);
  expect(Math.max(...removed)).toBeLessThanOrEqual(500);
  expect(await deliveries.find({}, { projection: { _id: 1 } }).toArray()).toEqual([
    { _id: 'whk_of_another/1' },
  ]);
});

test('an erasure whose deliveries take long to remove keeps no event of others waiting', async () => {
  const receiver = await fixture.receiver();
  const gone = await fixture.subscribe(receiver, ['key.created']);
  await fixture.subscribe(receiver, ['key.created'], { accountId: 'acc_2' });
  await fixture.publish(fixture.event('key.created', keyCreated('Lovelace', 'acc_1')), 'acc_1');
  await waitFor(() => receiver.received.length === 1);
  expect(await fixture.deliveries(gone.id)).toHaveLength(1);
  const deliveries = mongo.connection.collection('webhook_deliveries');
  const { promise, resolve } = Promise.withResolvers<void>();
  const prototype = Object.getPrototypeOf(deliveries) as typeof deliveries;
  const { deleteMany } = prototype;
  const removals = jest.spyOn(prototype, 'deleteMany').mockImplementation(async function (
    this: typeof deliveries,
    filter,
  ) {
    if (this.collectionName === 'webhook_deliveries') await promise;
    return deleteMany.call(this, filter);
  });
  await fixture.publish(erased('acc_1'));
  await fixture.publish(fixture.event('key.created', keyCreated('Hopper', 'acc_2')), 'acc_1');
  await waitFor(() => receiver.received.length === 2);
  expect(await everything()).toContain('Lovelace');
  resolve();
  await waitFor(async () => !(await everything()).includes('Lovelace'));
  removals.mockRestore();
});

interface Removal {
  readonly deletedCount: number;
}

/** Every document of the service, as text. */
async function everything(): Promise<string> {
  const names = ['endpoints', 'deliveries', 'denials', 'erasures', 'refusals', 'idempotency'];
  const found = await Promise.all(
    names.map((name) => mongo.connection.collection(`webhook_${name}`).find({}).toArray()),
  );
  return JSON.stringify(found, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}
