import { AppError, NANO_MAX } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import { entriesOf } from '../domain/journal';
import { DEFAULT_PLANS } from '../domain/plans';
import { DEFAULT_SETTINGS } from '../jobs/jobs';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  credit,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, closeRecord, n, usageRecord } from '../testing/fixtures';
import type { Operations } from './operations';

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Operations;

beforeEach(() => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  billing = fixture.createInstance();
});

/** A lease with five charges of ten, of which the ledger has the first two. */
async function useAccount(): Promise<void> {
  await credit(billing, 1_000);
  await billing.acquireLease(ACCOUNT_ID, acquireCommand({ amount: n(500) }), 1_000);
  await billing.settleUsage([usageRecord(), usageRecord({ number: 2 })]);
  await billing.storeJournal([fixture.account()]);
  await billing.settleUsage([3, 4, 5].map((number) => usageRecord({ number })));
}

describe('adding credit', () => {
  const request = { accountId: ACCOUNT_ID, amount: n(500), note: 'top-up', idempotencyKey: 'one' };

  it('credits once per idempotency key, before and after its journal is stored', async () => {
    const first = await billing.addCredits(request);
    expect(first).toMatchObject({ replayed: false, entry: { seq: 1, amount: 500n } });
    expect(await billing.addCredits(request)).toEqual({ ...first, replayed: true });
    await billing.storeJournal([fixture.account()]);
    await billing.addCredits({ ...request, idempotencyKey: 'two' });
    expect(fixture.account().journal).toHaveLength(2);
    expect(await billing.addCredits(request)).toEqual({ ...first, replayed: true });
    expect(fixture.account().granted).toBe(1_000n);
  });

  it('credits once however many instances are asked at the same time', async () => {
    const instances = Array.from({ length: 10 }, () => fixture.createInstance());
    const adding = Promise.all(instances.map((instance) => instance.addCredits(request)));
    await clock.advance(10_000);
    const results = await adding;
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(fixture.account().granted).toBe(500n);
  });

  it('credits once when the entry is trimmed between the look-up and the write', async () => {
    await billing.addCredits(request);
    const slow = fixture.createInstance({
      ledger: {
        ...fixture.ledger,
        async findGrant(accountId, creditId) {
          const found = await fixture.ledger.findGrant(accountId, creditId);
          await billing.storeJournal([fixture.account()]);
          await billing.accounts.trim(ACCOUNT_ID);
          return found;
        },
      },
    });
    await slow.addCredits(request);
    expect(fixture.account().granted).toBe(500n);
  });

  it('warns when an account has had three quarters of what it can be credited in its life', async () => {
    const logger = createRecordingLogger();
    const instance = fixture.createInstance({ logger });
    const quarter = n(NANO_MAX / 4n);
    const add = (idempotencyKey: string) =>
      instance.addCredits({ ...request, amount: quarter, idempotencyKey });
    for (const key of ['1', '2', '3']) await add(key);
    expect(logger.lines).toEqual([]);
    await instance.addCredits({ ...request, amount: n(5), idempotencyKey: '4' });
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { accountId: ACCOUNT_ID } }]);
    await expect(add('5')).rejects.toMatchObject({
      param: 'amount',
      publicMessage: expect.stringContaining('9223372036.854775807 in all, spent or not') as string,
    });
  });

  it('refuses another amount under the same key', async () => {
    await billing.addCredits(request);
    await expect(billing.addCredits({ ...request, amount: n(1) })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });

  it('keeps the same key apart between accounts', async () => {
    await billing.addCredits(request);
    await billing.addCredits({ ...request, accountId: 'acc_other' });
    expect(fixture.account('acc_other').granted).toBe(500n);
  });
});

