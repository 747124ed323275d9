import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import type { LeaseDisposition } from '../domain/ports';
import {
  type BillingFixture,
  createBillingFixture,
  createInstanceBesideDamage,
  credit,
  type Instance,
  type RecallRequest,
  TEST_SETTINGS,
  watchConcurrency,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, closeRecord, HOLDER, usageRecord } from '../testing/fixtures';

const { leaseTtlMs, retireAfterMs } = TEST_SETTINGS.bounds;

let clock: FakeClock;
let fixture: BillingFixture;
let billing: Instance;
let recalls: RecallRequest[];

beforeEach(async () => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  recalls = [];
  fixture.onRecall = async (request): Promise<LeaseDisposition> => {
    recalls.push(request);
    return 'busy';
  };
  billing = fixture.createInstance();
  await credit(billing, 1_000);
  await acquire('a');
});

function acquire(nonce: string) {
  return billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce }), 5_000);
}

/** Lets every lease end, sees it stand still for a lifetime, and sweeps. */
async function sweepAll(instance: Instance = billing): Promise<number> {
  await clock.advance(leaseTtlMs);
  await instance.sweeper.sweepExpired();
  await clock.advance(leaseTtlMs);
  return instance.sweeper.sweepExpired();
}

/** Leads with the instance until the returned function is called. */
function lead(instance: Instance, leading?: AbortController): () => Promise<void> {
  return instance.lead(instance.leaseJobs, leading);
}

async function leadFor(durationMs: number, during?: () => Promise<void>): Promise<void> {
  const resign = lead(fixture.createInstance());
  await clock.advance(durationMs);
  await during?.();
  await resign();
}

