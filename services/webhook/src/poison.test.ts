import { silentLogger } from '@tollgate/core';
import type { EventBus, EventHandler, ReceivedEvent, SubscribeOptions } from '@tollgate/events';
import { openMongo } from '@tollgate/mongo';
import { waitFor } from '@tollgate/testkit';
import { subscribeFacts } from './events/fact-consumer';
import { createSetAside } from './operations/set-aside';
import { keyCreated, startWebhookWorld, type WebhookWorld } from './testing/webhook-world';

let world: WebhookWorld;

beforeEach(async () => {
  world = await startWebhookWorld();
});

afterEach(() => world.close());

/** Writes into the endpoint's document what no version of ours would. */
async function damage(endpointId: string, fields: Record<string, unknown>): Promise<void> {
  const uri = world.mongo.uriFor('webhook');
  const store = openMongo({ uri, appName: 'damage', logger: silentLogger });
  await store.connect();
  await store.connection
    .collection<{ _id: string }>('webhook_endpoints')
    .updateOne({ _id: endpointId }, { $set: fields });
  await store.close();
}

const setAsideLines = () =>
  world.logger.lines.filter(({ level, message }) => level === 'error' && /set aside/.test(message));

test.each([
  ['whose sequence cannot be read', { lastSequence: 'damaged' }],
  ['whose secrets are no list', { secrets: 7 }],
])('an endpoint %s keeps events from no other, and the log names it', async (_name, fields) => {
  const receiver = await world.receiver();
  const { id: damaged } = await world.subscribe(receiver, ['key.created']);
  await damage(damaged, fields);
  await world.subscribe(receiver, ['key.created']);
  await world.subscribe(receiver, ['key.created'], { accountId: 'acc_2' });
  for (const accountId of ['acc_1', 'acc_2', 'acc_1', 'acc_2']) {
    await world.publish(world.event('key.created', keyCreated('n', accountId)), accountId);
  }
  await waitFor(() => receiver.received.length >= 4, { description: 'four messages' });
  expect(receiver.received).toHaveLength(4);
  await waitFor(() => world.logger.text().includes(damaged));
});

/** A bus that hands its subscriber's handler to the test. */
function handlerOf(announce: (name: string) => Promise<void>): Promise<EventHandler> {
  return new Promise((resolve) => {
    const bus: Pick<EventBus, 'subscribe'> = {
      async subscribe({ handle }: SubscribeOptions) {
        resolve(handle);
        return { stop: async () => {} };
      },
    };
    void subscribeFacts({
      bus: bus as EventBus,
      currency: 'USD',
      setAside: createSetAside(world.logger, () => {}),
      announce: ({ data }) => announce(String(data.name)),
      noticeDenials: async () => {},
    });
  });
}

test('an event that cannot be worked with is named in the log and holds up none behind it', async () => {
  const announced: string[] = [];
  const handle = await handlerOf(async (name) => {
    if (name === 'poison') throw new TypeError('it has no form');
    announced.push(name);
  });
  const events = ['first', 'poison', 'last'].map((name) => ({
    event: world.event('key.created', keyCreated(name)),
  }));
  await handle(events as ReceivedEvent[], { signal: new AbortController().signal });
  expect(announced).toEqual(['first', 'last']);
  const [line] = setAsideLines();
  expect(line?.fields).toMatchObject({ kind: 'event', eventId: events[1]?.event.id });
});
