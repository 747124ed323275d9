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
import { balanceOf, emptyAccount, leasedOf } from './account';
import { acquireLease, noteRefusal } from './acquire-lease';
import { checkAccount } from './audit-checks';
import { addCredits } from './credits';
import { trimJournal } from './journal';
import { isLost, markRecall, retireLeases, sweepLeases, watermarkOf } from './lease-lifecycle';
import type { GrantEntry } from './ledger-entry';
import { DEFAULT_POLICY } from './policy';
import { settleRecords } from './settle-records';

const EXPIRED = NOON + DEFAULT_POLICY.leaseTtlMs;
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
    const renewed = acquireLease(granted, again, NOON + 10_000, DEFAULT_POLICY).account;
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
    expect(outcome.map(({ number }) => number)).toEqual([1]);
    const renewal = acquireLease(account, acquireCommand({ nonce: 'a' }), NOON, DEFAULT_POLICY);
    expect(renewal.outcome).toMatchObject({ acquired: { recalled: true } });
    expect(markRecall(account, [1]).account).toBe(account);
  });
});

describe('retirement', () => {
  it('returns what the leases hold and remembers where each stood', () => {
    const granted = withLease(accountWith(1_000));
    const used = settleRecords(granted, [usageRecord()], NOON, DEFAULT_POLICY).account;
    const { account, outcome } = retireLeases(used, () => true, NOON, DEFAULT_POLICY);
    expect(outcome).toEqual([1]);
    expect(account).toMatchObject({ available: 990n, posted: 10n });
    expect([...account.retired]).toEqual([[1, 2]]);
    expect(checkAccount(account)).toEqual([]);
  });

  it('forgets the oldest beyond its bound', () => {
    const policy = { ...DEFAULT_POLICY, retiredMax: 2 };
    const granted = withLease(withLease(withLease(accountWith(1_000))));
    const { account } = retireLeases(granted, () => true, NOON, policy);
    expect([...account.retired.keys()]).toEqual([2, 3]);
  });

  it('waits thirty days for a silent holder', () => {
    const account = sweptNow(withLease(accountWith(1_000)));
    const lease = account.leases.get(1);
    if (lease === undefined) throw new Error('the lease stands');
    const afterThirtyDays = EXPIRED + DEFAULT_POLICY.retireAfterMs;
    expect(isLost(lease, afterThirtyDays - 1, DEFAULT_POLICY)).toBe(false);
    expect(isLost(lease, afterThirtyDays, DEFAULT_POLICY)).toBe(true);
  });
});

describe('the watermark', () => {
  it('answers the next number of a lease that stands and completes one that closed', () => {
    const granted = withLease(accountWith(1_000));
    const used = settleRecords(granted, [usageRecord()], NOON, DEFAULT_POLICY).account;
    expect(watermarkOf(used, 1)).toEqual({ nextNumber: 2, complete: false });
    const close = closeRecord({ number: 2 });
    const closed = settleRecords(used, [close], NOON, DEFAULT_POLICY).account;
    expect(watermarkOf(closed, 1)).toMatchObject({ complete: true });
  });

  it('completes nothing that was never granted or that is retired', () => {
    const granted = withLease(accountWith(1_000));
    const never = { nextNumber: 1, complete: false, neverGranted: true };
    expect(watermarkOf(granted, 2)).toEqual(never);
    expect(watermarkOf(undefined, 1)).toEqual(never);
    const { account } = retireLeases(granted, () => true, NOON, DEFAULT_POLICY);
    expect(watermarkOf(account, 1)).toEqual({ nextNumber: 1, complete: false });
  });
});

