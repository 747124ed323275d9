import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  createInstanceBesideDamage,
  credit,
  type Instance,
  TEST_SETTINGS,
} from '../testing/billing-fixture';
import {
  ACCOUNT_ID,
  acquireCommand,
  closeRecord,
  HOLDER,
  n,
  usageRecord,
} from '../testing/fixtures';

const DEADLINE_MS = 5_000;
const KEY = { keyId: 'key_1', limit: n(100), period: 'day' as const };

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Instance;

beforeEach(async () => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  billing = fixture.createInstance();
  await credit(billing, 1_000);
});

function acquire(changes: Parameters<typeof acquireCommand>[0] = {}, operations = billing) {
  return operations.acquireLease(ACCOUNT_ID, acquireCommand(changes), DEADLINE_MS);
}

describe('parallel requests of one account', () => {
  it('never lease more than the balance, however many ask', async () => {
    const asked = Array.from({ length: 200 }, (_, index) => acquire({ nonce: `n${index}` }));
    const running = Promise.allSettled(asked);
    await clock.advance(2_000);
    const granted = (await running).filter(({ status }) => status === 'fulfilled');
    expect(granted).toHaveLength(10);
    expect(fixture.account()).toMatchObject({ available: 0n, leaseNo: 10 });
  });

  it('never lease more than the balance when several instances write', async () => {
    const instances = [billing, fixture.createInstance(), fixture.createInstance()];
    const asked = Array.from({ length: 200 }, (_, index) =>
      acquire({ nonce: `n${index}` }, instances[index % 3]),
    );
    const running = Promise.allSettled(asked);
    await clock.advance(10_000);
    const granted = (await running).filter(({ status }) => status === 'fulfilled');
    expect(granted).toHaveLength(10);
    expect(fixture.account()).toMatchObject({ available: 0n, leaseNo: 10 });
  });

  it("never lease more than a key's budget", async () => {
    const asked = Array.from({ length: 50 }, (_, index) =>
      acquire({ nonce: `n${index}`, amount: n(30), minimum: n(30), budget: KEY }),
    );
    const running = Promise.allSettled(asked);
    await clock.advance(2_000);
    const results = await running;
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(fixture.account().budgets.get('key_1')).toMatchObject({ leased: 90n });
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'KEY_BUDGET_EXCEEDED' },
    });
  });

  it('with money for one are granted one, whichever instances and holders they come from', async () => {
    const instances = [billing, fixture.createInstance(), fixture.createInstance()];
    const asked = Array.from({ length: 200 }, (_, index) => {
      const holder = `spl_${index % 4}`;
      const whole = { amount: n(1_000), minimum: n(1_000) };
      return acquire({ nonce: `n${index}`, holder, ...whole }, instances[index % 3]);
    });
    const running = Promise.allSettled(asked);
    await clock.advance(20_000);
    const results = await running;
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = results.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { readonly code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['INSUFFICIENT_BALANCE']));
    const [[lease, { holder }] = [0, { holder: '' }]] = fixture.account().leases;
    const dear = { completionTokens: 5_000, reserved: n(1_000) };
    await billing.settleUsage([usageRecord({ lease, holder, ...dear })]);
    expect(fixture.account()).toMatchObject({ available: 0n, posted: 1_000n, overrun: 4_000n });
  });

  it('grant one lease to a request that is repeated', async () => {
    const grants = await Promise.all(Array.from({ length: 5 }, () => acquire()));
    expect(new Set(grants.map(({ leaseNumber }) => leaseNumber))).toEqual(new Set([1]));
    expect(fixture.account().available).toBe(900n);
  });
});

