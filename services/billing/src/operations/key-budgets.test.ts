import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { createBillingFixture, credit, type Instance } from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, n, usageRecord } from '../testing/fixtures';

let clock: FakeClock;
let billing: Instance;

beforeEach(() => {
  clock = createFakeClock();
  billing = createBillingFixture(clock).createInstance();
});

describe("a key's budget", () => {
  it('is shown in its present period', async () => {
    const budget = { keyId: 'key_1', limit: n(200), period: 'day' as const };
    await credit(billing, 1_000);
    const command = acquireCommand({ amount: n(100), budget });
    await billing.acquireLease(ACCOUNT_ID, command, 1_000);
    await billing.settleUsage([usageRecord()]);
    const { budgets, charged } = await billing.getKeyBudgets(
      ACCOUNT_ID,
      ['key_1', 'key_none'],
      new Map(),
    );
    const [state] = budgets;
    expect([...charged]).toEqual([
      ['key_1', 0n],
      ['key_none', 0n],
    ]);
    expect(state).toMatchObject({ keyId: 'key_1', limit: 200n, spent: 10n, leased: 90n });
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
