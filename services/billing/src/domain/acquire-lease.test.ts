import {
  ACCOUNT_ID,
  accountWith,
  acquireCommand,
  closeRecord,
  expiriesOf,
  NOON,
  n,
  usageRecord,
  withLease,
} from '../testing/fixtures';
import { type Account, emptyAccount } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { type AcquireLease, acquireLease, notifyOfRefusal } from './acquire-lease';
import { checkAccount } from './audit-checks';
import { addCredits } from './credits';
import { sweepLeases } from './lease-lifecycle';
import { settleRecords } from './settle-records';

const KEY = 'key_01J00000000000000000000009';

function acquire(
  account: Account,
  changes: Partial<AcquireLease> = {},
  bounds = DEFAULT_ACCOUNT_BOUNDS,
) {
  const change = acquireLease(account, acquireCommand(changes), NOON, bounds);
  expect(checkAccount(change.account)).toEqual([]);
  return change;
}

function keyBudget(limit: number) {
  return { keyId: KEY, limit: n(limit), period: 'day' as const };
}

describe('acquiring a lease', () => {
  it('numbers leases from 1 and takes the credit from what is available', () => {
    const first = acquire(accountWith(1_000), { nonce: 'a' });
    const second = acquire(first.account, { nonce: 'b' });
    expect(first.outcome).toMatchObject({
      kind: 'granted',
      acquired: { leaseNumber: 1, remaining: 100n, nextNumber: 1, available: 900n },
    });
    expect(second.outcome).toMatchObject({
      kind: 'granted',
      acquired: { leaseNumber: 2, available: 800n },
    });
  });

  it('answers the same lease to a repeated nonce and renews its expiry', () => {
    const granted = acquire(accountWith(1_000)).account;
    const later = acquireLease(granted, acquireCommand(), NOON + 5_000, DEFAULT_ACCOUNT_BOUNDS);
    expect(later.outcome).toMatchObject({
      kind: 'renewed',
      acquired: { leaseNumber: 1, remaining: 100n },
    });
    expect(later.account.leases.get(1)?.expiresAtMs).toBe(
      NOON + 5_000 + DEFAULT_ACCOUNT_BOUNDS.leaseTtlMs,
    );
    expect(later.account.available).toBe(900n);
  });

  it('never shortens a lease when a late renewal arrives, and moves its end with each one', () => {
    const granted = acquire(accountWith(1_000)).account;
    const late = acquireLease(granted, acquireCommand(), NOON - 5_000, DEFAULT_ACCOUNT_BOUNDS);
    expect(late.account.leases.get(1)?.expiresAtMs).toBe(
      NOON + DEFAULT_ACCOUNT_BOUNDS.leaseTtlMs + 1,
    );
  });

  it('tells the holder of a swept lease to reserve nothing and leaves the lease as it is', () => {
    const granted = acquire(accountWith(1_000)).account;
    const swept = sweepLeases(granted, expiriesOf(granted), NOON).account;
    const renewed = acquireLease(swept, acquireCommand(), NOON + 20_000, DEFAULT_ACCOUNT_BOUNDS);
    expect(renewed.outcome).toMatchObject({
      kind: 'renewed',
      acquired: { swept: true, remaining: 0n },
    });
    expect(renewed.account).toBe(swept);
  });

  it("refuses a nonce that stands in another holder's lease", () => {
    const granted = acquire(accountWith(1_000)).account;
    expect(acquire(granted, { holder: 'spl_other' }).outcome).toEqual({ kind: 'nonceTaken' });
  });

  it('grants what is left when that is less than asked but enough for the request', () => {
    const { outcome } = acquire(accountWith(150), { amount: n(500), minimum: n(120) });
    expect(outcome).toMatchObject({
      kind: 'granted',
      acquired: { remaining: 150n, available: 0n },
    });
  });

  it('always grants a minimum of 0, also to an account that was never seen', () => {
    const { outcome } = acquire(emptyAccount(ACCOUNT_ID), { amount: n(0), minimum: n(0) });
    expect(outcome).toMatchObject({ kind: 'granted', acquired: { leaseNumber: 1, remaining: 0n } });
  });

  it('grants nothing beyond a minimum of 0 to an account that spends no more', () => {
    const thresholds = { amounts: [], days: [], suspendBelow: n(500) };
    const account = { ...accountWith(300), thresholds };
    const { outcome } = acquire(account, { amount: n(100), minimum: n(0) });
    expect(outcome).toMatchObject({
      kind: 'granted',
      acquired: { remaining: 0n, available: 300n },
    });
    const needed = acquire(account, { amount: n(100), minimum: n(1) });
    expect(needed.outcome).toMatchObject({ kind: 'insufficient', suspendBelow: 500n });
  });

  it('tells each holder when it renews that the account spends nothing, and when it does again', () => {
    const granted = acquire(accountWith(300)).account;
    const thresholds = { amounts: [], days: [], suspendBelow: n(500) };
    const suspended = acquire({ ...granted, thresholds });
    expect(suspended.outcome).toMatchObject({ kind: 'renewed', acquired: { suspended: true } });
    const resumed = acquire({ ...suspended.account, thresholds: undefined });
    expect(resumed.outcome).toMatchObject({ kind: 'renewed', acquired: { suspended: false } });
  });

  it('holds two seconds of recent spend for an account that can spare it', () => {
    let account = withLease(accountWith(1_000_000), { amount: n(20_000), minimum: n(1) });
    const record = usageRecord({ completionTokens: 20_000 });
    account = settleRecords(account, [record], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    const { outcome } = acquire(account, { nonce: 'b' });
    // 20,000 in a window of ten seconds: 4,000 in two.
    expect(outcome).toMatchObject({ kind: 'granted', acquired: { remaining: 4_000n } });
  });

  it('makes the lease smaller the poorer the account', () => {
    let account = withLease(accountWith(28_000), { amount: n(20_000), minimum: n(1) });
    const record = usageRecord({ completionTokens: 20_000 });
    account = settleRecords(account, [record], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    expect(account.available).toBe(8_000n);
    const { outcome } = acquire(account, { nonce: 'b' });
    expect(outcome).toMatchObject({ kind: 'granted', acquired: { remaining: 1_000n } });
  });
});

describe('refusing a lease', () => {
  it('names the leases whose credit could pay for the request', () => {
    const account = withLease(withLease(accountWith(300), { amount: n(100) }), { amount: n(150) });
    const { outcome } = acquire(account, { nonce: 'c', minimum: n(200), amount: n(200) });
    // What the account has, leased or not, tells that it could.
    const balance = n(300);
    expect(outcome).toEqual({
      kind: 'insufficient',
      recallable: [1, 2],
      noticeDue: false,
      balance,
    });
  });

  it('disturbs no lease when all of them together could not pay', () => {
    const account = withLease(accountWith(300), { amount: n(100) });
    const { outcome } = acquire(account, { nonce: 'c', minimum: n(301), amount: n(301) });
    expect(outcome).toMatchObject({ kind: 'insufficient', recallable: [] });
  });

  it('leaves a denied account untouched', () => {
    const account = accountWith(50);
    expect(acquire(account).account).toBe(account);
  });

  it('holds at most 256 leases and names those that expire first', () => {
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, leasesMax: 3, recallsMax: 2 };
    let account = accountWith(1_000);
    for (const [index, nonce] of ['a', 'b', 'c'].entries()) {
      const command = acquireCommand({ nonce, amount: n(1), minimum: n(1) });
      account = acquireLease(account, command, NOON - index * 1_000, bounds).account;
    }
    const { outcome } = acquire(account, { nonce: 'd' }, bounds);
    expect(outcome).toEqual({ kind: 'tooManyLeases', recallable: [3, 2], noticeDue: false });
  });
});

describe('leases of a key with a budget', () => {
  it('are bounded by the key and the account together', () => {
    const rich = acquire(accountWith(1_000), {
      amount: n(500),
      minimum: n(10),
      budget: keyBudget(60),
    });
    expect(rich.outcome).toMatchObject({ kind: 'granted', acquired: { remaining: 60n } });
    expect(rich.account.budgets.get(KEY)).toMatchObject({ leased: 60n, spent: 0n });
    const poor = acquire(accountWith(40), {
      amount: n(500),
      minimum: n(10),
      budget: keyBudget(60),
    });
    expect(poor.outcome).toMatchObject({ kind: 'granted', acquired: { remaining: 40n } });
  });

  it("are refused beyond the key's budget, naming only the key's own leases", () => {
    let account = withLease(accountWith(1_000), { amount: n(100) });
    account = withLease(account, { amount: n(60), minimum: n(60), budget: keyBudget(100) });
    const { outcome } = acquire(account, { nonce: 'c', minimum: n(50), budget: keyBudget(100) });
    expect(outcome).toEqual({ kind: 'budgetExceeded', recallable: [2], noticeDue: true });
  });

  it('find room again in the next period, less what is still leased', () => {
    let account = withLease(accountWith(1_000), {
      amount: n(60),
      budget: keyBudget(60),
      minimum: n(1),
    });
    const record = usageRecord({ completionTokens: 50 });
    account = settleRecords(account, [record], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    const tomorrow = NOON + 24 * 60 * 60 * 1_000;
    const command = acquireCommand({ nonce: 'b', minimum: n(50), budget: keyBudget(60) });
    expect(acquireLease(account, command, NOON, DEFAULT_ACCOUNT_BOUNDS).outcome.kind).toBe(
      'budgetExceeded',
    );
    const { outcome } = acquireLease(account, command, tomorrow, DEFAULT_ACCOUNT_BOUNDS);
    expect(outcome).toMatchObject({ kind: 'granted', acquired: { remaining: 50n } });
  });

  it('are refused for one more key than the account may budget, unless an idle one can go', () => {
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, budgetsMax: 1 };
    const other = { keyId: 'key_other', limit: n(50), period: 'day' as const };
    const busy = withLease(accountWith(1_000), {
      amount: n(10),
      budget: keyBudget(60),
      minimum: n(1),
    });
    const full = acquire(busy, { nonce: 'b', minimum: n(1), budget: other }, bounds);
    expect(full.outcome).toEqual({ kind: 'tooManyBudgets' });
    const idle = { ...accountWith(1_000), budgets: new Map(busy.budgets) };
    const budget = {
      ...keyBudget(60),
      periodStartMs: 0,
      spent: n(0),
      leased: n(0),
      notified: false,
    };
    idle.budgets.set(KEY, budget);
    const { outcome } = acquire(idle, { nonce: 'b', minimum: n(1), budget: other }, bounds);
    expect(outcome.kind).toBe('granted');
  });
});

describe('the notice of a refusal', () => {
  const spent = { ...accountWith(1_000), posted: n(960), available: n(40) };

  it('notifies the owner once that the balance does not suffice', () => {
    const first = notifyOfRefusal(spent, { kind: 'insufficient' }, NOON, DEFAULT_ACCOUNT_BOUNDS);
    expect(first.account.journal).toMatchObject([{ notice: { type: 'balance.exhausted' } }]);
    const again = notifyOfRefusal(
      first.account,
      { kind: 'insufficient' },
      NOON,
      DEFAULT_ACCOUNT_BOUNDS,
    );
    expect(again.account).toBe(first.account);
  });

  it('notifies the owner of nothing when a credit came between the refusal and its notice', () => {
    const command = { creditId: 'acc:second', amount: n(100_000), note: '' };
    const context = { inLedger: undefined, now: NOON, bounds: DEFAULT_ACCOUNT_BOUNDS };
    const { account } = addCredits(spent, command, context);
    const told = notifyOfRefusal(
      account,
      { kind: 'insufficient' },
      NOON,
      DEFAULT_ACCOUNT_BOUNDS,
    ).account;
    expect(told).toBe(account);
    expect(told.exhaustedNotified).toBe(false);
  });

  function refusedFor(account: Account, limit: number, minimum: number) {
    const budget = keyBudget(limit);
    return acquire(account, { nonce: 'refused', minimum: n(minimum), budget }).outcome;
  }

  function note(
    account: Account,
    limit: number,
    at = NOON,
    bounds = DEFAULT_ACCOUNT_BOUNDS,
  ): Account {
    const refusal = { kind: 'budgetExceeded', budget: keyBudget(limit) } as const;
    return notifyOfRefusal(account, refusal, at, bounds).account;
  }

  it('notifies the owner once per period that a budget does not suffice', () => {
    const account = withLease(accountWith(1_000), { budget: keyBudget(200) });
    const first = note(account, 200);
    expect(first.journal).toMatchObject([{ notice: { type: 'key.budget_exceeded', keyId: KEY } }]);
    expect(note(first, 200)).toBe(first);
    const tomorrow = NOON + 24 * 60 * 60 * 1_000;
    expect(note(first, 200, tomorrow).journal).toHaveLength(2);
  });

  it('notifies the owner of a key whose first request was refused', () => {
    const account = accountWith(1_000);
    const due = { kind: 'budgetExceeded', noticeDue: true };
    expect(refusedFor(account, 60, 100)).toMatchObject(due);
    const told = note(account, 60);
    expect(told.journal).toMatchObject([
      { notice: { type: 'key.budget_exceeded', keyId: KEY, limit: 60n, period: 'day' } },
    ]);
    expect(told.budgets.get(KEY)).toMatchObject({ spent: 0n, leased: 0n, notified: true });
    expect(refusedFor(told, 60, 100)).toMatchObject({ ...due, noticeDue: false });
  });

  it('names the limit that the request was refused for, and not the one before', () => {
    let account = withLease(accountWith(1_000), { budget: keyBudget(500) });
    const record = usageRecord({ completionTokens: 90 });
    account = settleRecords(account, [record], NOON, DEFAULT_ACCOUNT_BOUNDS).account;
    const lowered = { ...account, journal: [] };
    expect(refusedFor(lowered, 50, 10)).toMatchObject({ kind: 'budgetExceeded', noticeDue: true });
    const told = note(lowered, 50);
    expect(told.journal).toMatchObject([{ notice: { type: 'key.budget_exceeded', limit: 50n } }]);
    expect(told.budgets.get(KEY)).toMatchObject({ spent: 90n, leased: 10n });
    expect(refusedFor(told, 50, 10)).toMatchObject({ noticeDue: false });
  });

  it('keeps no more budgets than the account may have', () => {
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, budgetsMax: 1 };
    const other = { ...keyBudget(60), keyId: 'key_other' };
    const busy = withLease(accountWith(1_000), { amount: n(10), minimum: n(1), budget: other });
    expect(note(busy, 60, NOON, bounds)).toBe(busy);
    const idle = settleRecords(busy, [closeRecord()], NOON, bounds).account;
    const told = note(idle, 60, NOON, bounds);
    expect([...told.budgets.keys()]).toEqual([KEY]);
  });
});
