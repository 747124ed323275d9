import {
  accountWith,
  closeRecord,
  HOLDER,
  NOON,
  n,
  sweptNow,
  usageRecord,
  withLease,
} from '../testing/fixtures';
import type { Account } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { checkAccount } from './audit-checks';
import { retireLeases } from './lease-lifecycle';
import { settleRecords } from './settle-records';
import { checkKeepable, type ReceivedRecord } from './usage-record';

const KEY = 'key_01J00000000000000000000009';

function settle(
  account: Account,
  records: readonly ReceivedRecord[],
  bounds = DEFAULT_ACCOUNT_BOUNDS,
) {
  const change = settleRecords(account, records, NOON, bounds);
  expect(checkAccount(change.account)).toEqual([]);
  return { ...change, kinds: change.outcome.map(({ kind }) => kind) };
}

function lease(account: Account, number = 1) {
  return account.leases.get(number);
}

describe('settling in order', () => {
  it('charges the record that is next and writes its ledger entry', () => {
    const { account, outcome } = settle(withLease(accountWith(1_000)), [usageRecord()]);
    expect(outcome).toMatchObject([{ kind: 'charged', charged: 10n, settledReason: 'settled' }]);
    expect(account).toMatchObject({ posted: 10n, available: 900n, ledgerSeq: 2, journalNo: 3 });
    expect(lease(account)).toMatchObject({ remaining: 90n, nextNumber: 2 });
    expect(account.journal).toMatchObject([{ kind: 'entry', entry: { seq: 2, amount: 10n } }]);
  });

  it('changes nothing when a record comes again', () => {
    const first = settle(withLease(accountWith(1_000)), [usageRecord()]);
    const again = settle(first.account, [usageRecord(), usageRecord()]);
    expect(again.kinds).toEqual(['duplicate', 'duplicate']);
    expect(again.account).toBe(first.account);
  });

  it('drops a record above the next one, so that both come again', () => {
    const account = withLease(accountWith(1_000));
    const { kinds, account: after } = settle(account, [usageRecord({ number: 2 })]);
    expect(kinds).toEqual(['gap']);
    expect(after).toBe(account);
  });

  it('settles a shuffled batch of several leases in full', () => {
    const account = withLease(withLease(accountWith(1_000)));
    const { account: after, kinds } = settle(account, [
      closeRecord({ number: 3 }),
      usageRecord({ lease: 2, number: 1 }),
      usageRecord({ number: 2 }),
      usageRecord({ number: 1 }),
    ]);
    expect(kinds).toEqual(['charged', 'charged', 'closed', 'charged']);
    expect(after).toMatchObject({ posted: 30n, ledgerSeq: 4, available: 880n });
  });

  it('returns the remainder once when the lease closes, and knows its records for ever', () => {
    const { account } = settle(withLease(accountWith(1_000)), [
      usageRecord(),
      closeRecord({ number: 2 }),
    ]);
    expect(account).toMatchObject({ available: 990n, posted: 10n });
    expect(account.leases.size).toBe(0);
    const again = settle(account, [usageRecord(), closeRecord({ number: 2 })]);
    expect(again.kinds).toEqual(['duplicate', 'duplicate']);
    expect(again.account).toBe(account);
  });

  it('takes nothing from a lease that was never granted, or from a stranger to it', () => {
    const account = withLease(accountWith(1_000));
    const { kinds, account: after } = settle(account, [
      usageRecord({ holder: 'spl_stranger' }),
      usageRecord({ lease: 2 }),
      usageRecord({ lease: 0 }),
    ]);
    expect(kinds).toEqual(['foreign', 'foreign', 'foreign']);
    expect(after).toBe(account);
  });
});

describe('what a record is charged', () => {
  it('is the recomputed price, whatever the holder claims', () => {
    const { outcome } = settle(withLease(accountWith(1_000)), [usageRecord({ amount: n(7) })]);
    expect(outcome).toMatchObject([{ charged: 10n, mismatch: true }]);
  });

  it('never exceeds what was reserved for it; the rest counts as overrun', () => {
    const record = usageRecord({ completionTokens: 30, reserved: n(20), amount: n(20) });
    const { outcome, account } = settle(withLease(accountWith(1_000)), [record]);
    expect(outcome).toMatchObject([{ charged: 20n, overrun: 10n, absorbed: 0n, mismatch: false }]);
    expect(account).toMatchObject({ posted: 20n, overrun: 10n, absorbed: 0n });
  });

  it('never exceeds what its lease holds', () => {
    const record = usageRecord({ completionTokens: 130 });
    const { outcome, account } = settle(withLease(accountWith(1_000)), [record]);
    expect(outcome).toMatchObject([{ charged: 100n, overrun: 30n }]);
    expect(lease(account)?.remaining).toBe(0n);
  });

  it('is nothing on an own channel and for nothing delivered, with an entry all the same', () => {
    const records = [
      usageRecord({ ownChannel: true, amount: n(0) }),
      usageRecord({ number: 2, source: 'none', amount: n(0), status: 'failed' }),
    ];
    const { account } = settle(withLease(accountWith(1_000)), records);
    expect(account).toMatchObject({ posted: 0n, ledgerSeq: 3 });
  });

  it.each([
    ['more cached than prompt tokens', { cachedTokens: 6 }],
    ['negative tokens', { completionTokens: -1, reserved: n(10) }],
    ['tokens that are no number', { promptTokens: Number.NaN }],
    ['a negative price', { prices: { prompt: n(0), completion: n(-1), cachedPrompt: n(0) } }],
    ['a negative reservation', { reserved: n(-1) }],
    ['no request', { requestId: '' }],
  ])('is nothing for a record with %s, which does not jam its lease', (_, changes) => {
    const { outcome, account } = settle(withLease(accountWith(1_000)), [
      checkKeepable(usageRecord(changes)),
      usageRecord({ number: 2 }),
    ]);
    expect(outcome).toMatchObject([
      { charged: 0n, settledReason: 'refused' },
      { charged: 10n, settledReason: 'settled' },
    ]);
    expect(account.posted).toBe(10n);
  });

  it('is nothing for a record of which only the place can be read', () => {
    const { kind: _, ...place } = closeRecord();
    const { outcome, account } = settle(withLease(accountWith(1_000)), [
      { ...place, kind: 'malformed' },
    ]);
    expect(outcome).toMatchObject([{ charged: 0n, settledReason: 'refused' }]);
    expect(lease(account)?.nextNumber).toBe(2);
  });
});

