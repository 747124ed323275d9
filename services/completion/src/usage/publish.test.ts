import { AppError, delay, type NumberedRecord, nano, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createFakeClock, createRecordingLogger, settlePromises } from '@tollgate/testkit';
import { createCompletionMetrics } from '../metrics';
import { drainService } from '../operations/drain';
import { settleOrphanedSpool } from '../operations/settle-orphaned-spool';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import { createFakeBilling } from '../testing/fake-billing';
import { createMemoryDisk, createMemorySpool, openMemorySpool } from '../testing/memory-disk';
import { UsagePublication } from './publish';

const BOUNDS = {
  batchMs: 50,
  batchRecordsMax: 3,
  pollMs: 500,
  leasesPerPollMax: 10,
  resendMs: 5_000,
  busTimeoutMs: 2_000,
  busPauseMs: 5_000,
};

async function createFixture(bounds = BOUNDS) {
  const clock = createFakeClock();
  const billing = createFakeBilling();
  billing.setAvailable('acc_1', 1_000n);
  const disk = createMemoryDisk();
  const spool = await openMemorySpool({ disk, clock });
  const metrics = createCompletionMetrics(createMetrics());
  let held: Promise<void> | undefined;
  const bus = {
    batches: [] as number[],
    mode: 'good' as 'good' | 'away' | 'drops' | 'hangs',
    /** Keeps the next publications under way until the answer is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
  const publisher = {
    async publish(records: readonly NumberedRecord[]) {
      bus.batches.push(records.length);
      await held;
      if (bus.mode === 'hangs') await delay(clock, BOUNDS.busTimeoutMs);
      if (bus.mode === 'away' || bus.mode === 'hangs') throw new AppError('SERVICE_UNAVAILABLE');
      if (bus.mode === 'good') await billing.settleUsage(records);
    },
  };
  const logger = createRecordingLogger();
  const parts = { spool, billing, publisher, clock, logger, metrics };
  const publication = new UsagePublication({ ...parts, bounds });
  const amounts = { amount: nano(1_000n), minimum: nano(0n) };
  const grant = { accountId: 'acc_1', nonce: 'nonce', budget: undefined };
  await billing.acquireLease({ ...grant, ...amounts });
  spool.addLease({ accountId: 'acc_1', lease: 1 }, 1);
  let requests = 0;
  const runRequests = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      requests += 1;
      await spool.begin(exampleStart({ requestId: `req_${requests}` }));
      await spool.end(`req_${requests}`, exampleOutcome());
    }
  };
  return { billing, bus, clock, disk, logger, metrics, publication, runRequests, spool };
}

describe('a stop', () => {
  const drain = ({
    clock,
    logger,
    publication,
    spool,
  }: Awaited<ReturnType<typeof createFixture>>) => {
    const runs = { count: 0, idle: async () => {}, refuse() {}, stopAll() {} };
    const leases = { closeAll() {} };
    const parts = { clock, leases, logger, publication, runs, spool };
    return drainService({ ...parts, streamsMs: 1_000 }, 10_000);
  };

  it('does not wait for records of a lease that billing never granted, and fails because they stay', async () => {
    const fixture = await createFixture();
    const { clock, logger, spool } = fixture;
    await spool.closeLease({ accountId: 'acc_1', lease: 1 });
    spool.addLease({ accountId: 'acc_restored', lease: 7 }, 1);
    await spool.begin(exampleStart({ accountId: 'acc_restored', lease: 7, requestId: 'req_x' }));
    await spool.end('req_x', exampleOutcome());
    await spool.closeLease({ accountId: 'acc_restored', lease: 7 });
    const beganMs = clock.monotonicMs();
    await expect(drain(fixture)).rejects.toThrow(/^2 usage records of spool .* are not settled/);
    expect(clock.monotonicMs()).toBe(beganMs);
    expect(spool.unsettledCount).toBe(2);
    expect(logger.lines).toMatchObject([{ fields: { records: 2 } }]);
  });
});

describe('publication', () => {
  it('sends what gathered in a short time together, and forgets it when it is settled', async () => {
    const { bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    await runRequests(2);
    expect(bus.batches).toEqual([]);
    await clock.advance(BOUNDS.batchMs);
    expect(bus.batches).toEqual([2]);
    expect(spool.unsettledCount).toBe(2);
    await clock.advance(BOUNDS.pollMs);
    expect(spool.unsettledCount).toBe(0);
    await publication.stop();
  });

  it('does not wait when a batch is full', async () => {
    const { bus, publication, runRequests } = await createFixture();
    publication.start();
    await runRequests(BOUNDS.batchRecordsMax);
    await settlePromises();
    expect(bus.batches).toEqual([3]);
    await publication.stop();
  });

  it('lets what comes during a publication wait for company again', async () => {
    const { bus, clock, publication, runRequests } = await createFixture();
    const open = bus.hold();
    publication.start();
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    await runRequests(1);
    open();
    await settlePromises();
    expect(bus.batches).toEqual([1]);
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    expect(bus.batches).toEqual([1, 2]);
    await publication.stop();
  });

  it('settles by calls what the bus takes and billing never gets', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'drops';
    await runRequests(4);
    await clock.advance(BOUNDS.resendMs - BOUNDS.pollMs);
    expect(spool.unsettledCount).toBe(4);
    await runRequests(1);
    await clock.advance(2 * BOUNDS.pollMs + BOUNDS.batchMs);
    expect(spool.unsettledCount).toBe(1);
    expect(bus.batches.reduce((sum, size) => sum + size)).toBe(5);
    await clock.advance(BOUNDS.resendMs);
    expect(spool.unsettledCount).toBe(0);
    expect(billing.applied.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    await publication.stop();
  });

  it('sends what follows a late record by a call too, and what is of others by the bus', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    const settle = billing.settleUsage.bind(billing);
    const { promise, resolve } = Promise.withResolvers<void>();
    publication.start();
    bus.mode = 'drops';
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    billing.settleUsage = async (records) => {
      await promise;
      return settle(records);
    };
    await clock.advance(BOUNDS.resendMs + BOUNDS.pollMs);
    expect(spool.unsettledCount).toBe(1);
    await runRequests(2);
    spool.addLease({ accountId: 'acc_2', lease: 1 }, 1);
    await spool.begin(exampleStart({ accountId: 'acc_2', requestId: 'req_other' }));
    await spool.end('req_other', exampleOutcome());
    await clock.advance(BOUNDS.batchMs);
    expect(bus.batches).toEqual([1, 1]);
    resolve();
    await publication.flush();
    const settled = billing.applied.filter(({ accountId }) => accountId === 'acc_1');
    expect(settled.map(({ number }) => number)).toEqual([1, 2, 3]);
    await publication.stop();
  });

  it('leaves a late record to the bus again when its call failed', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'drops';
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    billing.settleUsage = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    await clock.advance(BOUNDS.resendMs + BOUNDS.pollMs);
    expect(bus.batches).toEqual([1]);
    await clock.advance(2 * BOUNDS.resendMs + BOUNDS.pollMs);
    expect(bus.batches).toEqual([1, 1]);
    expect(spool.unsettledCount).toBe(1);
    await publication.stop();
  });

  it('sends nothing again while billing answers nothing, and all of it as soon as it does', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'drops';
    billing.away = true;
    await runRequests(2);
    await clock.advance(3_600_000);
    expect(bus.batches).toEqual([2]);
    billing.away = false;
    await clock.advance(2 * BOUNDS.pollMs);
    expect(spool.unsettledCount).toBe(0);
    await publication.stop();
  });

  it('asks ever more seldom for what billing gets and does not settle, and the bus no more', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    const settle = billing.settleUsage.bind(billing);
    let calls = 0;
    publication.start();
    bus.mode = 'drops';
    await runRequests(1);
    billing.settleUsage = async () => {
      calls += 1;
      return [];
    };
    // Some 5, 10, 20 and 40 seconds after each other, and then a minute.
    await clock.advance(78_000);
    expect(calls).toBe(4);
    await clock.advance(600_000);
    expect([calls, bus.batches]).toEqual([13, [1]]);
    billing.settleUsage = settle;
    await clock.advance(61_000);
    expect(spool.unsettledCount).toBe(0);
    await publication.stop();
  });

  it('settles by calls while it tries a bus that does not answer', async () => {
    const { bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'hangs';
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs + BOUNDS.busTimeoutMs);
    expect(spool.unsettledCount).toBe(0);
    await clock.advance(BOUNDS.busPauseMs);
    await runRequests(2);
    await clock.advance(BOUNDS.batchMs);
    expect(bus.batches).toEqual([1, 1]);
    await runRequests(2);
    await clock.advance(BOUNDS.batchMs);
    expect([bus.batches, spool.unsettledCount]).toEqual([[1, 1], 0]);
    const stopped = publication.stop();
    await clock.advance(BOUNDS.busTimeoutMs);
    await stopped;
  });

  it('hands the same batch to billing by a call while the bus is away', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'away';
    await runRequests(2);
    await clock.advance(100);
    expect(billing.applied).toHaveLength(2);
    expect(spool.unsettledCount).toBe(0);
    await runRequests(1);
    await clock.advance(100);
    expect(bus.batches).toHaveLength(1);
    expect(billing.applied).toHaveLength(3);
    await clock.advance(BOUNDS.busPauseMs);
    bus.mode = 'good';
    await runRequests(2);
    await clock.advance(1_000);
    await runRequests(2);
    await clock.advance(1_000);
    // One record tries the bus, and the next ones go by it.
    expect(bus.batches).toEqual([2, 1, 2]);
    expect(billing.applied).toHaveLength(7);
    await publication.stop();
  });

  it('loses nothing while bus and billing are both away', async () => {
    const { billing, bus, clock, publication, runRequests, spool } = await createFixture();
    publication.start();
    bus.mode = 'away';
    billing.away = true;
    await runRequests(4);
    await clock.advance(120_000);
    expect(spool.unsettledCount).toBe(4);
    bus.mode = 'good';
    billing.away = false;
    await clock.advance(40_000);
    expect(spool.unsettledCount).toBe(0);
    expect(billing.applied.map((record) => record.number)).toEqual([1, 2, 3, 4]);
    await publication.stop();
  });
});

describe('polls', () => {
  it('go on with the next question when billing does not answer one', async () => {
    const fixture = await createFixture({ ...BOUNDS, leasesPerPollMax: 1 });
    const { billing, clock, publication, runRequests, spool } = fixture;
    billing.setAvailable('acc_2', 1_000n);
    const amounts = { amount: nano(1_000n), minimum: nano(0n) };
    const grant = { accountId: 'acc_2', nonce: 'other', budget: undefined };
    await billing.acquireLease({ ...grant, ...amounts });
    spool.addLease({ accountId: 'acc_2', lease: 1 }, 1);
    const ask = billing.readWatermarks.bind(billing);
    billing.readWatermarks = async (refs) => {
      if (refs.some(({ accountId }) => accountId === 'acc_1')) throw new AppError('INTERNAL_ERROR');
      return ask(refs);
    };
    publication.start();
    await runRequests(1);
    await spool.begin(exampleStart({ accountId: 'acc_2', requestId: 'req_other' }));
    await spool.end('req_other', exampleOutcome());
    await clock.advance(BOUNDS.batchMs + BOUNDS.pollMs);
    expect(spool.unsettledCount).toBe(1);
    await publication.stop();
  });

  it('that fail again and again are told once, until one succeeds', async () => {
    const { billing, clock, logger, publication, runRequests } = await createFixture();
    const ofPolls = 'billing does not say what is settled';
    const told = () =>
      logger.lines.filter(({ level, message }) => level === 'warn' && message === ofPolls);
    publication.start();
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    billing.away = true;
    await clock.advance(4 * BOUNDS.pollMs);
    expect(told()).toEqual([]);
    await clock.advance(16 * BOUNDS.pollMs);
    expect(told()).toHaveLength(1);
    billing.away = false;
    await clock.advance(BOUNDS.pollMs);
    expect(told()).toHaveLength(1);
    await publication.stop();
  });
});

describe('draining an orphaned spool', () => {
  it('ends, closes and settles everything, so that the directory may be deleted', async () => {
    const { billing, clock, disk, metrics, runRequests, spool } = await createFixture();
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
    expect(drained).toEqual({ spoolId: spool.spoolId, settled: 4, left: 0 });
    expect(billing.leases.size).toBe(0);
    expect(billing.availableOf('acc_1')).toBe(1_000n - 14n);
  });

  it('tells what is left when billing does not come back in time', async () => {
    const { billing, clock, disk, metrics, runRequests } = await createFixture();
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
});
