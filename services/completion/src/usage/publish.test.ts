import { AppError, nano } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import {
  PUBLICATION_BOUNDS as BOUNDS,
  createPublicationFixture,
} from '../testing/publication-fixture';

describe('publication', () => {
  it('sends what gathered in a short time together, and forgets it when it is settled', async () => {
    const { bus, clock, publication, runRequests, spool } = await createPublicationFixture();
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
    const { bus, publication, runRequests } = await createPublicationFixture();
    publication.start();
    await runRequests(BOUNDS.batchRecordsMax);
    await settlePromises();
    expect(bus.batches).toEqual([3]);
    await publication.stop();
  });

  it('lets what comes during a publication wait for company again', async () => {
    const { bus, clock, publication, runRequests } = await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const { bus, clock, publication, runRequests, spool } = await createPublicationFixture();
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
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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

  it('hands over by a call what a part of the bus refuses, and the rest goes by the bus', async () => {
    const { billing, bus, clock, logger, publication, runRequests, spool } =
      await createPublicationFixture();
    publication.start();
    bus.refused.add('acc_2');
    billing.setAvailable('acc_2', 1_000n);
    const amounts = { amount: nano(1_000n), minimum: nano(0n) };
    const grant = { accountId: 'acc_2', nonce: 'other', budget: undefined };
    await billing.acquireLease({ ...grant, ...amounts });
    spool.addLease({ accountId: 'acc_2', lease: 1 }, 1);
    await spool.begin(exampleStart({ accountId: 'acc_2', requestId: 'req_other' }));
    await spool.end('req_other', exampleOutcome());
    await runRequests(1);
    await clock.advance(BOUNDS.batchMs);
    await runRequests(2);
    await clock.advance(BOUNDS.batchMs);
    expect(bus.batches).toEqual([2, 2]);
    const settled = billing.applied.map(({ accountId, number }) => [accountId, number]);
    expect(settled).toEqual([
      ['acc_1', 1],
      ['acc_2', 1],
      ['acc_1', 2],
      ['acc_1', 3],
    ]);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([]);
    await publication.stop();
  });

  it('loses nothing while bus and billing are both away', async () => {
    const { billing, bus, clock, publication, runRequests, spool } =
      await createPublicationFixture();
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
    const fixture = await createPublicationFixture({ ...BOUNDS, leasesPerPollMax: 1 });
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
    const { billing, clock, logger, publication, runRequests } = await createPublicationFixture();
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