describe('adjusting a balance', () => {
  const request = {
    accountId: ACCOUNT_ID,
    amount: n(-200),
    note: 'twice',
    idempotencyKey: 'one',
  };

  it('adjusts once per idempotency key, also one that a credit had', async () => {
    await billing.addCredits({ ...request, amount: n(500), note: '' });
    const first = await billing.adjustBalance(request);
    expect(first).toMatchObject({ replayed: false, entry: { kind: 'adjustment', amount: -200n } });
    await billing.storeJournal([fixture.account()]);
    expect(await fixture.createInstance().adjustBalance(request)).toEqual({
      ...first,
      replayed: true,
    });
    expect(fixture.account()).toMatchObject({ granted: 300n, available: 300n });
    await expect(billing.adjustBalance({ ...request, note: 'other' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    expect((await billing.audit()).findings).toEqual([]);
  });

  it('asks idle holders for what they hold before it refuses', async () => {
    await credit(billing, 500);
    await billing.acquireLease(ACCOUNT_ID, acquireCommand({ amount: n(400) }), 1_000);
    fixture.onRecall = async () => {
      await billing.settleUsage([closeRecord()]);
      return 'closing';
    };
    const adjusting = billing.adjustBalance(request);
    await clock.advance(1_000);
    await adjusting;
    expect(fixture.account()).toMatchObject({ granted: 300n, available: 300n });
  });

  it('refuses what is reserved or spent, and says how much is free', async () => {
    await credit(billing, 500_000_000);
    await billing.acquireLease(ACCOUNT_ID, acquireCommand({ amount: n(400_000_000) }), 1_000);
    const amount = n(-100_000_001);
    const refused = expect(billing.adjustBalance({ ...request, amount })).rejects.toMatchObject({
      code: 'CONFLICT',
      param: 'amount',
      publicMessage: expect.stringContaining('Only 0.10 of the balance') as string,
    });
    await clock.advance(2_000);
    await refused;
    expect(fixture.account().granted).toBe(500_000_000n);
  });

  it('waits for room when the journal is full and cannot be stored, and gives up in time', async () => {
    await credit(billing, 500);
    const { journalMax: _, ...policy } = DEFAULT_SETTINGS.policy;
    const journalWait = { ...DEFAULT_SETTINGS.journalWait, waitMsMax: 1_000 };
    const tight = { ...DEFAULT_SETTINGS, journalWait, policy: { ...policy, journalMax: 5 } };
    const ledger = { ...fixture.ledger, insert: () => Promise.reject(new Error('refused')) };
    const refused = expect(
      fixture.createInstance({ settings: tight, ledger }).adjustBalance(request),
    ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await clock.advance(10_000);
    await refused;
  });
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
    await useAccount();
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
    await useAccount();
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

describe('the ledger', () => {
  it('lists newest first across what is in the ledger and what still waits', async () => {
    await useAccount();
    const { entries, lastSeq } = await billing.listLedger(ACCOUNT_ID, { beforeSeq: undefined }, 10);
    expect(entries.map(({ seq }) => seq)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(lastSeq).toBe(6);
    const page = await billing.listLedger(ACCOUNT_ID, { beforeSeq: 5 }, 3);
    expect(page.entries.map(({ seq }) => seq)).toEqual([4, 3, 2]);
  });

  it('fills gaps upwards without a hole', async () => {
    await useAccount();
    const seqsAfter = async (afterSeq: number, limit: number) => {
      const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq }, limit);
      return entries.map(({ seq }) => seq);
    };
    expect(await seqsAfter(0, 100)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await seqsAfter(1, 3)).toEqual([2, 3, 4]);
    expect(await seqsAfter(4, 100)).toEqual([5, 6]);
    expect(await seqsAfter(6, 100)).toEqual([]);
  });

  it('goes on upwards over an entry that waits although later ones are stored', async () => {
    await useAccount();
    const newest = entriesOf(fixture.account().journal).at(-1);
    if (newest === undefined) throw new Error('nothing waits');
    await fixture.ledger.insert([newest]);
    const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq: 2 }, 3);
    expect(entries.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  });

  it('stops upwards before a gap of what is posted meanwhile', async () => {
    await useAccount();
    const [first] = entriesOf(fixture.account().journal);
    if (first === undefined) throw new Error('nothing waits');
    await fixture.ledger.insert([7, 9].map((seq) => ({ ...first, seq })));
    const { entries } = await billing.listLedger(ACCOUNT_ID, { afterSeq: 4 }, 10);
    expect(entries.map(({ seq }) => seq)).toEqual([5, 6, 7]);
  });

  it('has no entries for an account that was never used', async () => {
    const page = await billing.listLedger('acc_new', { beforeSeq: undefined }, 10);
    expect(page).toEqual({ entries: [], lastSeq: 0 });
  });
});

describe('a receipt', () => {
  it('is found at once and after its journal is stored', async () => {
    await useAccount();
    const waiting = usageRecord({ number: 5 });
    const stored = usageRecord();
    for (const { requestId } of [waiting, stored]) {
      const receipt = await billing.getReceipt(ACCOUNT_ID, requestId);
      expect(receipt).toMatchObject({ amount: 10n, record: { requestId } });
    }
  });

  it("does not exist for another account's request", async () => {
    await useAccount();
    await credit(billing, 1_000, 'acc_other');
    const { requestId } = usageRecord();
    for (const accountId of ['acc_other', 'acc_new']) {
      const asked = billing.getReceipt(accountId, requestId);
      await expect(asked).rejects.toEqual(new AppError('NOT_FOUND'));
    }
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

describe('the audit', () => {
  it('reads no further when its caller is gone', async () => {
    await useAccount();
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
    await useAccount();
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
    await useAccount();
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
    await useAccount();
    const account = fixture.account();
    fixture.documents.set(ACCOUNT_ID, { ...account, available: n(account.available + 7n) });
    const report = await billing.audit();
    expect(report).toMatchObject({ ok: false, drift: 7n });
    expect(report.findings).toMatchObject([{ accountId: ACCOUNT_ID, rule: 'sum' }]);
  });

  it('finds a charge that the ledger lost', async () => {
    await useAccount();
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

describe('the plan table', () => {
  it('has the four plans, cheapest first', () => {
    expect(DEFAULT_PLANS.map(({ id }) => id)).toEqual([
      'free',
      'smart',
      'professional',
      'enterprise',
    ]);
    const prices = DEFAULT_PLANS.map(({ price }) => price);
    expect([...prices].sort((a, b) => Number(a - b))).toEqual(prices);
  });
});