describe('credits', () => {
  const command = { creditId: 'acc:one', amount: n(500), note: 'top-up' };
  const context = { inLedger: undefined, now: NOON, policy: DEFAULT_POLICY };

  it('are added once per id while the entry waits in the journal', () => {
    const first = addCredits(emptyAccount('acc'), command, context);
    const again = addCredits(first.account, command, context);
    expect(first.outcome).toMatchObject({ kind: 'added', entry: { seq: 1, amount: 500n } });
    expect(again.outcome).toMatchObject({ kind: 'replayed', entry: { seq: 1 } });
    expect(again.account).toBe(first.account);
  });

  it('are added once per id after the entry went to the ledger', () => {
    const first = addCredits(emptyAccount('acc'), command, context);
    if (first.outcome.kind !== 'added') throw new Error('the credit is new');
    const inLedger: GrantEntry = first.outcome.entry;
    const trimmed = { ...first.account, journal: [] };
    const again = addCredits(trimmed, command, { ...context, inLedger });
    expect(again.outcome.kind).toBe('replayed');
    expect(again.account.granted).toBe(500n);
  });

  it('are refused when the id was used for something else', () => {
    const first = addCredits(emptyAccount('acc'), command, context).account;
    const other = addCredits(first, { ...command, amount: n(600) }, context);
    expect(other.outcome).toEqual({ kind: 'mismatch' });
  });

  it('are refused beyond what an account can hold', () => {
    const first = addCredits(emptyAccount('acc'), command, context).account;
    const huge = { ...command, creditId: 'acc:two', amount: n(2n ** 63n - 1n) };
    expect(addCredits(first, huge, context).outcome).toEqual({ kind: 'tooMuch' });
  });

  it('wait while the journal is full', () => {
    const policy = { ...DEFAULT_POLICY, journalMax: 3 };
    const full = addCredits(emptyAccount('acc'), command, { ...context, policy });
    expect(full.outcome).toEqual({ kind: 'journalFull' });
  });

  it('count as balance at once and reset the notices', () => {
    const account = { ...accountWith(100), exhaustedNotified: true };
    const after = addCredits(account, command, context).account;
    expect(balanceOf(after)).toBe(600n);
    expect(leasedOf(after)).toBe(0n);
    expect(after.exhaustedNotified).toBe(false);
    expect(after.journal).toMatchObject([
      { kind: 'entry' },
      { kind: 'notice', noticeSeq: 2, notice: { type: 'credits.added', available: 600n } },
    ]);
  });
});

describe('denials', () => {
  const spent = { ...accountWith(1_000), posted: n(960), available: n(40) };

  it('tell the owner once that the balance does not suffice', () => {
    const first = noteRefusal(spent, { kind: 'insufficient' }, NOON, DEFAULT_POLICY);
    expect(first.account.journal).toMatchObject([{ notice: { type: 'balance.exhausted' } }]);
    const again = noteRefusal(first.account, { kind: 'insufficient' }, NOON, DEFAULT_POLICY);
    expect(again.account).toBe(first.account);
  });

  it('tell the owner nothing when a credit came between the refusal and its notice', () => {
    const command = { creditId: 'acc:second', amount: n(100_000), note: '' };
    const context = { inLedger: undefined, now: NOON, policy: DEFAULT_POLICY };
    const { account } = addCredits(spent, command, context);
    const noted = noteRefusal(account, { kind: 'insufficient' }, NOON, DEFAULT_POLICY).account;
    expect(noted).toBe(account);
    expect(noted.exhaustedNotified).toBe(false);
  });

  it('tell the owner once per period that a budget does not suffice', () => {
    const budget = { keyId: KEY, limit: n(200), period: 'day' as const };
    const account = withLease(accountWith(1_000), { budget });
    const refusal = { kind: 'budgetExceeded', keyId: KEY } as const;
    const first = noteRefusal(account, refusal, NOON, DEFAULT_POLICY).account;
    expect(first.journal).toMatchObject([{ notice: { type: 'key.budget_exceeded', keyId: KEY } }]);
    expect(noteRefusal(first, refusal, NOON, DEFAULT_POLICY).account).toBe(first);
    const tomorrow = NOON + 24 * 60 * 60 * 1_000;
    expect(noteRefusal(first, refusal, tomorrow, DEFAULT_POLICY).account.journal).toHaveLength(2);
  });
});

describe('the journal', () => {
  it('gives up exactly what is stored', () => {
    const records = [1, 2, 3].map((number) => usageRecord({ number }));
    const granted = withLease(accountWith(1_000));
    const { account } = settleRecords(granted, records, NOON, DEFAULT_POLICY);
    const [first] = account.journal;
    if (first === undefined) throw new Error('three entries wait');
    const trimmed = trimJournal(account, first.no);
    expect(trimmed.journal.map(({ no }) => no)).toEqual([first.no + 1, first.no + 2]);
    expect(trimJournal(trimmed, first.no)).toBe(trimmed);
    expect(checkAccount(trimmed)).toEqual([]);
  });
});
