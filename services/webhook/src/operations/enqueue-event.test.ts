import { HOUR_MS, MINUTE_MS, toIsoTime } from '@tollgate/core';
import type { EventData } from '@tollgate/events';
import { waitFor } from '@tollgate/testkit';
import {
  answering,
  keyCreated,
  startWebhookFixture,
  type TestReceiver,
  type WebhookFixture,
} from '../testing/webhook-fixture';

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await startWebhookFixture();
});

afterEach(() => fixture.close());

function channelDisabled(owner: string | null): EventData<'channel.disabled'> {
  return { channel_id: 'chn_1', name: 'main', owner_account_id: owner, reason: 'it was refused' };
}

const types = (receiver: TestReceiver) => receiver.received.map(({ message }) => message.type);

/** Deliveries are many and machines are slow; a test that fails needs no haste. */
const FLUSH_TIMEOUT = { timeoutMs: 25_000 };

/** Everything that was enqueued before has arrived once this later event has. */
async function flush(endpoints: readonly { readonly id: string }[]): Promise<void> {
  for (const { id } of endpoints) {
    await waitFor(async () => {
      for (const accountId of ['acc_1', 'acc_2']) {
        const all = await fixture.deliveries(id, accountId).catch(() => undefined);
        if (all !== undefined)
          return all.every((one) => one.status === 'DELIVERY_STATUS_SUCCEEDED');
      }
      return false;
    }, FLUSH_TIMEOUT);
  }
}

test('an account hears of itself alone, and only of what it asked for', async () => {
  const first = await fixture.receiver();
  const second = await fixture.receiver();
  const endpoints = [
    await fixture.subscribe(first, ['key.created']),
    await fixture.subscribe(second, ['key.created', 'plan.changed'], { accountId: 'acc_2' }),
  ];
  await fixture.publish(fixture.event('key.created', keyCreated('a', 'acc_1')), 'acc_1');
  await fixture.publish(fixture.event('key.created', keyCreated('b', 'acc_2')), 'acc_2');
  const plan = { plan: 'pro', previous_plan: 'free' };
  for (const account_id of ['acc_1', 'acc_2']) {
    await fixture.publish(fixture.event('plan.changed', { account_id, ...plan }), account_id);
  }
  await flush(endpoints);
  expect(first.received.map(({ message }) => message.data.name)).toEqual(['a']);
  expect(types(second).sort()).toEqual(['key.created', 'plan.changed']);
  expect(JSON.stringify(second.received)).not.toContain('acc_1');
});

test('an endpoint hears nothing of the time before it was made, by clocks that differ a little', async () => {
  const receiver = await fixture.receiver();
  const first = await fixture.subscribe(receiver, ['key.created']);
  const createdAtMs = fixture.clock.now();
  const created = (name: string, ageMs: number) => ({
    ...fixture.event('key.created', keyCreated(name)),
    time: toIsoTime(createdAtMs - ageMs),
  });
  const old = created('old', HOUR_MS);
  // Whoever began again at the beginning gets it more than once.
  for (const event of [old, created('new', MINUTE_MS), old]) await fixture.publish(event);
  await flush([first]);
  expect(receiver.received.map(({ message }) => message.data.name)).toEqual(['new']);
});

test('shared channels reach endpoints of operators only, an own channel its account only', async () => {
  const operator = await fixture.receiver();
  const account = await fixture.receiver();
  const endpoints = [
    await fixture.subscribe(operator, ['channel.disabled'], { accountId: 'acc_2', operator: true }),
    await fixture.subscribe(account, ['channel.disabled']),
  ];
  await fixture.publish(fixture.event('channel.disabled', channelDisabled(null)), 'operator');
  await fixture.publish(fixture.event('channel.disabled', channelDisabled('acc_1')), 'acc_1');
  await flush(endpoints);
  const owners = (receiver: TestReceiver) =>
    receiver.received.map(({ message }) => message.data.owner_account_id);
  expect(owners(operator)).toEqual([null]);
  expect(owners(account)).toEqual(['acc_1']);
});

test('an operator’s endpoint that somebody else points elsewhere hears no more of shared channels', async () => {
  const receiver = await fixture.receiver();
  const elsewhere = await fixture.receiver();
  const events = ['channel.disabled', 'key.created'];
  const { id: endpointId } = await fixture.subscribe(receiver, events, { operator: true });
  const update = (change: object) =>
    fixture.gateway.updateEndpoint({ accountId: 'acc_1', endpointId, ...change });
  await update({ description: 'renamed by a colleague' });
  await update({ events: { values: events.toReversed() } });
  await fixture.publish(fixture.event('channel.disabled', channelDisabled(null)), 'operator');
  await waitFor(() => receiver.received.length === 1);
  await update({ url: elsewhere.url });
  await fixture.publish(fixture.event('channel.disabled', channelDisabled(null)), 'operator');
  await flush([{ id: endpointId }]);
  expect(elsewhere.received).toEqual([]);
  await update({ url: elsewhere.url, operator: true });
  await fixture.publish(fixture.event('channel.disabled', channelDisabled(null)), 'operator');
  await waitFor(() => elsewhere.received.length === 1);
});

test('an endpoint that takes nothing while too much happens is disabled, and no event is lost', async () => {
  await fixture.restart({ TOLLGATE_WEBHOOK_PENDING_MAX: '100' });
  const receiver = await fixture.receiver();
  receiver.answer = () => {};
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  for (let number = 1; number <= 100; number += 1) {
    await fixture.publish(fixture.event('key.created', keyCreated(`n${number}`)));
  }
  const ask = { accountId: 'acc_1', endpointId };
  expect((await fixture.gateway.getEndpoint(ask)).endpoint?.status).toBe(
    'ENDPOINT_STATUS_AUTO_DISABLED',
  );
  receiver.answer = answering(200);
  await fixture.restart({ TOLLGATE_WEBHOOK_PENDING_MAX: '100' });
  await waitFor(() =>
    fixture.gateway.updateEndpoint({ ...ask, status: 'ENDPOINT_STATUS_ENABLED' }),
  );
  await flush([{ id: endpointId }]);
  const distinct = new Set(receiver.received.map(({ message }) => message.sequence));
  expect(distinct.size).toBe(100);
});

test('an event without a listener is forgotten, and one of a deleted endpoint is not sent', async () => {
  const receiver = await fixture.receiver();
  const { id: endpointId } = await fixture.subscribe(receiver, ['key.created']);
  await fixture.gateway.deleteEndpoint({ accountId: 'acc_1', endpointId });
  await fixture.publish(fixture.event('key.created', keyCreated('a')));
  const other = await fixture.subscribe(receiver, ['key.created']);
  await fixture.publish(fixture.event('key.created', keyCreated('b')));
  await flush([other]);
  expect(receiver.received.map(({ message }) => [message.sequence, message.data.name])).toEqual([
    [1, 'b'],
  ]);
});
