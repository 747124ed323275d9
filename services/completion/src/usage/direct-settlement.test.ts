import { AppError, type NumberedRecord, silentLogger } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import { createUnreadMetrics } from '../testing/unread-metrics';
import { DirectSettlement } from './direct-settlement';

const PLACE = { holder: 'spool_1', epoch: 1, endedAt: '2026-11-23T00:00:00.000Z' };

function recordsOf(accountId: string, ...numbers: readonly number[]): readonly NumberedRecord[] {
  return numbers.map((number) => ({ kind: 'close', accountId, lease: 1, number, ...PLACE }));
}

/** Billing whose calls are answered one by one. */
function createFixture() {
  const calls: { readonly records: readonly string[]; end(error?: Error): Promise<void> }[] = [];
  const failed: number[] = [];
  const direct = new DirectSettlement({
    onFailed: (records) => failed.push(...records.map(({ number }) => number)),
    spool: { forget: () => 0 },
    billing: {
      settleUsage(records) {
        const { promise, resolve, reject } = Promise.withResolvers<readonly []>();
        calls.push({
          records: records.map(({ accountId, number }) => `${accountId}:${number}`),
          end(error) {
            if (error === undefined) resolve([]);
            else reject(error);
            return settlePromises();
          },
        });
        return promise;
      },
    },
    logger: silentLogger,
    metrics: createUnreadMetrics(),
    batchRecordsMax: 2,
  });
  return { calls, direct, failed, asked: () => calls.map(({ records }) => records) };
}

describe('calls that settle', () => {
  it('run side by side up to their bound, and give room as soon as one ends', async () => {
    const { asked, calls, direct, failed } = createFixture();
    for (let index = 0; index < 10; index += 1) direct.add(recordsOf(`acc_${index}`, 1));
    expect(asked()).toEqual([['acc_0:1'], ['acc_1:1'], ['acc_2:1'], ['acc_3:1']]);
    let hasRoom = false;
    const room = direct.room().then(() => {
      hasRoom = true;
    });
    await settlePromises();
    expect(hasRoom).toBe(false);
    await calls[2]?.end();
    expect(asked().slice(4)).toEqual([['acc_4:1', 'acc_5:1']]);
    await calls[0]?.end(new AppError('SERVICE_UNAVAILABLE'));
    expect(asked().slice(5)).toEqual([['acc_6:1', 'acc_7:1']]);
    expect(failed).toEqual([1]);
    for (const index of [1, 3, 4, 5, 6]) await calls[index]?.end();
    await Promise.all([room, direct.idle()]);
    expect(asked().flat()).toHaveLength(10);
  });

  it('never carry records of one account at the same time, so that none overtakes another', async () => {
    const { asked, calls, direct } = createFixture();
    direct.add([...recordsOf('acc_a', 1, 2, 3), ...recordsOf('acc_b', 1)]);
    expect(asked()).toEqual([['acc_a:1', 'acc_a:2'], ['acc_b:1']]);
    await calls[1]?.end();
    expect(calls).toHaveLength(2);
    await calls[0]?.end();
    expect(asked().slice(2)).toEqual([['acc_a:3']]);
    await calls[2]?.end();
    await direct.idle();
  });

  it('carry a record once that is added again while it waits', async () => {
    const { asked, calls, direct } = createFixture();
    const records = recordsOf('acc_a', 1, 2, 3);
    direct.add(records);
    direct.add(records.slice(2));
    await calls[0]?.end();
    await calls[1]?.end();
    expect(asked()).toEqual([['acc_a:1', 'acc_a:2'], ['acc_a:3']]);
    await direct.idle();
  });
});
