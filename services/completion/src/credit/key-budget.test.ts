import { AppError, nano } from '@tollgate/core';
import { settlePromises } from '@tollgate/testkit';
import type { KeyBudget } from '../domain/lease-ref';
import { createLeaseFixture, exampleNeed } from '../testing/lease-fixture';

const RICH: KeyBudget = { keyId: 'key_1', limit: nano(100n), period: 'day' };
const EXCEEDED = { code: 'KEY_BUDGET_EXCEEDED' };

/** Ten requests of a key with a budget hold 80 of it, and all but one end at once. */
async function startBudgeted() {
  const fixture = await createLeaseFixture(1_000n, { waitersMax: 10 });
  const { finish, leases } = fixture;
  const ask = (worst: bigint, budget: KeyBudget = RICH) =>
    leases.reserve(exampleNeed(worst, worst, { budget }));
  const [running, ...others] = await Promise.all(Array.from({ length: 10 }, () => ask(8n)));
  for (const reservation of others) await finish(reservation, 0n);
  if (running === undefined) throw new Error('ten were asked for');
  return { ...fixture, ask, running };
}

const limitedTo = (limit: bigint): KeyBudget => ({ ...RICH, limit: nano(limit) });

describe('a key whose budget is changed', () => {
  it('spends the free credit of its lease as far as a lower limit allows', async () => {
    const { ask, billing, running } = await startBudgeted();
    const asked = billing.acquires.length;
    const lowered = limitedTo(70n);
    expect((await ask(30n, lowered)).ref).toEqual(running.ref);
    expect((await ask(12n, lowered)).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
    expect((await ask(30n)).ref).toEqual(running.ref);
  });

  it('begins a request that may be capped with no more than that', async () => {
    const { leases } = await startBudgeted();
    const budget = limitedTo(60n);
    const capped = await leases.reserve(exampleNeed(90n, 10n, { budget }));
    expect(capped.amount).toBe(32n);
  });

  it('spends nothing where the limit fell by more than its lease has free', async () => {
    const { ask, billing, finish, running } = await startBudgeted();
    const lowered = limitedTo(5n);
    await expect(ask(8n, lowered)).rejects.toMatchObject(EXCEEDED);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
    const asked = billing.acquires.length;
    expect((await ask(0n, lowered)).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
    await finish(running, 8n);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
  });

  it('spends nothing either after a grant of nothing by the lower limit', async () => {
    const { ask, leases } = await startBudgeted();
    const lowered = limitedTo(5n);
    const capped = await leases.reserve(exampleNeed(8n, 0n, { budget: lowered }));
    expect(capped.amount).toBe(0n);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
  });

  it('withholds once what the limit fell by, however many leases it has', async () => {
    const { ask, billing, running } = await startBudgeted();
    const high = limitedTo(500n);
    const second = await ask(90n, high);
    expect(second.ref).not.toEqual(running.ref);
    const asked = billing.acquires.length;
    const lowered = limitedTo(460n);
    expect((await ask(40n, lowered)).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
  });

  it('withholds nothing any more once billing granted credit by the lower limit', async () => {
    const { ask, billing, running } = await startBudgeted();
    const lowered = limitedTo(90n);
    expect((await ask(62n, lowered)).ref).toEqual(running.ref);
    expect((await ask(8n, lowered)).ref).not.toEqual(running.ref);
    const asked = billing.acquires.length;
    expect((await ask(10n, lowered)).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
  });

  it('withholds nothing either once billing refused it by the lower limit for want of balance', async () => {
    const { finish, leases } = await createLeaseFixture(60n);
    const ask = (worst: bigint, budget: KeyBudget) =>
      leases.reserve(exampleNeed(worst, worst, { budget }));
    const high = limitedTo(1_000n);
    const [running, other] = await Promise.all([ask(10n, high), ask(50n, high)]);
    await finish(other, 0n);
    expect((await ask(8n, limitedTo(500n))).ref).toEqual(running.ref);
    await expect(ask(43n, limitedTo(500n))).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  });

  it('waits for a lease of a higher limit and spends by its own', async () => {
    const { ask, billing, leases } = await startBudgeted();
    const open = billing.hold();
    const asked = ask(90n, limitedTo(1_000n));
    await settlePromises();
    const meanwhile = ask(8n, limitedTo(20n));
    const refused = expect(meanwhile).rejects.toMatchObject(EXCEEDED);
    open();
    leases.release(await asked);
    await refused;
  });

  it('spends by its limit in a lease whose answer was lost while that was higher', async () => {
    const { billing, leases } = await createLeaseFixture(1_000n);
    const ask = (worst: bigint, budget: KeyBudget) =>
      leases.reserve(exampleNeed(worst, worst, { budget }));
    billing.failNextAcquire(new AppError('SERVICE_UNAVAILABLE'), true);
    await expect(ask(80n, RICH)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const lowered = limitedTo(50n);
    expect((await ask(30n, lowered)).amount).toBe(30n);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
  });

  it('spends by its limit in a lease that was refused before that was raised', async () => {
    const { billing, clock, leases } = await createLeaseFixture(1_000n);
    const ask = (worst: bigint, budget: KeyBudget) =>
      leases.reserve(exampleNeed(worst, worst, { budget }));
    await expect(ask(80n, limitedTo(5n))).rejects.toMatchObject(EXCEEDED);
    await clock.advance(1_000);
    leases.release(await ask(80n, RICH));
    expect(new Set(billing.acquires.map(({ nonce }) => nonce)).size).toBe(1);
    const lowered = limitedTo(50n);
    expect((await ask(30n, lowered)).amount).toBe(30n);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
  });

  it('asks billing again in another period', async () => {
    const { ask, billing, running } = await startBudgeted();
    const asked = billing.acquires.length;
    const monthly = { ...RICH, period: 'month' as const };
    expect((await ask(8n, monthly)).ref).not.toEqual(running.ref);
    expect(billing.acquires.slice(asked)).toMatchObject([{ budget: monthly }]);
    expect(billing.acquires).toHaveLength(asked + 1);
  });

  it('goes on in its lease where the limit is the same, or higher', async () => {
    const { ask, billing, running } = await startBudgeted();
    const asked = billing.acquires.length;
    expect((await ask(8n)).ref).toEqual(running.ref);
    expect((await ask(8n, limitedTo(500n))).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
  });
});
