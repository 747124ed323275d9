import { AppError, nano, ZERO_NANO } from '@tollgate/core';
import { createLeaseFixture, exampleNeed } from '../testing/lease-fixture';

const SUSPENDED = { code: 'INSUFFICIENT_BALANCE', spendingSuspended: true };
const BUDGET = { keyId: 'key_1', limit: nano(10_000n), period: 'none' as const };
/** Later than the first renewal of a lease. */
const RENEWED_MS = 7_000;

/** Two streams hold 600 of a lease, and it has 400 free; its account then keeps what it has. */
async function suspendAtWork() {
  const fixture = await createLeaseFixture(1_000n);
  const { ask, billing, finish, leases } = fixture;
  leases.start();
  const [small, large, third] = await Promise.all([ask(100n), ask(500n), ask(400n)]);
  await finish(third, 0n);
  billing.suspended.add('acc_1');
  return { ...fixture, small, large };
}

describe('an account that suspends its spending', () => {
  it('begins nothing that costs once a lease of it was renewed', async () => {
    const { ask, clock, finish, leases, small } = await suspendAtWork();
    await clock.advance(RENEWED_MS);
    await expect(ask(10n)).rejects.toMatchObject(SUSPENDED);
    await finish(small, 1n);
    await expect(ask(10n)).rejects.toMatchObject(SUSPENDED);
    leases.stop();
  });

  it('begins nothing once billing refused one of its requests', async () => {
    const { ask, leases } = await suspendAtWork();
    await expect(ask(450n)).rejects.toMatchObject(SUSPENDED);
    await expect(ask(450n, 10n)).rejects.toMatchObject(SUSPENDED);
    await expect(ask(10n)).rejects.toMatchObject(SUSPENDED);
    leases.stop();
  });

  it('begins nothing by any of its keys, and those of others go on', async () => {
    const { ask, billing, leases } = await suspendAtWork();
    billing.suspended.clear();
    billing.setAvailable('acc_1', 300n);
    billing.setAvailable('acc_2', 300n);
    const ofKey = exampleNeed(50n, 50n, { budget: BUDGET });
    leases.release(await leases.reserve(ofKey));
    leases.release(await ask(50n, 50n, 'acc_2'));
    billing.suspended.add('acc_1');
    await expect(ask(450n)).rejects.toMatchObject(SUSPENDED);
    await expect(leases.reserve(ofKey)).rejects.toMatchObject(SUSPENDED);
    await expect(ask(50n, 50n, 'acc_2')).resolves.toMatchObject({ amount: 50n });
    leases.stop();
  });

  it('lets what runs come to its end, and closes its lease then', async () => {
    const { ask, billing, finish, large, leases, settleAll, small, spool } = await suspendAtWork();
    await expect(ask(450n)).rejects.toMatchObject(SUSPENDED);
    await finish(small, 100n);
    expect(spool.isClosed(small.ref)).toBe(false);
    await finish(large, 500n);
    await settleAll();
    expect(billing.applied.at(-1)?.kind).toBe('close');
    expect(billing.availableOf('acc_1')).toBe(400n);
    leases.stop();
  });

  it('goes on with requests that cost nothing, in one lease', async () => {
    const { ask, billing, clock, leases } = await suspendAtWork();
    await expect(ask(450n)).rejects.toMatchObject(SUSPENDED);
    const free = await ask(0n);
    const asked = billing.acquires.length;
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      expect((await ask(0n)).ref).toEqual(free.ref);
    }
    expect(new Set(billing.acquires.slice(asked).map(({ nonce }) => nonce)).size).toBe(2);
    expect((await ask(100n, 0n)).amount).toBe(ZERO_NANO);
    leases.stop();
  });

  it('takes no credit of a lease whose answer was lost before', async () => {
    const { ask, billing, leases } = await createLeaseFixture(1_000n);
    billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
    await expect(ask(100n)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    billing.suspended.add('acc_1');
    await expect(ask(100n)).rejects.toMatchObject(SUSPENDED);
    leases.stop();
  });

  it('spends again after credit came, without anything that is done for it', async () => {
    const { ask, billing, clock, leases } = await suspendAtWork();
    await expect(ask(450n)).rejects.toMatchObject(SUSPENDED);
    billing.suspended.clear();
    billing.setAvailable('acc_1', 500n);
    await clock.advance(1_000);
    await expect(ask(450n)).resolves.toMatchObject({ amount: 450n });
    leases.stop();
  });
});
