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
  const { id: endpointId } = await fixture.subscribe(receiver, ['channel.disabled'], {
    operator: true,
  });
  const update = (change: object) =>
    fixture.gateway.updateEndpoint({ accountId: 'acc_1', endpointId, ...change });
  await update({ description: 'renamed by a colleague' });
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

function denied(second: number, over: Partial<EventData<'denials.counted'>> = {}) {
  const window_start = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return fixture.event('denials.counted', {
    account_id: 'acc_1',
    key_id: 'key_1',
    reason: 'key_rpm',
    count: 3,
    window_start,
    window_seconds: 10,
    gateway_id: 'gtw_1',
    ...over,
  });
}

test('refusals that last are told once, however often they are counted and delivered', async () => {
  const receiver = await fixture.receiver();
  await fixture.subscribe(receiver, ['rate_limit.sustained']);
  const windows = [0, 10, 20, 30, 40].map((second) => denied(second));
  for (const event of [...windows, ...windows]) await fixture.publish(event);
  await waitFor(() => receiver.received.length === 1);
  expect(receiver.received[0]?.message).toMatchObject({
    type: 'rate_limit.sustained',
    sequence: 1,
    data: { account_id: 'acc_1', key_id: 'key_1', reason: 'key_rpm', count: 9 },
  });
  // An hour later it is told again; had the repetitions been told, this would be no second message.
  for (const second of [3600, 3610, 3620]) await fixture.publish(denied(second));
  await waitFor(() => receiver.received.length === 2);
  expect(receiver.received[1]?.message.sequence).toBe(2);
});

test('a lack of money is no rate limit', async () => {
  const receiver = await fixture.receiver();
  const { id } = await fixture.subscribe(receiver, ['rate_limit.sustained']);
  for (const second of [0, 10, 20, 30])
    await fixture.publish(denied(second, { reason: 'balance' }));
  expect(await fixture.deliveries(id)).toEqual([]);
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

test('refusals begin and end once for each status, however many gateways count them', async () => {
  const receiver = await fixture.receiver();
  await fixture.subscribe(receiver, ['requests.refused']);
  const now = () => Math.floor((fixture.clock.now() - Date.UTC(2026, 0, 1)) / 1000);
  const heard = () =>
    receiver.received.map(({ message: { data } }) => [data.status, data.state, data.reason]);
  const began = now();
  for (const gateway_id of ['gtw_1', 'gtw_2']) {
    await fixture.publish(denied(began, { gateway_id, reason: 'rpm' }));
    await fixture.publish(denied(began, { gateway_id, key_id: null, reason: 'balance' }));
    await fixture.publish(denied(began, { gateway_id, reason: 'budget' }));
    await fixture.publish(denied(began, { gateway_id, reason: 'forbidden' }));
  }
  await waitFor(() => receiver.received.length === 3);
  expect(heard().sort()).toEqual([
    [402, 'began', 'balance'],
    [403, 'began', 'forbidden'],
    [429, 'began', 'rpm'],
  ]);
  fixture.clock.jump(120_000);
  await waitFor(() => receiver.received.length === 6);
  expect(heard().filter(([, state]) => state === 'ended')).toHaveLength(3);
  // What is delivered again is old news, and a new refusal is a new begin.
  await fixture.publish(denied(began, { reason: 'rpm' }));
  await fixture.publish(denied(now(), { reason: 'key_rpm' }));
  await waitFor(() => receiver.received.length === 7);
  expect(heard().at(-1)).toEqual([429, 'began', 'key_rpm']);
});