describe('the sweeper', () => {
  it('takes back the credit of a lease that was not renewed, and nothing earlier', async () => {
    await clock.advance(leaseTtlMs);
    expect(await billing.sweeper.sweepExpired()).toBe(0);
    await clock.advance(leaseTtlMs - 1);
    expect(await billing.sweeper.sweepExpired()).toBe(0);
    await clock.advance(1);
    expect(await billing.sweeper.sweepExpired()).toBe(1);
    expect(fixture.account()).toMatchObject({ available: 1_000n });
    expect(fixture.account().leases.get(1)).toMatchObject({ swept: true });
  });

  it('sweeps and reminds the others when the first account makes no sense', async () => {
    const sweeping = await createInstanceBesideDamage(fixture);
    await clock.advance(leaseTtlMs);
    await sweeping.sweeper.sweepExpired();
    await billing.sweeper.sweepExpired();
    await clock.advance(leaseTtlMs);
    expect(await sweeping.sweeper.sweepExpired()).toBe(1);
    expect(fixture.account().leases.get(1)).toMatchObject({ swept: true });
    expect([...fixture.quarantined.keys()]).toEqual(['sweep:acc_0']);
    // Swept by another instance, to which the account made sense.
    expect(await billing.sweeper.sweepExpired()).toBe(1);
    await sweeping.remindHolders();
    expect(recalls.map(({ accountId }) => accountId)).toEqual([ACCOUNT_ID]);
  });

  it('leaves a lease alone that was renewed while it looked', async () => {
    let renews = false;
    const racing = fixture.createInstance({
      store: {
        ...fixture.store,
        async listExpired(now, page) {
          const expired = await fixture.store.listExpired(now, page);
          if (renews) await acquire('a');
          return expired;
        },
      },
    });
    await clock.advance(leaseTtlMs);
    await racing.sweeper.sweepExpired();
    await clock.advance(leaseTtlMs);
    renews = true;
    expect(await racing.sweeper.sweepExpired()).toBe(0);
    expect(fixture.account().leases.get(1)?.swept).toBe(false);
  });

  it('leaves a lease alone that was granted for longer than its own leader grants', async () => {
    const leaseTtlMsLong = 4 * leaseTtlMs;
    const bounds = { ...TEST_SETTINGS.bounds, leaseTtlMs: leaseTtlMsLong };
    const patient = fixture.createInstance({ settings: { ...TEST_SETTINGS, bounds } });
    await patient.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'b' }), 5_000);
    const resign = lead(fixture.createInstance());
    // Of one account, and seen together; neither is renewed.
    await clock.advance(2 * leaseTtlMs + 10_000);
    expect(fixture.account().leases.get(1)?.swept).toBe(true);
    expect(fixture.account().leases.get(2)?.swept).toBe(false);
    await clock.advance(leaseTtlMsLong);
    expect(fixture.account().leases.get(2)?.swept).toBe(true);
    await resign();
  });

  it("never believes the clock of another machine: credit is the holder's for a lifetime", async () => {
    const ahead = createFakeClock();
    ahead.jumpWallClock(10_000);
    const resign = lead(fixture.createInstance({ clock: ahead }));
    // Long after the leader's start, a replica whose clock is right grants and renews.
    for (let second = 0; second < 60; second += 1) {
      if (second % 6 === 0) await acquire('a');
      await Promise.all([clock.advance(1_000), ahead.advance(1_000)]);
      expect(fixture.account().leases.get(1)?.swept).toBe(false);
    }
    // Renewed for the last time at 54 seconds.
    for (let second = 60; second < 54 + leaseTtlMs / 1_000; second += 1) {
      expect(fixture.account().leases.get(1)?.swept).toBe(false);
      await Promise.all([clock.advance(1_000), ahead.advance(1_000)]);
    }
    await Promise.all([clock.advance(leaseTtlMs), ahead.advance(leaseTtlMs)]);
    expect(fixture.account().leases.get(1)?.swept).toBe(true);
    await resign();
  });

  it('sees renewals by a replica whose clock is behind the one that granted', async () => {
    const behind = createFakeClock();
    behind.jumpWallClock(-600_000);
    const replica = fixture.createInstance({ clock: behind });
    const resign = lead(fixture.createInstance());
    for (let second = 0; second < 60; second += 1) {
      if (second % 6 === 0) {
        await replica.acquireLease(ACCOUNT_ID, acquireCommand({ nonce: 'a' }), 5_000);
      }
      await Promise.all([clock.advance(1_000), behind.advance(1_000)]);
      expect(fixture.account().leases.get(1)?.swept).toBe(false);
    }
    await resign();
  });

  it('waits one lifetime of a lease before it sweeps for the first time', async () => {
    await clock.advance(leaseTtlMs);
    await leadFor(leaseTtlMs - 1);
    expect(fixture.account().leases.get(1)?.swept).toBe(false);
    await leadFor(leaseTtlMs + 1_000);
    expect(fixture.account().leases.get(1)?.swept).toBe(true);
  });

  it('waits one lifetime again after an outage in which nobody could renew', async () => {
    let away = false;
    const listExpired: typeof fixture.store.listExpired = (now, page) =>
      away ? Promise.reject(new Error('away')) : fixture.store.listExpired(now, page);
    const resign = lead(fixture.createInstance({ store: { ...fixture.store, listExpired } }));
    await clock.advance(10_000);
    await acquire('a');
    away = true;
    await clock.advance(60_000);
    away = false;
    await clock.advance(leaseTtlMs - 2_000);
    expect(fixture.account().leases.get(1)?.swept).toBe(false);
    await clock.advance(5_000);
    expect(fixture.account().leases.get(1)?.swept).toBe(true);
    await resign();
  });

  it('asks the holder of a swept lease again and again until it closes', async () => {
    await sweepAll();
    await leadFor(35_000);
    expect(recalls.length).toBeGreaterThanOrEqual(3);
    expect(recalls[0]).toMatchObject({ accountId: ACCOUNT_ID, leaseNumber: 1, holder: HOLDER });
    await billing.settleUsage([usageRecord(), closeRecord({ number: 2 })]);
    expect(fixture.account().leases.size).toBe(0);
    const before = recalls.length;
    await leadFor(35_000);
    expect(recalls).toHaveLength(before);
  });

  it('gives a lease up after thirty days of silence and absorbs what comes later', async () => {
    await sweepAll();
    await billing.remindHolders();
    expect(fixture.account().leases.size).toBe(1);
    clock.jumpWallClock(retireAfterMs);
    await billing.remindHolders();
    expect(fixture.account().leases.size).toBe(0);
    await billing.settleUsage([usageRecord()]);
    expect(fixture.account()).toMatchObject({ available: 1_000n, posted: 0n, absorbed: 10n });
  });
});

