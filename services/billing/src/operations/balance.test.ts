import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import {
  type BillingFixture,
  createBillingFixture,
  type Instance,
  useAccount,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, n } from '../testing/fixtures';

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Instance;

beforeEach(() => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  billing = fixture.createInstance();
});

describe('the balance', () => {
  it('is nothing for an account that was never used', async () => {
    expect(await billing.getBalance('acc_new')).toMatchObject({
      balance: 0n,
      available: 0n,
      updatedAtMs: undefined,
    });
  });

  it('is what was credited less what was charged; what leases hold is reserved', async () => {
    await useAccount(billing, fixture);
    expect(await billing.getBalance(ACCOUNT_ID)).toEqual({
      balance: 950n,
      reserved: 450n,
      available: 500n,
      totalCredits: 1_000n,
      totalUsage: 50n,
      updatedAtMs: clock.now(),
      suspendBelow: undefined,
      spendingSuspended: false,
    });
  });

  it('says below what the account lets itself spend nothing, and whether it is there', async () => {
    await useAccount(billing, fixture);
    const setBelow = (suspendBelow: bigint) =>
      billing.thresholds.set(ACCOUNT_ID, { amounts: [], days: [], suspendBelow: n(suspendBelow) });
    await setBelow(951n);
    expect(await billing.getBalance(ACCOUNT_ID)).toMatchObject({
      suspendBelow: 951n,
      spendingSuspended: true,
    });
    await setBelow(950n);
    expect(await billing.getBalance(ACCOUNT_ID)).toMatchObject({ spendingSuspended: false });
  });
});
