import { NOTHING_FOUND } from '@tollgate/jobs';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import type { RefusalStore } from '../domain/ports';
import type { Denial } from '../domain/sustained-denials';
import type { WebhookEvent } from '../domain/webhook-event';
import { createRefusalStore } from '../storage/refusal-store';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { endRefusals, reportRefusals } from './report-refusals';

let opened: TestStore;
let refusals: RefusalStore;
let clock: FakeClock;
let announced: WebhookEvent[];
const going = new AbortController().signal;

beforeEach(async () => {
  clock = createFakeClock();
  opened = await openTestStore(clock);
  refusals = createRefusalStore(opened.store);
  announced = [];
});

afterEach(() => opened.close());

const options = () => ({
  ...{ refusals, clock },
  endpoints: { subscribers: async () => [{}] as never },
  async announce(event: WebhookEvent) {
    announced.push(event);
  },
});

function denial(accountId: string): Denial {
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

const states = () => announced.map(({ data }) => data.state);

test('one round ends every spell that is over, however many there are', async () => {
  const accounts = Array.from({ length: 250 }, (_, index) => `acc_${index}`);
  await reportRefusals(options(), accounts.map(denial));
  await clock.advance(120_000);
  announced = [];
  await endRefusals(options(), going);
  expect(new Set(announced.map(({ eventId }) => eventId)).size).toBe(250);
  expect(await endRefusals(options(), going)).toBe(NOTHING_FOUND);
});

test('a round that is stopped begins no further page', async () => {
  const accounts = Array.from({ length: 150 }, (_, index) => `acc_${index}`);
  await reportRefusals(options(), accounts.map(denial));
  await clock.advance(120_000);
  const stop = new AbortController();
  const stopping = { ...options(), announce: async () => stop.abort() };
  await endRefusals(stopping, stop.signal);
  expect((await refusals.listOver(clock.now(), 1_000)).length).toBeGreaterThanOrEqual(50);
});

test('a refusal after the end of a spell is a new one, though nobody told the end yet', async () => {
  await reportRefusals(options(), [denial('acc_1')]);
  await clock.advance(60_000);
  await reportRefusals(options(), [denial('acc_1')]);
  expect(states()).toEqual(['began']);
  await clock.advance(120_000);
  await reportRefusals(options(), [denial('acc_1')]);
  expect(states()).toEqual(['began', 'ended', 'began']);
});
