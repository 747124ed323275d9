import { AppError, nano } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import { createLeaseFixture, exampleNeed } from '../testing/lease-fixture';

const BALANCE = 1_000n;
/** A prompt that its vendor may count at ten times what is usual. */
const DEAR = exampleNeed(5_000n, 100n, { minimumBesideCredit: nano(1_000n) });
const BUDGET = { keyId: 'key_1', limit: nano(10_000n), period: 'none' as const };

/** An account with a balance that pays a dear prompt at its usual count alone. */
async function start(balance = BALANCE) {
  const fixture = await createLeaseFixture(balance);
  const { billing, leases, spool } = fixture;
  const askDear = () => leases.reserve(DEAR);
  /** Billing settles what there is; the spool hears of it later, when it asks. */
  const settleUnheard = async () => {
    await settlePromises();
    await billing.settleUsage(spool.takeBatch(100));
  };
  /** Billing calls every lease back before it refuses. */
  const callBack = () => {
    billing.beforeRefusal = async () => {
      for (const ref of [...billing.leases.values()]) leases.closeWhenFree(ref);
      await settleUnheard();
    };
  };
  return { ...fixture, askDear, callBack, settleUnheard };
}

/** A key with a budget takes so much and leaves it idle. */
async function leaveIdle(
  { leases }: Awaited<ReturnType<typeof start>>,
  amount: bigint,
): Promise<void> {
  leases.release(await leases.reserve(exampleNeed(amount, amount, { budget: BUDGET })));
}

describe('a prompt that may be counted far beyond its usual count', () => {
  it('is not paid at that where an idle lease of another key has the rest', async () => {
    const fixture = await start();
    await leaveIdle(fixture, 900n);
    await expect(fixture.askDear()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('is paid by all that there is once the idle lease was called back', async () => {
    const fixture = await start();
    await leaveIdle(fixture, 900n);
    fixture.callBack();
    expect((await fixture.askDear()).amount).toBe(BALANCE);
  });

  it('is not paid at that while billing has not settled the lease that has the rest', async () => {
    const { ask, askDear, clock, finish } = await start();
    await clock.advance(30_000);
    await finish(await ask(900n), 1n);
    await expect(askDear()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('is paid by all that there is where a lease of its own has the larger part', async () => {
    const { ask, askDear, callBack, leases } = await start();
    leases.release(await ask(800n));
    callBack();
    expect((await askDear()).amount).toBe(BALANCE);
  });

  it('is paid one after another though the spool has not heard what is settled', async () => {
    const { askDear, callBack, finish } = await start();
    callBack();
    await finish(await askDear(), 300n);
    const second = await askDear();
    expect(second.amount).toBe(700n);
    await finish(second, 100n);
    expect((await askDear()).amount).toBe(600n);
  });

  it('is paid by all that there is though what came back was granted in parts', async () => {
    const { ask, askDear, billing, callBack, clock, finish, leases, settleUnheard } = await start();
    /** After so long that a lease is granted for it alone, which is closed with it. */
    const spend = async (worst: bigint, charged: bigint) => {
      await clock.advance(10_000_000);
      const reservation = await ask(worst);
      await finish(reservation, charged);
      leases.closeWhenFree(reservation.ref);
      await settleUnheard();
    };
    await spend(BALANCE, 300n);
    await spend(300n, 300n);
    await spend(400n, 200n);
    expect(billing.availableOf('acc_1')).toBe(200n);
    callBack();
    expect((await askDear()).amount).toBe(200n);
  });

  it('is paid by all that there is though a renewal told first of what came back', async () => {
    const { ask, askDear, callBack, clock, finish, leases, settleUnheard } = await start();
    const first = await ask(600n);
    await clock.advance(1_000);
    const running = await ask(400n);
    await finish(first, 300n);
    leases.closeWhenFree(first.ref);
    await settleUnheard();
    leases.start();
    await clock.advance(7_000);
    leases.stop();
    leases.release(running);
    callBack();
    expect((await askDear()).amount).toBe(700n);
  });

  it('is not paid at that where only a part of what was closed came back', async () => {
    const { ask, askDear, finish, leases, settleUnheard } = await start();
    const [small, large] = [await ask(100n), await ask(900n)];
    await finish(small, 0n);
    await settleUnheard();
    await finish(large, 0n);
    leases.closeWhenFree(large.ref);
    await settlePromises();
    await expect(askDear()).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('is paid at its most alone after a refusal for another reason than want of credit', async () => {
    const { ask, askDear, billing, clock, leases } = await start(3_000n);
    const refused = () => new AppError('INSUFFICIENT_BALANCE', { publicMessage: 'refused' });
    leases.release(await ask(900n));
    billing.failNextAcquire(refused());
    await expect(askDear()).rejects.toMatchObject({ publicMessage: 'refused' });
    await clock.advance(1_000);
    leases.release(await ask(1_000n));
    billing.failNextAcquire(refused());
    expect(await askDear()).toMatchObject({ amount: 1_000n, isBesideCredit: true });
  });
});
