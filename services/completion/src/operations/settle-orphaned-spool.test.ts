import { silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { segmentNumberOf } from '../spool/segments';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import { createFakeBilling } from '../testing/fake-billing';
import { createMemoryDisk, createMemorySpool, openMemorySpool } from '../testing/memory-disk';
import { createPublicationFixture } from '../testing/publication-fixture';
import { createUnreadMetrics } from '../testing/unread-metrics';
import { settleOrphanedSpool } from './settle-orphaned-spool';

it('ends, closes and settles everything, so that the directory may be deleted', async () => {
  const { billing, clock, disk, metrics, runRequests, spool } = await createPublicationFixture();
  await runRequests(2);
  await spool.begin(exampleStart({ requestId: 'req_open' }));
  disk.crash();
  const drained = await settleOrphanedSpool({
    spool: createMemorySpool({ disk, clock }),
    billing,
    clock,
    logger: silentLogger,
    metrics,
    timeoutMs: 10_000,
  });
  expect(drained).toEqual({ spoolId: spool.spoolId, settled: 4, left: 0, neverGranted: 0 });
  expect(billing.leases.size).toBe(0);
  expect(billing.availableOf('acc_1')).toBe(1_000n - 14n);
});

it('tells what is left when billing does not come back in time', async () => {
  const { billing, clock, disk, metrics, runRequests } = await createPublicationFixture();
  await runRequests(1);
  disk.crash();
  billing.away = true;
  const draining = settleOrphanedSpool({
    spool: createMemorySpool({ disk, clock }),
    billing,
    clock,
    logger: silentLogger,
    metrics,
    timeoutMs: 10_000,
  });
  await clock.advance(20_000);
  expect(await draining).toMatchObject({ settled: 0, left: 2 });
});

it('does not wait for records of a lease that billing never granted, and tells how many stay', async () => {
  const { billing, clock, disk, metrics, runRequests, spool } = await createPublicationFixture();
  await runRequests(1);
  spool.addLease({ accountId: 'acc_restored', lease: 7 }, 1);
  await spool.begin(exampleStart({ accountId: 'acc_restored', lease: 7, requestId: 'req_x' }));
  await spool.end('req_x', exampleOutcome());
  disk.crash();
  const beganMs = clock.monotonicMs();
  const drained = await settleOrphanedSpool({
    spool: createMemorySpool({ disk, clock }),
    billing,
    clock,
    logger: silentLogger,
    metrics,
    timeoutMs: 10_000,
  });
  expect(drained).toMatchObject({ settled: 2, left: 2, neverGranted: 2 });
  expect(clock.monotonicMs()).toBe(beganMs);
});

it('sends records of a lease that billing never granted once, also those of a damaged spool', async () => {
  const [billing, clock, disk] = [createFakeBilling(), createFakeClock(), createMemoryDisk()];
  const spool = await openMemorySpool({ disk, clock });
  spool.addLease({ accountId: 'acc_restored', lease: 7 }, 1);
  for (const requestId of ['req_x', 'req_y']) {
    await spool.begin(exampleStart({ accountId: 'acc_restored', lease: 7, requestId }));
    await spool.end(requestId, exampleOutcome());
  }
  disk.crash();
  const [segment = ''] = (await disk.list()).filter((name) => segmentNumberOf(name) !== undefined);
  const bytes = Buffer.from(disk.bytesOf(segment));
  const broken = bytes.indexOf('"request_id":"req_x"');
  bytes.writeUInt8(bytes.readUInt8(broken) ^ 1, broken);
  disk.put(segment, bytes);
  const settleUsage = jest.spyOn(billing, 'settleUsage');
  const drained = await settleOrphanedSpool({
    spool: createMemorySpool({ disk, clock }),
    billing,
    clock,
    logger: silentLogger,
    metrics: createUnreadMetrics(),
    timeoutMs: 10_000,
  });
  expect(drained.left).toBeGreaterThan(0);
  expect(drained).toMatchObject({ settled: 0, neverGranted: drained.left });
  expect(settleUsage).toHaveBeenCalledTimes(1);
  expect(settleUsage.mock.calls[0]?.[0]).toHaveLength(drained.left);
});
