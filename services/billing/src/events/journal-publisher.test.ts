import { toIsoTime } from '@tollgate/core';
import type { EventBus, OutgoingEvent } from '@tollgate/events';
import type { Notice } from '../domain/journal';
import type { BillingEvent } from '../domain/ports';
import { ACCOUNT_ID, NOON, n, usageRecord } from '../testing/fixtures';
import { createJournalPublisher } from './journal-publisher';

const NOTICES: readonly Notice[] = [
  { type: 'balance.low', available: n(1), threshold: n(2), days: undefined },
  { type: 'balance.exhausted', available: n(0) },
  { type: 'spending.suspended', available: n(1), threshold: n(2) },
  { type: 'spending.resumed', available: n(3), threshold: n(2) },
  { type: 'credits.added', creditId: 'crd_1', amount: n(2), available: n(3) },
  { type: 'key.budget_exceeded', keyId: 'key_1', limit: n(5), period: 'day' },
];

/** What leaves billing, and what leaves it once more when nobody knows whether it did. */
async function publishTwice(items: readonly BillingEvent[]) {
  const published: OutgoingEvent['event'][][] = [];
  const bus: Pick<EventBus, 'publish'> = {
    async publish(batch) {
      published.push(batch.flatMap((one) => ('event' in one ? [one.event] : [])));
    },
  };
  const publisher = createJournalPublisher({
    bus,
    publishTimeoutMs: 1_000,
    currency: 'EUR',
  });
  for (let time = 0; time < 2; time += 1) await publisher.publish(items);
  return published;
}

it.each(NOTICES)(
  '$type has its currency and the time at which it happened, each time it leaves',
  async (notice) => {
    const item = { kind: 'notice', no: 1, noticeSeq: 3, atMs: NOON, notice } as const;
    const [first, second] = await publishTwice([{ accountId: ACCOUNT_ID, item }]);
    expect(first).toEqual([
      expect.objectContaining({
        id: `evt_${ACCOUNT_ID}_notice_3`,
        type: notice.type,
        time: toIsoTime(NOON),
        data: expect.objectContaining({ currency: 'EUR' }) as object,
      }),
    ]);
    expect(second).toEqual(first);
  },
);

it('an adjustment has the time at which it was posted, each time it leaves', async () => {
  const entry = {
    kind: 'adjustment',
    accountId: ACCOUNT_ID,
    seq: 2,
    amount: n(-5),
    atMs: NOON,
    creditId: `${ACCOUNT_ID}:adjustment:one`,
    note: 'credited twice',
  } as const;
  const item = { kind: 'entry', no: 2, entry } as const;
  const [first, second] = await publishTwice([{ accountId: ACCOUNT_ID, item }]);
  expect(first).toEqual([expect.objectContaining({ time: toIsoTime(NOON) })]);
  expect(second).toEqual(first);
});

it('a refused record goes to the dead letters, under one id each time it leaves', async () => {
  const record = usageRecord();
  const charge = { absorbed: n(0), overrun: n(0), settledReason: 'refused' } as const;
  const place = { accountId: ACCOUNT_ID, seq: 4, amount: n(0), atMs: NOON } as const;
  const entry = { kind: 'charge', ...place, record, ...charge } as const;
  const item = { kind: 'entry', no: 2, entry } as const;
  const [first, second] = await publishTwice([{ accountId: ACCOUNT_ID, item }]);
  expect(first).toEqual([
    expect.objectContaining({
      id: `evt_${ACCOUNT_ID}_refused_4`,
      type: 'dead_letter.recorded',
      time: toIsoTime(NOON),
    }),
  ]);
  expect(second).toEqual(first);
});
