import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import {
  type BillingWorld,
  createBillingWorld,
  credit,
  type RecallRequest,
} from '../testing/billing-world';
import {
  ACCOUNT_ID,
  acquireCommand,
  closeRecord,
  HOLDER,
  n,
  usageRecord,
} from '../testing/fixtures';
import { DEFAULT_SETTINGS, type Operations } from './operations';

const { leaseTtlMs, retireAfterMs } = DEFAULT_SETTINGS.policy;

let clock: FakeClock;
let world: BillingWorld;
let billing: Operations;
let recalls: RecallRequest[];

beforeEach(async () => {
  clock = createFakeClock();
  world = createBillingWorld(clock);
  recalls = [];
  world.onRecall = async (request) => {
    recalls.push(request);
    return 'busy';
  };
  billing = world.instance();
  await credit(billing, 1_000);
  await acquire('a');
});

function acquire(nonce: string) {
  return billing.acquireLease(ACCOUNT_ID, acquireCommand({ nonce }), 5_000);
}

async function leadFor(durationMs: number, during?: () => Promise<void>): Promise<void> {
  const leading = new AbortController();
  const running = world.instance().sweeper.lead(leading.signal);
  await clock.advance(durationMs);
  await during?.();
  leading.abort();
  await running;
}

describe('the sweeper', () => {
  it('takes back the credit of a lease that was not renewed, and nothing earlier', async () => {
    await clock.advance(leaseTtlMs - 1);
    expect(await billing.sweeper.sweepExpired()).toBe(0);
    await clock.advance(1);
    expect(await billing.sweeper.sweepExpired()).toBe(1);
    expect(world.account()).toMatchObject({ available: 1_000n });
    expect(world.account().leases.get(1)).toMatchObject({ swept: true });
  });

  it('sweeps and reminds the others when the first account makes no sense', async () => {
    await credit(billing, 1_000, 'acc_0');
    await billing.acquireLease('acc_0', acquireCommand(), 5_000);
    const read: typeof world.store.read = (accountId) =>
      accountId === 'acc_0'
        ? Promise.reject(new TypeError('no such member'))
        : world.store.read(accountId);
    const { sweeper } = world.instance({ store: { ...world.store, read } });
    await clock.advance(leaseTtlMs);
    expect(await sweeper.sweepExpired()).toBe(1);
    expect(world.account().leases.get(1)).toMatchObject({ swept: true });
    expect([...world.quarantined.keys()]).toEqual(['sweep:acc_0']);
    // Swept by another instance, to which the account made sense.
    await billing.sweeper.sweepExpired();
    await sweeper.remindHolders();
    expect(recalls.map(({ accountId }) => accountId)).toEqual([ACCOUNT_ID]);
  });

  it('leaves a lease alone that was renewed while it looked', async () => {
    await clock.advance(leaseTtlMs);
    const racing = world.instance({
      store: {
        ...world.store,
        async listExpired(now, limit) {
          const expired = await world.store.listExpired(now, limit);
          await acquire('a');
          return expired;
        },
      },
    });
    expect(await racing.sweeper.sweepExpired()).toBe(0);
    expect(world.account().leases.get(1)?.swept).toBe(false);
  });

  it('waits one lifetime of a lease before it sweeps for the first time', async () => {
    await clock.advance(leaseTtlMs);
    await leadFor(leaseTtlMs - 1);
    expect(world.account().leases.get(1)?.swept).toBe(false);
    await leadFor(leaseTtlMs + 1_000);
    expect(world.account().leases.get(1)?.swept).toBe(true);
  });

  it('waits one lifetime again after an outage in which nobody could renew', async () => {
    let away = false;
    const listExpired: typeof world.store.listExpired = (now, limit) =>
      away ? Promise.reject(new Error('away')) : world.store.listExpired(now, limit);
    const leading = new AbortController();
    const sweeping = world.instance({ store: { ...world.store, listExpired } });
    const running = sweeping.sweeper.lead(leading.signal);
    await clock.advance(10_000);
    await acquire('a');
    away = true;
    await clock.advance(60_000);
    away = false;
    await clock.advance(leaseTtlMs - 2_000);
    expect(world.account().leases.get(1)?.swept).toBe(false);
    await clock.advance(5_000);
    expect(world.account().leases.get(1)?.swept).toBe(true);
    leading.abort();
    await running;
  });

  it('asks the holder of a swept lease again and again until it closes', async () => {
    await clock.advance(leaseTtlMs);
    await billing.sweeper.sweepExpired();
    await leadFor(35_000);
    expect(recalls.length).toBeGreaterThanOrEqual(3);
    expect(recalls[0]).toMatchObject({ accountId: ACCOUNT_ID, lease: 1, holder: HOLDER });
    await billing.settleUsage([usageRecord(), closeRecord({ number: 2 })]);
    expect(world.account().leases.size).toBe(0);
    const before = recalls.length;
    await leadFor(35_000);
    expect(recalls).toHaveLength(before);
  });

  it('gives a lease up after thirty days of silence and absorbs what comes later', async () => {
    await clock.advance(leaseTtlMs);
    await billing.sweeper.sweepExpired();
    await billing.sweeper.remindHolders();
    expect(world.account().leases.size).toBe(1);
    clock.jumpWallClock(retireAfterMs);
    await billing.sweeper.remindHolders();
    expect(world.account().leases.size).toBe(0);
    await billing.settleUsage([usageRecord()]);
    expect(world.account()).toMatchObject({ available: 1_000n, posted: 0n, absorbed: 10n });
  });
});

describe('declaring a spool destroyed', () => {
  it('retires its leases in every account and no others', async () => {
    const other = 'acc_01J00000000000000000000002';
    await credit(billing, 1_000, other);
    await billing.acquireLease(other, acquireCommand({ nonce: 'b' }), 1_000);
    const living = acquireCommand({ nonce: 'c', holder: 'spl_living' });
    await billing.acquireLease(other, living, 1_000);
    expect(await billing.retireLeases(HOLDER)).toBe(2);
    expect(world.account().available).toBe(1_000n);
    expect([...world.account(other).leases.keys()]).toEqual([2]);
    expect([...world.account(other).retired.keys()]).toEqual([1]);
    expect(await billing.retireLeases(HOLDER)).toBe(0);
  });

  it('keeps the account balanced when its last records arrive after all', async () => {
    await billing.settleUsage([usageRecord()]);
    await billing.retireLeases(HOLDER);
    const late = [usageRecord({ number: 2, completionTokens: 20 }), closeRecord({ number: 3 })];
    await billing.settleUsage([usageRecord(), ...late]);
    expect(world.account()).toMatchObject({ posted: 10n, absorbed: 20n, available: n(990) });
    expect((await billing.audit()).ok).toBe(true);
  });
});
