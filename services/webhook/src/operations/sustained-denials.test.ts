import type { EventData } from '@tollgate/events';
import { waitFor } from '@tollgate/testkit';
import { deniedAt, startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture';

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await startWebhookFixture();
});

afterEach(() => fixture.close());

const denied = (second: number, over: Partial<EventData<'denials.counted'>> = {}) =>
  fixture.event('denials.counted', deniedAt(second, over));

test('denials that last are told once, however often they are counted and delivered', async () => {
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