describe('the leases of an instance that died', () => {
  const accountIds = Array.from({ length: 100 }, (_, index) => `acc_dead_${index}`);

  beforeEach(async () => {
    const command = acquireCommand({ holder: 'spl_dead', holderAddress: '127.0.0.1:7102' });
    for (const accountId of accountIds) {
      await credit(billing, 1_000, accountId);
      await billing.acquireLease(accountId, command, 5_000);
    }
  });

  const sweptCount = () =>
    [...fixture.documents.values()].filter(({ leases }) => leases.get(1)?.swept).length;

  it('give their credit back many accounts at once, and not all at once', async () => {
    const { store, atOnce } = watchConcurrency(fixture.store, 'replace');
    expect(await sweepAll(fixture.createInstance({ store }))).toBe(accountIds.length + 1);
    expect(atOnce.most).toBeGreaterThanOrEqual(16);
    expect(atOnce.most).toBeLessThanOrEqual(32);
  });

  it('are swept no further when the instance no longer leads', async () => {
    const leading = new AbortController();
    const replace: typeof fixture.store.replace = (account, rev) => {
      leading.abort();
      return fixture.store.replace(account, rev);
    };
    const resign = lead(fixture.createInstance({ store: { ...fixture.store, replace } }), leading);
    await clock.advance(3 * leaseTtlMs);
    await resign();
    expect(sweptCount()).toBeGreaterThan(0);
    expect(sweptCount()).toBeLessThanOrEqual(32);
  });

  it('cost one call to their silent address, less and less often, and others are called', async () => {
    await sweepAll();
    const called: RecallRequest[] = [];
    fixture.onRecall = async (request) => {
      called.push(request);
      if (request.holder === HOLDER) return 'closing';
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    await billing.remindHolders();
    const callsTo = (holder: string) => called.filter((one) => one.holder === holder).length;
    expect([callsTo('spl_dead'), callsTo(HOLDER)]).toEqual([1, 1]);
    await leadFor(600_000);
    expect(callsTo('spl_dead')).toBeLessThanOrEqual(14);
    expect(callsTo(HOLDER)).toBeGreaterThanOrEqual(40);
  });

  it('are all asked for once their holder is back', async () => {
    await sweepAll();
    await billing.remindHolders();
    expect(new Set(recalls.map(({ accountId }) => accountId)).size).toBe(accountIds.length + 1);
  });

  it('are asked for although the holder fails for one of them', async () => {
    await sweepAll();
    const called = new Set<string>();
    fixture.onRecall = async ({ accountId }) => {
      called.add(accountId);
      if (accountId === accountIds[0]) throw new AppError('INTERNAL_ERROR');
      return 'busy';
    };
    await billing.remindHolders();
    expect(called.size).toBe(accountIds.length + 1);
  });

  it('keep nobody waiting who stops to lead while a holder is silent', async () => {
    await sweepAll();
    fixture.onRecall = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new AppError('SERVICE_UNAVAILABLE')));
      });
    let hasEnded = false;
    const resign = lead(fixture.createInstance());
    await clock.advance(1_000);
    void resign().then(() => {
      hasEnded = true;
    });
    await clock.advance(0);
    expect(hasEnded).toBe(true);
  });
});
