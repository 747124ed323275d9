import { silentLogger } from '@tollgate/core';
import type { EventData } from '@tollgate/events';
import { createFakeClock, type FakeClock, waitFor } from '@tollgate/testkit';
import type { DenialCount } from '../domain/denial';
import type { DenialSpellStore } from '../domain/ports';
import type { WebhookEvent } from '../domain/webhook-event';
import { createDenialSpellStore } from '../storage/denial-spell-store';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { deniedAt, startWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture';
import { type DenialSpellsOptions, reportDenialSpells } from './denial-spells';
import { createEndDenialSpells } from './end-denial-spells';

let opened: TestStore;
let denialSpells: DenialSpellStore;
let clock: FakeClock;
let enqueued: WebhookEvent[];
const going = new AbortController().signal;

beforeEach(async () => {
  clock = createFakeClock();
  opened = await openTestStore(clock);
  denialSpells = createDenialSpellStore(opened.mongo);
  enqueued = [];
});

afterEach(() => opened.close());

const options = () => ({
  denialSpells,
  clock,
  // Whether somebody listens is all that is asked.
  endpoints: { subscribers: async () => [{}] as never },
  async enqueue(event: WebhookEvent) {
    enqueued.push(event);
  },
});

const endSpells = (used: DenialSpellsOptions, signal: AbortSignal) =>
  createEndDenialSpells({ ...used, logger: silentLogger })(signal);

const listOver = () => denialSpells.listOver(clock.now(), { after: undefined, limit: 1_000 });

function denial(accountId: string): DenialCount {
  const times = { atMs: clock.now(), windowMs: 10_000 };
  return {
    id: accountId,
    accountId,
    keyId: null,
    reason: 'rpm',
    isLimit: true,
    count: 1,
    ...times,
  };
}

const states = () => enqueued.map(({ data }) => data.state);

test('spells that fail by themselves keep none of the others', async () => {
  // More than a page, and ahead of all that do not fail.
  const accounts = Array.from(
    { length: 150 },
    (_, index) => `acc_${index < 120 ? 'a' : 'b'}${index}`,
  );
  await reportDenialSpells(options(), accounts.map(denial));
  await clock.advance(120_000);
  enqueued = [];
  const used = options();
  const isDamaged = ({ audience }: WebhookEvent) =>
    audience.kind === 'account' && audience.accountId.startsWith('acc_a');
  const enqueue = async (event: WebhookEvent) => {
    if (isDamaged(event)) throw new Error('damaged');
    await used.enqueue(event);
  };
  await endSpells({ ...used, enqueue }, going);
  expect(enqueued).toHaveLength(30);
});

test('one round ends every spell that is over, however many there are', async () => {
  const accounts = Array.from({ length: 250 }, (_, index) => `acc_${index}`);
  await reportDenialSpells(options(), accounts.map(denial));
  await clock.advance(120_000);
  enqueued = [];
  await endSpells(options(), going);
  expect(new Set(enqueued.map(({ eventId }) => eventId)).size).toBe(250);
  expect(await listOver()).toEqual([]);
});

test('a round that is stopped begins no further page', async () => {
  const accounts = Array.from({ length: 150 }, (_, index) => `acc_${index}`);
  await reportDenialSpells(options(), accounts.map(denial));
  await clock.advance(120_000);
  const stop = new AbortController();
  const stopping = { ...options(), enqueue: async () => stop.abort() };
  await endSpells(stopping, stop.signal);
  expect((await listOver()).length).toBeGreaterThanOrEqual(50);
});

test('a denial after the end of a spell is a new one, though nobody told the end yet', async () => {
  await reportDenialSpells(options(), [denial('acc_1')]);
  await clock.advance(60_000);
  await reportDenialSpells(options(), [denial('acc_1')]);
  expect(states()).toEqual(['began']);
  await clock.advance(120_000);
  await reportDenialSpells(options(), [denial('acc_1')]);
  expect(states()).toEqual(['began', 'ended', 'began']);
});

describe('told by the service', () => {
  let fixture: WebhookFixture;

  beforeEach(async () => {
    fixture = await startWebhookFixture();
  });

  afterEach(() => fixture.close());

  const denied = (second: number, over: Partial<EventData<'denials.counted'>>) =>
    fixture.event('denials.counted', deniedAt(second, over));

  test('denials begin and end once for each status, however many gateways count them', async () => {
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
    // What is delivered again is old news, and a new denial is a new begin.
    await fixture.publish(denied(began, { reason: 'rpm' }));
    await fixture.publish(denied(now(), { reason: 'key_rpm' }));
    await waitFor(() => receiver.received.length === 7);
    expect(heard().at(-1)).toEqual([429, 'began', 'key_rpm']);
  });

  test('the end is told in time, however seldom deliveries are looked for', async () => {
    await fixture.restart({ TOLLGATE_WEBHOOK_POLL_INTERVAL_MS: '60000' });
    const receiver = await fixture.receiver();
    await fixture.subscribe(receiver, ['requests.refused']);
    const second = Math.floor((fixture.clock.now() - Date.UTC(2026, 0, 1)) / 1000);
    await fixture.publish(denied(second, { reason: 'rpm' }));
    await waitFor(() => receiver.received.length === 1);
    fixture.clock.jump(120_000);
    await waitFor(() => receiver.received.length === 2);
    expect(receiver.received.at(-1)?.message.data.state).toBe('ended');
  });
});
