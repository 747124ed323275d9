import { NANO_MAX } from '@tollgate/core';
import { createFakeClock, createRecordingLogger, type FakeClock } from '@tollgate/testkit';
import {
  type BillingFixture,
  createBillingFixture,
  credit,
  type Instance,
  TEST_SETTINGS,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, closeRecord, n } from '../testing/fixtures';

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Instance;

beforeEach(() => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  billing = fixture.createInstance();
});

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
    const { journalMax: _, ...bounds } = TEST_SETTINGS.bounds;
    const journalWait = { ...TEST_SETTINGS.journalWait, waitMsMax: 1_000 };
    const tight = { ...TEST_SETTINGS, journalWait, bounds: { ...bounds, journalMax: 5 } };
    const ledger = { ...fixture.ledger, insert: () => Promise.reject(new Error('refused')) };
    const refused = expect(
      fixture.createInstance({ settings: tight, ledger }).adjustBalance(request),
    ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await clock.advance(10_000);
    await refused;
  });
});