describe('more budgeted keys than an account may have leases', () => {
  const settings = {
    ...TEST_SETTINGS,
    bounds: { ...TEST_SETTINGS.bounds, leasesMax: 4, recallsMax: 1 },
  };
  const budgetOf = (key: number) => ({ ...KEY, keyId: `key_${key}` });
  const take = (key: number, operations: Instance) =>
    acquire({ nonce: `n${key}`, amount: n(10), minimum: n(10), budget: budgetOf(key) }, operations);

  it('all get their turn while the leases of the others are idle', async () => {
    const tight = fixture.createInstance({ settings });
    for (const key of [1, 2, 3, 4]) await take(key, tight);
    fixture.onRecall = async ({ leaseNumber: lease }) => {
      await tight.settleUsage([closeRecord({ lease })]);
      return 'closing';
    };
    const asked = Promise.allSettled([5, 6, 7, 8].map((key) => take(key, tight)));
    await clock.advance(2_000);
    expect((await asked).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    expect(fixture.account().leases.size).toBe(4);
  });

  it('are told to come again when every lease is busy', async () => {
    const tight = fixture.createInstance({ settings });
    for (const key of [1, 2, 3, 4]) await take(key, tight);
    const refused = expect(take(5, tight)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await clock.advance(1_000);
    await refused;
  });

  it('are not kept out by leases whose holder is gone', async () => {
    const tight = fixture.createInstance({ settings });
    for (const key of [1, 2, 3, 4]) await take(key, tight);
    await clock.advance(settings.bounds.leaseTtlMs);
    expect(await tight.sweeper.sweepExpired()).toBe(0);
    await clock.advance(settings.bounds.leaseTtlMs);
    expect(await tight.sweeper.sweepExpired()).toBe(4);
    await expect(take(5, tight)).resolves.toMatchObject({ remaining: 10n });
  });
});

describe('store commands', () => {
  it('are one write for a lease and one for its renewal once the account is known', async () => {
    const { store, counts } = countCalls(fixture.store);
    const counting = fixture.createInstance({ store });
    await acquire({ nonce: 'a' }, counting);
    expect(Object.fromEntries(counts)).toEqual({ find: 1, replace: 1 });
    await acquire({ nonce: 'a' }, counting);
    await acquire({ nonce: 'b' }, counting);
    expect(Object.fromEntries(counts)).toEqual({ find: 1, replace: 3 });
  });

  it('are a read and a write each for an account that two instances write in turn', async () => {
    const { store, counts } = countCalls(fixture.store);
    const instances = [fixture.createInstance({ store }), fixture.createInstance({ store })];
    const takeTurns = async (name: string) => {
      for (const [index, instance] of instances.entries()) {
        await acquire({ nonce: `${name}${index}`, amount: n(1), minimum: n(1) }, instance);
      }
    };
    // Each finds out once, by a write that comes too late.
    await takeTurns('a');
    await takeTurns('b');
    counts.clear();
    await takeTurns('c');
    await takeTurns('d');
    expect(Object.fromEntries(counts)).toEqual({ find: 4, replace: 4 });
  });

  it('are a write each again once only one instance writes the account', async () => {
    const { store, counts } = countCalls(fixture.store);
    const staying = fixture.createInstance({ store });
    await acquire({ nonce: 'a', amount: n(1), minimum: n(1) }, staying);
    await acquire({ nonce: 'b', amount: n(1), minimum: n(1) }, fixture.createInstance());
    for (const nonce of ['c', 'd', 'e', 'f', 'g']) {
      await acquire({ nonce, amount: n(1), minimum: n(1) }, staying);
    }
    counts.clear();
    await acquire({ nonce: 'h', amount: n(1), minimum: n(1) }, staying);
    expect(Object.fromEntries(counts)).toEqual({ replace: 1 });
  });

  it('are shared by requests that arrive during a write', async () => {
    const { store, counts } = countCalls(fixture.store);
    const counting = fixture.createInstance({ store });
    const asked = Array.from({ length: 10 }, (_, index) =>
      acquire({ nonce: `n${index}`, amount: n(1), minimum: n(1) }, counting),
    );
    await Promise.all(asked);
    expect(counts.get('replace')).toBeLessThanOrEqual(2);
  });
});

describe('a refusal', () => {
  it('is never decided on a stale copy of the account', async () => {
    await acquire({ nonce: 'a', amount: n(1_000), minimum: n(1_000) });
    await credit(fixture.createInstance(), 500);
    await expect(acquire({ nonce: 'b' })).resolves.toMatchObject({
      leaseNumber: 2,
      remaining: 100n,
    });
  });

  it('calls the holders back first and uses what they return', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    fixture.onRecall = async ({ leaseNumber: lease }) => {
      await billing.settleUsage([usageRecord({ lease }), closeRecord({ lease, number: 2 })]);
      return 'closing';
    };
    const asked = acquire({ nonce: 'b' });
    await clock.advance(1_000);
    await expect(asked).resolves.toMatchObject({ leaseNumber: 2, remaining: 100n });
    expect(fixture.account().leases.has(1)).toBe(false);
  });

  it('comes after at most a second when holders are busy, with the leases marked', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    const asked = acquire({ nonce: 'b' });
    // What it has is told with it: the leases could pay for the request.
    const refusal = { code: 'INSUFFICIENT_BALANCE', balance: 1_000n };
    const refused = expect(asked).rejects.toMatchObject(refusal);
    await clock.advance(1_000);
    await refused;
    expect(fixture.account().leases.get(1)?.recall).toBe(true);
  });

  it('waits no longer than its caller', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    const asked = billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'b' }), 300);
    const refused = expect(asked).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await clock.advance(200);
    await refused;
  });

  it('is immediate when no lease could give enough back', async () => {
    await expect(acquire({ minimum: n(1_001) })).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
  });

  it('says that the account spends nothing, and from which balance on it does', async () => {
    await billing.thresholds.set(ACCOUNT_ID, { amounts: [], days: [], suspendBelow: n(1_001) });
    await expect(acquire()).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      spendingSuspended: true,
      publicMessage: expect.stringContaining('below 0.000001001 USD') as string,
    });
  });

  it('does not wait for a holder that cannot be reached beyond the second', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    fixture.onRecall = () => Promise.reject(new Error('unreachable'));
    const asked = acquire({ nonce: 'b' });
    const refused = expect(asked).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    await clock.advance(1_000);
    await refused;
  });

  it('calls the holders once for requests that are refused together', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    let calls = 0;
    fixture.onRecall = async () => {
      calls += 1;
      return new Promise(() => {});
    };
    const asked = Array.from({ length: 20 }, (_, index) => acquire({ nonce: `n${index}` }));
    const running = Promise.allSettled(asked);
    await clock.advance(1_000);
    await running;
    expect(calls).toBe(1);
  });

  it('calls holders back whom a recall that still runs did not ask', async () => {
    await acquire({ nonce: 'a', amount: n(60), minimum: n(60), budget: KEY });
    await acquire({ nonce: 'b', amount: n(900), minimum: n(900) });
    fixture.onRecall = async ({ leaseNumber: lease }) => {
      if (lease === 1) return new Promise(() => {});
      await billing.settleUsage([closeRecord({ lease })]);
      return 'closing';
    };
    const budgeted = acquire({ nonce: 'c', amount: n(50), minimum: n(50), budget: KEY });
    const refused = expect(budgeted).rejects.toMatchObject({ code: 'KEY_BUDGET_EXCEEDED' });
    await clock.advance(10);
    const asked = acquire({ nonce: 'd', amount: n(500), minimum: n(500) });
    await clock.advance(1_000);
    await expect(asked).resolves.toMatchObject({ leaseNumber: 3, remaining: 500n });
    await refused;
  });

  it('notifies the owner once that the balance is exhausted', async () => {
    await acquire({ nonce: 'a', amount: n(950), minimum: n(950) });
    await billing.settleUsage([usageRecord({ completionTokens: 940 })]);
    await expect(acquire({ nonce: 'b', minimum: n(70) })).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    await expect(acquire({ nonce: 'c', minimum: n(70) })).rejects.toThrow();
    const notices = fixture
      .account()
      .journal.filter((item) => item.kind === 'notice' && item.notice.type === 'balance.exhausted');
    expect(notices).toHaveLength(1);
  });

  it('notifies the owner once that a budget does not suffice, by the limit of the request', async () => {
    const ask = (limit: number) =>
      acquire({ nonce: 'a', minimum: n(70), budget: { ...KEY, limit: n(limit) } });
    const refusal = { code: 'KEY_BUDGET_EXCEEDED' };
    for (const limit of [60, 60, 50, 50]) await expect(ask(limit)).rejects.toMatchObject(refusal);
    const notices = fixture
      .account()
      .journal.flatMap((item) =>
        item.kind === 'notice' && item.notice.type === 'key.budget_exceeded'
          ? [item.notice.limit]
          : [],
      );
    expect(notices).toEqual([60n, 50n]);
  });

  it('names a conflict for one budgeted key too many', async () => {
    const bounds = { ...TEST_SETTINGS.bounds, budgetsMax: 1 };
    const small = fixture.createInstance({ settings: { ...TEST_SETTINGS, bounds } });
    await acquire({ nonce: 'a', amount: n(1), minimum: n(1), budget: KEY }, small);
    const other = { ...KEY, keyId: 'key_2' };
    const asked = acquire({ nonce: 'b', amount: n(1), minimum: n(1), budget: other }, small);
    await expect(asked).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('an account whose journal is quarantined', () => {
  it('gets no further lease until it works again, and those that it has go on', async () => {
    let isBroken = true;
    const insert: typeof fixture.ledger.insert = (entries) =>
      isBroken ? Promise.reject(new TypeError('no such member')) : fixture.ledger.insert(entries);
    const billing = fixture.createInstance({ ledger: { ...fixture.ledger, insert } });
    await credit(billing, 500);
    await billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'a' }), 1_000);
    await clock.advance(1_000);
    expect([...fixture.quarantined.keys()]).toEqual([`journal:${ACCOUNT_ID}`]);
    const further = () => billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'b' }), 1_000);
    await expect(further()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const renewed = await billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'a' }), 1_000);
    expect(renewed).toMatchObject({ leaseNumber: 1, remaining: 100n });
    isBroken = false;
    await clock.advance(TEST_SETTINGS.quarantineRetryMs);
    expect(await further()).toMatchObject({ leaseNumber: 2 });
  });
});

