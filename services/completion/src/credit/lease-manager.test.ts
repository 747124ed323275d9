import { AppError, delay, nano } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import { exampleOutcome, exampleStart } from '../testing/example-records';
import { FAKE_TTL_MS } from '../testing/fake-billing';
import { LEASE_BOUNDS as BOUNDS, createLeaseFixture, exampleNeed } from '../testing/lease-fixture';

describe('reserving credit', () => {
  it('asks billing once for all requests of an account that wait together', async () => {
    const { billing, ask } = await createLeaseFixture();
    const reservations = await Promise.all([ask(100n), ask(100n), ask(100n)]);
    expect(reservations.map((reservation) => reservation.ref.lease)).toEqual([1, 1, 1]);
    expect(billing.acquires).toHaveLength(1);
    await ask(0n);
    expect(billing.acquires).toHaveLength(1);
  });

  it('never reserves more than the lease holds', async () => {
    const { ask } = await createLeaseFixture(250n);
    const reservations = await Promise.allSettled([ask(100n), ask(100n), ask(100n)]);
    expect(reservations.map((reservation) => reservation.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
  });

  it('caps a request that allows it at what the balance pays', async () => {
    const { ask } = await createLeaseFixture(70n);
    expect((await ask(500n, 20n)).amount).toBe(70n);
    await expect(ask(500n, 20n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('remembers a refusal for a second and asks again afterwards', async () => {
    const { billing, clock, ask } = await createLeaseFixture(10n);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await expect(ask(60n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(billing.acquires).toHaveLength(1);
    await expect(ask(8n)).resolves.toMatchObject({ amount: 8n });
    billing.setAvailable('acc_1', 500n);
    await clock.advance(1_000);
    await expect(ask(50n)).resolves.toMatchObject({ amount: 50n });
  });

  it('refuses once, and asks billing no more, when refusals are not remembered', async () => {
    const { billing, ask } = await createLeaseFixture(10n, { refusalMs: 0 });
    // Ends a loop that would otherwise never let anything else run.
    billing.beforeRefusal = async () => {
      if (billing.acquires.length > 20) throw new AppError('SERVICE_UNAVAILABLE');
    };
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(billing.acquires).toHaveLength(1);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(billing.acquires).toHaveLength(2);
  });

  it('does not ask billing for what it has just not had, when a request needs nothing', async () => {
    const { billing, clock, ask } = await createLeaseFixture(30n);
    const amounts: bigint[] = [];
    for (let asked = 0; asked < 300; asked += 1) amounts.push((await ask(100n, 0n)).amount);
    expect([amounts[0], amounts[1], amounts[299]]).toEqual([30n, 0n, 0n]);
    expect(billing.acquires).toHaveLength(1);
    await expect(ask(100n, 1n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    billing.setAvailable('acc_1', 500n);
    await clock.advance(10_000);
    expect((await ask(100n, 0n)).amount).toBe(100n);
    expect(billing.acquires).toHaveLength(3);
  });

  it('answers all who wait after at most two questions, whatever each of them needs', async () => {
    const { billing, clock, ask } = await createLeaseFixture(100n, { waitersMax: 300 });
    billing.beforeRefusal = () => delay(clock, 1_000);
    const answeredAfterMs: number[] = [];
    const startedMs = clock.monotonicMs();
    const noteTime = () => answeredAfterMs.push(clock.monotonicMs() - startedMs);
    const asked = Array.from({ length: 299 }, (_, index) => ask(400n - BigInt(index)));
    for (const reservation of [...asked, ask(90n)]) reservation.then(noteTime, noteTime);
    await clock.advance(1_000);
    await clock.advance(1_000);
    expect(answeredAfterMs).toHaveLength(300);
    expect(billing.acquires.length).toBeLessThanOrEqual(2);
    await clock.advance(300_000);
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).not.toContain('fulfilled');
  });

  it('answers 402 when those who waited before took all of what billing granted', async () => {
    const { billing, ask } = await createLeaseFixture(100n);
    billing.beforeRefusal = async () => billing.setAvailable('acc_1', 100n);
    const asked = await Promise.allSettled([ask(60n), ask(60n), ask(60n)]);
    expect(billing.acquires).toHaveLength(2);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(asked[2]).toMatchObject({ reason: { code: 'INSUFFICIENT_BALANCE' } });
  });

  it('returns what a request did not use only after its record is durable', async () => {
    const { spool, leases, ask, finish } = await createLeaseFixture(100n);
    const reservation = await ask(100n);
    let reservationsAtRecord = 0;
    spool.onRecord(() => {
      reservationsAtRecord = leases.reservationCount;
    });
    await finish(reservation, 30n);
    expect(reservationsAtRecord).toBe(1);
    expect(leases.reservationCount).toBe(0);
    await expect(ask(70n)).resolves.toMatchObject({ amount: 70n });
    await expect(ask(1n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('keeps credit reserved when the record could not be written', async () => {
    const { disk, spool, leases, ask } = await createLeaseFixture(100n);
    const reservation = await ask(100n);
    await spool.begin(exampleStart({ ...reservation.ref, requestId: 'req_1' }));
    disk.failNext('fdatasync');
    await expect(leases.endRequest(reservation, 'req_1', exampleOutcome())).rejects.toThrow(
      'cannot be written',
    );
    expect(leases.reservationCount).toBe(1);
  });

  it('lets a bounded number wait and refuses the rest with 503', async () => {
    const { billing, ask } = await createLeaseFixture();
    const open = billing.hold();
    const waiting = Array.from({ length: BOUNDS.waitersMax }, () => ask(1n));
    await expect(ask(1n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    open();
    await Promise.all(waiting);
  });

  it('drops a waiting request whose client is gone', async () => {
    const { billing, leases } = await createLeaseFixture();
    const open = billing.hold();
    const controller = new AbortController();
    const { signal } = controller;
    const gone = leases.reserve(exampleNeed(1n, 1n, { signal }));
    controller.abort();
    await expect(gone).rejects.toBeInstanceOf(AppError);
    open();
    await settlePromises();
    expect(leases.reservationCount).toBe(0);
  });

  it('answers 503 when billing is away, and asks again with the same nonce', async () => {
    const { billing, ask } = await createLeaseFixture();
    billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
    await expect(ask(10n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await ask(10n);
    expect(new Set(billing.acquires.map((request) => request.nonce)).size).toBe(1);
    expect(billing.leases.size).toBe(1);
  });

  it('caps no request at a lease that was sized for another, whose answer was lost', async () => {
    const { billing, ask } = await createLeaseFixture(5_000n);
    billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
    await expect(ask(10n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await ask(1_000n, 5n)).amount).toBe(1_000n);
  });

  it('takes such a lease of a key with a budget as all that the key has left', async () => {
    const { billing, leases } = await createLeaseFixture(5_000n);
    const key = { keyId: 'key_1', limit: nano(20n), period: 'day' as const };
    const ask = (worst: bigint) => leases.reserve(exampleNeed(worst, 5n, { budget: key }));
    billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
    await expect(ask(10n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const [lease] = billing.leases.values();
    expect((await ask(4_000n)).amount).toBe(lease?.remaining);
    expect(billing.acquires).toHaveLength(2);
  });

  it('asks again with the nonce of a refusal: another replica may have granted it meanwhile', async () => {
    const { billing, clock, leases, ask } = await createLeaseFixture(100n);
    leases.start();
    billing.failNextAcquire(new AppError('INSUFFICIENT_BALANCE'), true);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await clock.advance(1_000);
    await expect(ask(50n)).resolves.toMatchObject({ ref: { lease: 1 }, amount: 50n });
    expect(billing.leases.size).toBe(1);
    leases.stop();
  });

  it('forgets the nonce of a refusal when no lease of it can be left', async () => {
    const { billing, clock, leases, ask } = await createLeaseFixture(0n);
    leases.start();
    const noncesOf = () => billing.acquires.map(({ nonce }) => nonce);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await clock.advance(30_000);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await clock.advance(61_000);
    await expect(ask(50n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(noncesOf()).toEqual(['nonce_1', 'nonce_1', 'nonce_2']);
    leases.stop();
  });

  it('keeps the leases of a key with a budget apart', async () => {
    const { billing, leases, ask } = await createLeaseFixture();
    const budget = { keyId: 'key_1', limit: nano(50n), period: 'day' as const };
    await ask(10n);
    const reservation = await leases.reserve(exampleNeed(5n, 5n, { budget }));
    expect(reservation.ref.lease).toBe(2);
    expect(billing.acquires[1]?.budget).toEqual(budget);
  });

  it('needs no balance for requests that cost nothing', async () => {
    const { ask } = await createLeaseFixture(0n);
    expect((await ask(0n)).amount).toBe(0n);
  });
});

describe('the life of a lease', () => {
  it('is of no use once its renewal is overdue, counted from when it was asked for', async () => {
    const { billing, clock, ask } = await createLeaseFixture();
    const open = billing.hold();
    const first = ask(10n);
    await clock.advance(4_000);
    open();
    await first;
    await clock.advance(FAKE_TTL_MS - 3_000 - 4_000 - 1);
    expect((await ask(0n)).ref.lease).toBe(1);
    await clock.advance(1);
    expect((await ask(10n)).ref.lease).toBe(2);
  });

  it('still gives what it has free when a newer lease took its place', async () => {
    const { spool, leases, ask, finish } = await createLeaseFixture(1_000n);
    const [stream, other] = await Promise.all([ask(300n), ask(300n)]);
    await finish(other, 0n);
    expect((await ask(700n).catch(() => ask(400n))).ref.lease).toBe(2);
    const small = await ask(100n);
    expect(small.ref.lease).toBe(1);
    expect((await ask(500n, 10n)).amount).toBe(200n);
    leases.release(small);
    expect(spool.isClosed(stream.ref)).toBe(false);
  });

  it('is renewed while a reservation or an unsettled record exists', async () => {
    const { billing, clock, leases, ask, finish, settleAll } = await createLeaseFixture(10n);
    leases.start();
    const reservation = await ask(10n);
    await clock.advance(30_000);
    expect(billing.acquires.length).toBeGreaterThan(3);
    expect(new Set(billing.acquires.map((request) => request.nonce)).size).toBe(1);
    await finish(reservation, 5n);
    await settleAll();
    await clock.advance(30_000);
    await settleAll();
    expect(billing.leases.size).toBe(0);
    leases.stop();
  });

  it('is closed when idle, and what is left goes to the account', async () => {
    const { billing, clock, leases, ask, finish, settleAll } = await createLeaseFixture(100n);
    leases.start();
    await finish(await ask(100n), 30n);
    await clock.advance(BOUNDS.idlePoorMs + BOUNDS.lookAfterMs);
    await settleAll();
    expect(billing.availableOf('acc_1')).toBe(70n);
    expect(billing.leases.size).toBe(0);
    leases.stop();
  });

  it('is not renewed while idle, and closed before its time is over', async () => {
    const { billing, clock, leases, ask, finish, settleAll } = await createLeaseFixture(100_000n);
    leases.start();
    await finish(await ask(100n), 30n);
    await settleAll();
    await clock.advance(FAKE_TTL_MS - 2_500);
    await settleAll();
    await clock.advance(FAKE_TTL_MS);
    expect(billing.leases.size).toBe(0);
    expect(billing.acquires).toHaveLength(1);
    leases.stop();
  });

  it('is closed together with the request when the account comes back only after long', async () => {
    const { billing, clock, leases, ask, finish, settleAll } = await createLeaseFixture(100_000n);
    leases.start();
    await finish(await ask(100n), 1n);
    await settleAll();
    await clock.advance(30_000);
    await settleAll();
    billing.applied.splice(0);
    await finish(await ask(100n), 1n);
    await settleAll();
    expect(billing.applied.map(({ kind }) => kind)).toEqual(['usage', 'close']);
    expect(billing.acquires.at(-1)?.nonce).not.toBe(billing.acquires[0]?.nonce);
    leases.stop();
  });

  it('is kept again as soon as requests follow each other', async () => {
    const { billing, clock, leases, ask, finish, settleAll } = await createLeaseFixture(100_000n);
    await finish(await ask(100n), 1n);
    await clock.advance(30_000);
    await finish(await ask(100n), 1n);
    await clock.advance(1_000);
    const last = await finish(await ask(100n), 1n);
    await settleAll();
    expect(leases.holds(last)).toBe(true);
    expect(billing.applied.at(-1)?.kind).toBe('usage');
  });

  it('is not closed before its last reservation ended', async () => {
    const { billing, leases, ask, finish, settleAll } = await createLeaseFixture(100n);
    const [one, two] = await Promise.all([ask(40n), ask(40n)]);
    leases.closeAll();
    await finish(one, 1n);
    await settleAll();
    expect(billing.applied.map((record) => record.kind)).toEqual(['usage']);
    await finish(two, 1n);
    await settleAll();
    expect(billing.applied.map((record) => record.kind)).toEqual(['usage', 'usage', 'close']);
  });

  it('is of no use after the sweeper took its credit back', async () => {
    const { billing, clock, leases, ask } = await createLeaseFixture();
    leases.start();
    await ask(10n);
    for (const lease of billing.leases.values()) lease.swept = true;
    await clock.advance(7_000);
    expect((await ask(10n)).ref.lease).toBe(2);
    leases.stop();
  });

  it('closes a lease that a renewal made because the old one was gone', async () => {
    const { billing, clock, leases, ask, settleAll } = await createLeaseFixture();
    leases.start();
    await ask(10n);
    billing.leases.delete('acc_1/1');
    await clock.advance(7_000);
    await settleAll();
    expect(billing.applied).toMatchObject([{ kind: 'close', lease: 2, number: 1 }]);
    leases.stop();
  });
});

describe('many renewals', () => {
  const accountsOf = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `acc_${name}${index}`);

  async function createHolders() {
    const fixture = await createLeaseFixture();
    const { billing, leases } = fixture;
    const reserve = async (accountIds: readonly string[]) => {
      for (const accountId of accountIds) billing.setAvailable(accountId, 10n);
      await Promise.all(accountIds.map((accountId) => fixture.ask(10n, 10n, accountId)));
    };
    leases.start();
    return { ...fixture, reserve };
  }

  it('go to billing a bounded number at once, until all are done', async () => {
    const { billing, clock, leases, reserve } = await createHolders();
    await reserve(accountsOf(200, ''));
    const open = billing.hold();
    await clock.advance(7_000);
    expect(billing.acquires).toHaveLength(200 + 64);
    open();
    await settlePromises();
    expect(billing.acquires).toHaveLength(400);
    expect(new Set(billing.acquires.map(({ nonce }) => nonce)).size).toBe(200);
    leases.stop();
  });

  it('take turns, so that leases which always fail keep no other from being renewed', async () => {
    const { billing, clock, leases, reserve } = await createHolders();
    const acquireLease = billing.acquireLease.bind(billing);
    await reserve(accountsOf(200, 'bad'));
    await clock.advance(1_000);
    await reserve(accountsOf(10, 'good'));
    const renewed = new Set<string>();
    billing.acquireLease = async (request) => {
      if (request.accountId.startsWith('acc_good')) renewed.add(request.accountId);
      else await delay(clock, 2_000);
      if (renewed.has(request.accountId)) return acquireLease(request);
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    // Before the last moment at which they are of use.
    await clock.advance(11_900);
    expect(renewed.size).toBe(10);
    leases.stop();
  });

  it('lock no free credit of a lease that billing recalls by their answer', async () => {
    const { billing, clock, leases, ask } = await createLeaseFixture(600n);
    leases.start();
    leases.release(await ask(600n));
    await ask(300n);
    for (const lease of billing.leases.values()) lease.recalled = true;
    await clock.advance(7_000);
    await expect(ask(300n)).resolves.toMatchObject({ ref: { lease: 1 } });
    leases.stop();
  });
});
