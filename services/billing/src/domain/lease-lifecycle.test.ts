import {
  accountWith,
  acquireCommand,
  closeRecord,
  expiriesOf,
  NOON,
  n,
  sweptNow,
  usageRecord,
  withLease,
} from '../testing/fixtures';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { acquireLease } from './acquire-lease';
import { checkAccount } from './audit-checks';
import { isLost, markRecall, retireLeases, sweepLeases, watermarkOf } from './lease-lifecycle';
import { settleRecords } from './settle-records';

const EXPIRED = NOON + DEFAULT_ACCOUNT_BOUNDS.leaseTtlMs;
const KEY = 'key_01J00000000000000000000009';

describe('the sweeper', () => {
  it('takes back what an expired lease holds and keeps its place', () => {
    const budget = { keyId: KEY, limit: n(200), period: 'day' as const };
    const granted = withLease(accountWith(1_000), { budget });
    const { account, outcome } = sweepLeases(granted, expiriesOf(granted), EXPIRED);
    expect(outcome).toEqual([1]);
    expect(account.available).toBe(1_000n);
    expect(account.leases.get(1)).toMatchObject({ swept: true, remaining: 0n, nextNumber: 1 });
    expect(account.budgets.get(KEY)?.leased).toBe(0n);
    expect(checkAccount(account)).toEqual([]);
  });

  it('leaves a renewed lease alone and sweeps none twice', () => {
    const granted = withLease(accountWith(1_000), { nonce: 'a' });
    const again = acquireCommand({ nonce: 'a' });
    const renewed = acquireLease(granted, again, NOON + 10_000, DEFAULT_ACCOUNT_BOUNDS).account;
    const late = EXPIRED + 60_000;
    expect(sweepLeases(renewed, expiriesOf(granted), late).account).toBe(renewed);
    const swept = sweepLeases(renewed, expiriesOf(renewed), late).account;
    expect(swept.leases.get(1)).toMatchObject({ swept: true });
    expect(sweepLeases(swept, expiriesOf(swept), late).account).toBe(swept);
  });

  it('judges by no clock, be it behind or ahead of the one that granted', () => {
    const granted = withLease(accountWith(1_000));
    expect(sweepLeases(granted, new Map(), EXPIRED + 60_000).account).toBe(granted);
    expect(sweepLeases(granted, expiriesOf(granted), NOON - 60_000).outcome).toEqual([1]);
  });
});

describe('recall', () => {
  it('marks leases that stand, tells their holders at renewal, and marks none twice', () => {
    const granted = withLease(accountWith(1_000), { nonce: 'a' });
    const { account, outcome } = markRecall(granted, [1, 7]);
    expect(outcome.map(({ leaseNumber }) => leaseNumber)).toEqual([1]);
    const renewal = acquireLease(
      account,
      acquireCommand({ nonce: 'a' }),
      NOON,
      DEFAULT_ACCOUNT_BOUNDS,
    );
    expect(renewal.outcome).toMatchObject({ acquired: { recalled: true } });
    expect(markRecall(account, [1]).account).toBe(account);
  });
});

describe('retirement', () => {
  it('returns what the leases hold and remembers where each stood', () => {
    const granted = withLease(accountWith(1_000));
    const used = settleRecords(granted, [usageRecord()], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    const { account, outcome } = retireLeases(used, () => true, NOON, DEFAULT_ACCOUNT_BOUNDS);
    expect(outcome).toEqual([1]);
    expect(account).toMatchObject({ available: 990n, posted: 10n });
    expect([...account.retired]).toEqual([[1, 2]]);
    expect(checkAccount(account)).toEqual([]);
  });

  it('forgets the oldest beyond its bound', () => {
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, retiredMax: 2 };
    const granted = withLease(withLease(withLease(accountWith(1_000))));
    const { account } = retireLeases(granted, () => true, NOON, bounds);
    expect([...account.retired.keys()]).toEqual([2, 3]);
  });

  it('waits thirty days for a silent holder', () => {
    const account = sweptNow(withLease(accountWith(1_000)));
    const lease = account.leases.get(1);
    if (lease === undefined) throw new Error('the lease stands');
    const afterThirtyDays = EXPIRED + DEFAULT_ACCOUNT_BOUNDS.retireAfterMs;
    expect(isLost(lease, afterThirtyDays - 1, DEFAULT_ACCOUNT_BOUNDS)).toBe(false);
    expect(isLost(lease, afterThirtyDays, DEFAULT_ACCOUNT_BOUNDS)).toBe(true);
  });
});

describe('the watermark', () => {
  it('answers the next number of a lease that stands and completes one that closed', () => {
    const granted = withLease(accountWith(1_000));
    const used = settleRecords(granted, [usageRecord()], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    expect(watermarkOf(used, 1)).toEqual({ nextNumber: 2, complete: false });
    const close = closeRecord({ number: 2 });
    const closed = settleRecords(used, [close], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    expect(watermarkOf(closed, 1)).toMatchObject({ complete: true });
  });

  it('completes nothing that was never granted or that is retired', () => {
    const granted = withLease(accountWith(1_000));
    const never = { nextNumber: 1, complete: false, neverGranted: true };
    expect(watermarkOf(granted, 2)).toEqual(never);
    expect(watermarkOf(undefined, 1)).toEqual(never);
    const { account } = retireLeases(granted, () => true, NOON, DEFAULT_ACCOUNT_BOUNDS);
    expect(watermarkOf(account, 1)).toEqual({ nextNumber: 1, complete: false });
  });
});