describe('declaring a spool destroyed', () => {
  beforeEach(() => acquire());

  it('retires its leases in every account and no others', async () => {
    const other = 'acc_01J00000000000000000000002';
    await credit(billing, 1_000, other);
    await billing.acquireLease(other, acquireCommand({ nonce: 'b' }), 1_000);
    const living = acquireCommand({ nonce: 'c', holder: 'spl_living' });
    await billing.acquireLease(other, living, 1_000);
    expect(await billing.retireLeases(HOLDER)).toBe(2);
    expect(fixture.account().available).toBe(1_000n);
    expect([...fixture.account(other).leases.keys()]).toEqual([2]);
    expect([...fixture.account(other).retired.keys()]).toEqual([1]);
    expect(await billing.retireLeases(HOLDER)).toBe(0);
  });

  it('passes an account that makes no sense, gives up the others, and says so', async () => {
    const damaged = await createInstanceBesideDamage(fixture);
    await expect(damaged.retireLeases(HOLDER)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      publicMessage: '1 leases were given up. 1 accounts failed by themselves: acc_0.',
    });
    expect(fixture.account().leases.size).toBe(0);
    expect([...fixture.quarantined.keys()]).toEqual(['retire:acc_0']);
    expect(await billing.retireLeases(HOLDER)).toBe(1);
  });

  it('keeps the account balanced when its last records arrive after all', async () => {
    await billing.settleUsage([usageRecord()]);
    await billing.retireLeases(HOLDER);
    const late = [usageRecord({ number: 2, completionTokens: 20 }), closeRecord({ number: 3 })];
    await billing.settleUsage([usageRecord(), ...late]);
    expect(fixture.account()).toMatchObject({ posted: 10n, absorbed: 20n, available: n(990) });
    expect((await billing.audit()).ok).toBe(true);
  });
});
