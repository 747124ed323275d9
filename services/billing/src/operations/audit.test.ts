import { createFakeClock } from '@tollgate/testkit';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  credit,
  type Instance,
  useAccount,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, closeRecord, n, usageRecord } from '../testing/fixtures';

let fixture: BillingFixture;
let billing: Instance;

beforeEach(() => {
  fixture = createBillingFixture(createFakeClock());
  billing = fixture.createInstance();
});

describe('the audit', () => {
  it('reads no further when its caller is gone', async () => {
    await useAccount(billing, fixture);
    for (let other = 0; other < 20; other += 1) await credit(billing, 1_000, `acc_${other}`);
    const controller = new AbortController();
    const { store, counts } = countCalls({
      ...fixture.store,
      async find(accountId: string) {
        controller.abort();
        return fixture.store.find(accountId);
      },
    });
    const asked = fixture.createInstance({ store }).audit({ signal: controller.signal });
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // Those that are checked beside each other were begun together.
    expect(counts.get('find')).toBeLessThanOrEqual(8);
  });

  it('finds nothing wrong while work goes on', async () => {
    await useAccount(billing, fixture);
    await credit(billing, 1_000, 'acc_other');
    const report = await billing.audit();
    expect(report).toMatchObject({ ok: true, drift: 0n, accountsChecked: 2, reserved: 450n });
    await billing.settleUsage([closeRecord({ number: 6 })]);
    expect(await billing.audit({ accountId: ACCOUNT_ID })).toMatchObject({
      accountsChecked: 1,
      reserved: 0n,
    });
  });

  it('compares exactly when charges arrive and are stored while it reads', async () => {
    await useAccount(billing, fixture);
    let number = 6;
    const moving = fixture.createInstance({
      ledger: {
        ...fixture.ledger,
        async listAfter(accountId, afterSeq, limit) {
          await billing.settleUsage([usageRecord({ number })]);
          number += 1;
          await billing.storeJournal([fixture.account()]);
          await billing.accounts.trim(ACCOUNT_ID);
          return fixture.ledger.listAfter(accountId, afterSeq, limit);
        },
      },
    });
    expect(await moving.audit()).toMatchObject({ ok: true, drift: 0n });
  });

  it('says which account is wrong, in what, and by how much', async () => {
    await useAccount(billing, fixture);
    const account = fixture.account();
    fixture.documents.set(ACCOUNT_ID, { ...account, available: n(account.available + 7n) });
    const report = await billing.audit();
    expect(report).toMatchObject({ ok: false, drift: 7n });
    expect(report.findings).toMatchObject([{ accountId: ACCOUNT_ID, rule: 'sum' }]);
  });

  it('finds a charge that the ledger lost', async () => {
    await useAccount(billing, fixture);
    fixture.ledgerEntries.get(ACCOUNT_ID)?.delete(2);
    const { ok, drift, findings } = await billing.audit();
    expect({ ok, drift }).toEqual({ ok: false, drift: 10n });
    expect(findings.map(({ rule }) => rule)).toEqual(['ledger_gap', 'charges']);
  });

  it('finds a request that was charged twice', async () => {
    await credit(billing, 1_000);
    await billing.acquireLease(ACCOUNT_ID, acquireCommand(), 1_000);
    const { requestId } = usageRecord();
    await billing.settleUsage([usageRecord(), usageRecord({ number: 2, requestId })]);
    await billing.storeJournal([fixture.account()]);
    const { findings } = await billing.audit();
    expect(findings).toMatchObject([{ rule: 'duplicate_request' }]);
  });
});
