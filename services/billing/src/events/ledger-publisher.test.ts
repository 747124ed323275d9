import { HOUR_MS, toIsoTime } from '@tollgate/core';
import type { EventBus, OutgoingEvent } from '@tollgate/events';
import { createFakeClock } from '@tollgate/testkit';
import type { Notice } from '../domain/journal';
import type { BillingEvent } from '../domain/ports';
import { ACCOUNT_ID, NOON, n } from '../testing/fixtures';
import { createLedgerPublisher } from './ledger-publisher';

const NOTICES: readonly Notice[] = [
  { type: 'balance.low', available: n(1), threshold: n(2), days: undefined },
  { type: 'balance.exhausted', available: n(0) },
  { type: 'spending.suspended', available: n(1), threshold: n(2) },
  { type: 'spending.resumed', available: n(3), threshold: n(2) },
  { type: 'credits.added', creditId: 'crd_1', amount: n(2), available: n(3) },
  { type: 'key.budget_exceeded', keyId: 'key_1', limit: n(5), period: 'day' },
];

/** What leaves billing, an hour after it happened and once more an hour later. */
async function publishLate(items: readonly BillingEvent[]) {
  const clock = createFakeClock(NOON);
  const published: OutgoingEvent['event'][][] = [];
  const bus: Pick<EventBus, 'publish'> = {
    async publish(batch) {
      published.push(batch.flatMap((one) => ('event' in one ? [one.event] : [])));
    },
  };
  const publisher = createLedgerPublisher({
    bus,
    clock,
    publishTimeoutMs: 1_000,
    currency: 'EUR',
  });
  for (let time = 0; time < 2; time += 1) {
    clock.jumpWallClock(HOUR_MS);
    await publisher.publish(items);
  }
  return published;
}

it.each(NOTICES)(
  '$type has its currency and the time at which it happened, however late it leaves',
  async (notice) => {
    const item = { kind: 'notice', no: 1, noticeSeq: 3, atMs: NOON, notice } as const;
    const [first, second] = await publishLate([{ accountId: ACCOUNT_ID, item }]);
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

it('an adjustment has the time at which it was posted, however late it leaves', async () => {
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
  const [first, second] = await publishLate([{ accountId: ACCOUNT_ID, item }]);
  expect(first).toEqual([expect.objectContaining({ time: toIsoTime(NOON) })]);
  expect(second).toEqual(first);
});
