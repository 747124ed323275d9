import { HOUR_MS } from '@tollgate/core';
import type { EventData } from '@tollgate/events';
import { createFakeClock, waitFor } from '@tollgate/testkit';
import { RECENT_DENIALS_KEPT_MS } from '../domain/sustained-denials';
import type { WebhookEvent } from '../domain/webhook-event';
import { fromDenialsEvent } from '../events/from-event';
import { COLLECTIONS } from '../storage/collections';
import { createRecentDenialsStore } from '../storage/recent-denials-store';
import { openTestStore } from '../testing/open-test-store';
import { deniedAt, startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture';
import { reportSustainedDenials } from './sustained-denials';

let fixture: WebhookFixture;
let startSecond: number;

beforeEach(async () => {
  fixture = await startWebhookFixture();
  startSecond = Math.floor((fixture.clock.now() - Date.UTC(2026, 0, 1)) / 10_000) * 10;
});

afterEach(() => fixture.close());

/** So many seconds after the start of the window in which the test began. */
const denied = (second: number, over: Partial<EventData<'denials.counted'>> = {}) =>
  fixture.event('denials.counted', deniedAt(startSecond + second, over));

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

test('denials that are delivered again after the kept ones are gone are not told again', async () => {
  const clock = createFakeClock();
  const { mongo, close } = await openTestStore(clock);
  const recentDenials = createRecentDenialsStore(mongo, {
    retentionMs: RECENT_DENIALS_KEPT_MS,
    now: () => clock.now(),
  });
  const enqueued: WebhookEvent[] = [];
  const options = {
    recentDenials,
    clock,
    rule: { windowsNeeded: 3, quietMs: HOUR_MS },
    // Whether somebody listens is all that is asked.
    endpoints: { subscribers: async () => [{}] as never },
    enqueue: async (event: WebhookEvent) => void enqueued.push(event),
  };
  const denials = [0, 10, 20].map((second) => {
    const window_start = new Date(clock.now() + second * 1_000).toISOString();
    const event = fixture.event('denials.counted', deniedAt(0, { window_start }));
    return fromDenialsEvent(event as Parameters<typeof fromDenialsEvent>[0]);
  });
  await reportSustainedDenials(options, denials);
  expect(enqueued).toHaveLength(1);
  clock.jumpWallClock(25 * HOUR_MS);
  await mongo.connection.collection(COLLECTIONS.recentDenials).deleteMany({});
  await reportSustainedDenials(options, denials);
  expect(enqueued).toHaveLength(1);
  await close();
});
