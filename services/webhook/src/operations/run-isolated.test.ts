import { createSystemClock, silentLogger } from '@tollgate/core';
import { createEvent, createInProcessBus, toOutgoing } from '@tollgate/events';
import { openMongo } from '@tollgate/mongo';
import { waitFor } from '@tollgate/testkit';
import { subscribeToEvents } from '../events/event-consumer';
import { keyCreated, startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture';

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await startWebhookFixture();
});

afterEach(() => fixture.close());

/** Writes into the endpoint's document what no version of ours would. */
async function damage(endpointId: string, fields: Record<string, unknown>): Promise<void> {
  const uri = fixture.server.uriFor('webhook');
  const mongo = openMongo({ uri, appName: 'damage', logger: silentLogger });
  await mongo.connect();
  await mongo.connection
    .collection<{ _id: string }>('webhook_endpoints')
    .updateOne({ _id: endpointId }, { $set: fields });
  await mongo.close();
}

test.each([
  ['whose sequence cannot be read', { lastSequence: 'damaged' }],
  ['whose secrets are no list', { secrets: 7 }],
])('an endpoint %s keeps events from no other, and the log names it', async (_name, fields) => {
  const receiver = await fixture.receiver();
  const { id: damaged } = await fixture.subscribe(receiver, ['key.created']);
  await damage(damaged, fields);
  await fixture.subscribe(receiver, ['key.created']);
  await fixture.subscribe(receiver, ['key.created'], { accountId: 'acc_2' });
  for (const accountId of ['acc_1', 'acc_2', 'acc_1', 'acc_2']) {
    await fixture.publish(fixture.event('key.created', keyCreated('n', accountId)), accountId);
  }
  await waitFor(() => receiver.received.length >= 4, { description: 'four messages' });
  expect(receiver.received).toHaveLength(4);
  await waitFor(() => fixture.logger.text().includes(damaged));
});

test('an event that cannot be worked with becomes a dead letter and holds up none behind it', async () => {
  const clock = createSystemClock();
  const bus = createInProcessBus({
    clock,
    logger: silentLogger,
    validate: true,
    backoff: { initialMs: 1, maxMs: 1 },
  });
  const letters: unknown[] = [];
  await bus.subscribe({
    group: 'letters',
    topics: ['tollgate.dead-letter.v1'],
    handle: async (events) => void letters.push(...events.map(({ event }) => event.data)),
  });
  const enqueued: string[] = [];
  await subscribeToEvents({
    bus,
    async enqueue({ data }) {
      if (data.name === 'formless') throw new TypeError('it has no form');
      enqueued.push(String(data.name));
    },
    reportDenials: async () => {},
    eraseAccount: async () => {},
  });
  const events = ['first', 'formless', 'last'].map((name) =>
    toOutgoing('acc_1', createEvent('key.created', keyCreated(name), clock)),
  );
  await bus.publish(events, { timeoutMs: 10_000 });
  expect(enqueued.at(-1)).toBe('last');
  expect(letters).toMatchObject([{ group: 'webhook', event_id: events[1]?.event.id }]);
  await bus.close();
});
