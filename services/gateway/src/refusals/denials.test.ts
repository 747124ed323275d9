import { EventKeysRefused, silentLogger } from '@tollgate/core';
import type { OutgoingEvent } from '@tollgate/events';
import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import { createDenialCounter, type DenialCount } from './denials';
import { createDenialPublisher } from './publish';

const WINDOW_MS = 10_000;

function startCounter(countsMax: number) {
  const clock = createFakeClock();
  const published: DenialCount[] = [];
  const counter = createDenialCounter({
    clock,
    countsMax,
    logger: silentLogger,
    windowMs: WINDOW_MS,
    onDenial: () => undefined,
    publish: async (counts) => void published.push(...counts),
  });
  const countsOf = async () => {
    await counter.flush();
    return published.splice(0);
  };
  return { counter, countsOf };
}

test('of an account with many keys the first are counted each, the others together by reason', async () => {
  const { counter, countsOf } = startCounter(10_000);
  for (let key = 0; key < 1_000; key += 1) counter.count('acc_1', `key_${key}`, 'key_rpm');
  counter.count('acc_1', 'key_0', 'key_rpm');
  counter.count('acc_1', 'key_999', 'key_rpd');
  counter.count('acc_1', undefined, 'rpm');
  const counts = await countsOf();
  const withKey = counts.filter(({ keyId }) => keyId !== undefined);
  expect(withKey.map(({ keyId, count }) => [keyId, count])).toEqual(
    Array.from({ length: 20 }, (_, key) => [`key_${key}`, key === 0 ? 2 : 1]),
  );
  const together = counts.filter(({ keyId }) => keyId === undefined);
  expect(together.map(({ reason, count }) => [reason, count])).toEqual([
    ['key_rpm', 980],
    ['key_rpd', 1],
    ['rpm', 1],
  ]);
  for (let key = 500; key < 503; key += 1) counter.count('acc_1', `key_${key}`, 'key_rpm');
  expect((await countsOf()).map(({ keyId }) => keyId)).toEqual(['key_500', 'key_501', 'key_502']);
});

test('keys fill half of what is counted, so that accounts are counted when many keys are refused', async () => {
  const { counter, countsOf } = startCounter(20);
  for (const account of ['acc_1', 'acc_2', 'acc_3']) {
    for (let key = 0; key < 20; key += 1) counter.count(account, `key_${key}`, 'key_rpm');
  }
  counter.count('acc_4', undefined, 'balance');
  const sums = new Map<string, number>();
  for (const { accountId, count } of await countsOf()) {
    sums.set(accountId, (sums.get(accountId) ?? 0) + count);
  }
  expect([...sums]).toEqual([
    ['acc_1', 20],
    ['acc_2', 20],
    ['acc_3', 20],
    ['acc_4', 1],
  ]);
});

test('what could not be served is told apart from what was denied, and is no denial of the metrics', async () => {
  const clock = createFakeClock();
  const told: { type: string; data: unknown }[] = [];
  const bus = {
    publish: async (events: readonly OutgoingEvent[]) => {
      for (const { event } of events) told.push({ type: event.type, data: event.data });
    },
  };
  const denied: string[] = [];
  const counter = createDenialCounter({
    clock,
    countsMax: 10,
    logger: silentLogger,
    windowMs: WINDOW_MS,
    onDenial: (reason) => void denied.push(reason),
    publish: createDenialPublisher(bus, 'gtw_1', clock),
  });
  counter.count('acc_1', 'key_1', 'unserved');
  counter.count('acc_1', 'key_1', 'unserved');
  counter.count('acc_1', 'key_1', 'key_rpm');
  await counter.flush();
  const place = { account_id: 'acc_1', key_id: 'key_1', gateway_id: 'gtw_1' };
  expect(told).toEqual([
    { type: 'unserved.counted', data: expect.objectContaining({ ...place, count: 2 }) as object },
    { type: 'denials.counted', data: expect.objectContaining({ reason: 'key_rpm' }) as object },
  ]);
  expect(denied).toEqual(['key_rpm']);
});

test('of a window only what was refused is told as lost', async () => {
  const logger = createRecordingLogger();
  const counter = createDenialCounter({
    clock: createFakeClock(),
    countsMax: 10,
    logger,
    windowMs: WINDOW_MS,
    onDenial: () => undefined,
    publish: () => Promise.reject(new EventKeysRefused(new Set(['acc_2']), {})),
  });
  for (const account of ['acc_1', 'acc_2', 'acc_3']) counter.count(account, undefined, 'rpm');
  await counter.flush();
  expect(logger.lines.map(({ fields }) => fields.lost)).toEqual([1]);
});
