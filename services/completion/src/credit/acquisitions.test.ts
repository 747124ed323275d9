import { NANO_MAX } from '@tollgate/core';
import { createLeaseFixture } from '../testing/lease-fixture';

describe('requests that wait for credit', () => {
  it('may cost more together than any account has', async () => {
    const { ask, billing } = await createLeaseFixture(1_000n);
    const asked = [ask(NANO_MAX, 100n), ask(NANO_MAX, 100n)];
    expect((await asked[0])?.amount).toBe(1_000n);
    await expect(asked[1]).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    expect(billing.acquires[0]?.amount).toBe(NANO_MAX);
  });

  it('are all refused when what they wait for breaks, and others may ask after them', async () => {
    const { ask, clock } = await createLeaseFixture();
    const monotonicMs = jest.spyOn(clock, 'monotonicMs');
    const asked = [ask(10n), ask(20n)];
    monotonicMs.mockImplementationOnce(() => {
      throw new Error('a fault of our own');
    });
    for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await expect(ask(10n)).resolves.toMatchObject({ amount: 10n });
  });
});