describe('settling against a swept lease', () => {
  it('charges what is available and absorbs the rest, in order', () => {
    let account = sweptNow(withLease(accountWith(100)));
    account = withLease(account, { amount: n(95), minimum: n(95) });
    const after = settle(account, [usageRecord(), usageRecord({ number: 2 })]);
    expect(after.outcome).toMatchObject([
      { charged: 5n, absorbed: 5n, settledReason: 'swept' },
      { charged: 0n, absorbed: 10n, settledReason: 'swept' },
    ]);
    expect(after.account).toMatchObject({ available: 0n, posted: 5n, absorbed: 15n });
  });

  it('stays within the budget of its key', () => {
    const budget = { keyId: KEY, limit: n(50), period: 'day' as const };
    let account = withLease(accountWith(1_000), { amount: n(40), minimum: n(1), budget });
    account = sweptNow(account);
    account = withLease(account, { amount: n(44), minimum: n(44), budget });
    const { outcome } = settle(account, [usageRecord()]);
    expect(outcome).toMatchObject([{ charged: 6n, absorbed: 4n, settledReason: 'swept' }]);
  });

  it('lets its CLOSE remove it and returns nothing a second time', () => {
    const account = sweptNow(withLease(accountWith(100)));
    const after = settle(account, [closeRecord()]);
    expect(after.account.leases.size).toBe(0);
    expect(after.account.available).toBe(100n);
  });
});

describe('settling against a retired lease', () => {
  it('absorbs its records in order and forgets it at its CLOSE', () => {
    const granted = withLease(accountWith(1_000));
    const lost = retireLeases(
      granted,
      ({ holder }) => holder === HOLDER,
      NOON,
      DEFAULT_ACCOUNT_BOUNDS,
    );
    const { account, outcome } = settle(lost.account, [usageRecord(), usageRecord({ number: 3 })]);
    expect(outcome).toMatchObject([
      { charged: 0n, absorbed: 10n, settledReason: 'retired' },
      { kind: 'gap' },
    ]);
    expect(account).toMatchObject({ available: 1_000n, posted: 0n, absorbed: 10n });
    const closed = settle(account, [closeRecord({ number: 2 })]);
    expect(closed.account.retired.size).toBe(0);
    expect(settle(closed.account, [usageRecord({ number: 2 })]).kinds).toEqual(['duplicate']);
  });
});

describe('a full journal', () => {
  it('keeps every record for later instead of dropping what follows as a gap', () => {
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, journalMax: 6 };
    const records = [1, 2, 3].map((number) => usageRecord({ number }));
    const after = settle(withLease(accountWith(1_000)), records, bounds);
    expect(after.kinds).toEqual(['charged', 'charged', 'deferred']);
    const trimmed = { ...after.account, journal: [] };
    expect(settle(trimmed, records, bounds).kinds).toEqual(['duplicate', 'duplicate', 'charged']);
  });
});

describe('notices', () => {
  function noticesOf(account: Account) {
    return account.journal.flatMap((item) => (item.kind === 'notice' ? [item.notice] : []));
  }

  it('say once that the balance fell under a tenth of the last credit', () => {
    const account = withLease(accountWith(100), { amount: n(100) });
    const records = [1, 2, 3].map((number) => usageRecord({ number, completionTokens: 31 }));
    const after = settle(account, records);
    expect(noticesOf(after.account)).toEqual([
      { type: 'balance.low', available: 0n, threshold: 10n },
    ]);
  });

  it('say once that nothing is left', () => {
    const account = withLease(accountWith(100), { amount: n(100) });
    const after = settle(account, [usageRecord({ completionTokens: 100 })]);
    expect(noticesOf(after.account).map(({ type }) => type)).toEqual([
      'balance.low',
      'balance.exhausted',
    ]);
  });

  it('say once per period that a key used up its budget', () => {
    const budget = { keyId: KEY, limit: n(20), period: 'day' as const };
    const account = withLease(accountWith(1_000), { amount: n(20), minimum: n(20), budget });
    const records = [1, 2, 3].map((number) => usageRecord({ number }));
    expect(noticesOf(settle(account, records).account)).toEqual([
      { type: 'key.budget_exceeded', keyId: KEY, limit: 20n, period: 'day' },
    ]);
  });
});
