import { nano } from '@tollgate/core';
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

describe('a key whose budget is changed', () => {
  it('spends no free credit of its lease beyond a lower limit', async () => {
    const { ask, finish, running, spool } = await startBudgeted();
    const lowered = { ...RICH, limit: nano(5n) };
    await expect(ask(8n, lowered)).rejects.toMatchObject(EXCEEDED);
    await expect(ask(1n, lowered)).rejects.toMatchObject(EXCEEDED);
    expect(spool.isClosed(running.ref)).toBe(false);
    await finish(running, 8n);
    expect(spool.isClosed(running.ref)).toBe(true);
  });

  it('spends nothing of a lease that was asked for while the limit was higher', async () => {
    const { ask, billing, leases } = await startBudgeted();
    const open = billing.hold();
    const asked = ask(90n, { ...RICH, limit: nano(1_000n) });
    await settlePromises();
    const lowered = { ...RICH, limit: nano(80n) };
    const meanwhile = ask(8n, lowered).catch(() => {});
    open();
    leases.release(await asked);
    await meanwhile;
    await expect(ask(8n, lowered)).rejects.toMatchObject(EXCEEDED);
  });

  it('asks billing again in another period', async () => {
    const { ask, billing, running } = await startBudgeted();
    const asked = billing.acquires.length;
    const monthly = { ...RICH, period: 'month' as const };
    expect((await ask(8n, monthly)).ref).not.toEqual(running.ref);
    expect(billing.acquires.slice(asked)).toMatchObject([{ budget: monthly }]);
  });

  it('goes on in its lease where the limit is the same, or higher', async () => {
    const { ask, billing, running } = await startBudgeted();
    const asked = billing.acquires.length;
    expect((await ask(8n)).ref).toEqual(running.ref);
    expect((await ask(8n, { ...RICH, limit: nano(500n) })).ref).toEqual(running.ref);
    expect(billing.acquires).toHaveLength(asked);
  });
});
