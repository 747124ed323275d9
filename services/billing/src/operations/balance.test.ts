import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import {
  type BillingFixture,
  createBillingFixture,
  credit,
  useAccount,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, n, usageRecord } from '../testing/fixtures';
import type { Operations } from './operations';

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Operations;

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

describe("a key's budget", () => {
  it('is shown in its present period', async () => {
    const budget = { keyId: 'key_1', limit: n(200), period: 'day' as const };
    await credit(billing, 1_000);
    const command = acquireCommand({ amount: n(100), budget });
    await billing.acquireLease(ACCOUNT_ID, command, 1_000);
    await billing.settleUsage([usageRecord()]);
    const { budgets, totals } = await billing.getKeyBudgets(
      ACCOUNT_ID,
      ['key_1', 'key_none'],
      new Map(),
    );
    const [state] = budgets;
    expect([...totals]).toEqual([
      ['key_1', 0n],
      ['key_none', 0n],
    ]);
    expect(state).toMatchObject({ keyId: 'key_1', limit: 200n, spent: 10n, leased: 90n });
    expect(state?.resetsAtMs).toBeGreaterThan(clock.now());
    const monthly = new Map([['key_1', { limit: n(100), period: 'month' as const }]]);
    const {
      budgets: [changed],
    } = await billing.getKeyBudgets(ACCOUNT_ID, ['key_1'], monthly);
    expect(changed).toMatchObject({ period: 'month', spent: state?.spent });
    await clock.advance(24 * 60 * 60 * 1_000);
    const {
      budgets: [tomorrow],
    } = await billing.getKeyBudgets(ACCOUNT_ID, ['key_1'], new Map());
    expect(tomorrow).toMatchObject({ spent: 0n, leased: 90n });
    expect((await billing.getKeyBudgets('acc_new', ['key_1'], new Map())).budgets).toEqual([]);
  });
});
