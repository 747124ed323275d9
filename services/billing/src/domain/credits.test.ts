import {
  ACCOUNT_ID,
  accountWith,
  acquireCommand,
  closeRecord,
  NOON,
  n,
  usageRecord,
  withLease,
} from '../testing/fixtures';
import { type Account, balanceOf, emptyAccount, leasedOf } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { acquireLease } from './acquire-lease';
import { checkAccount } from './audit-checks';
import { addCredits, adjustBalance } from './credits';
import type { GrantEntry } from './ledger-entry';
import { settleRecords } from './settle-records';

const bounds = DEFAULT_ACCOUNT_BOUNDS;

function adjust(account: Account, amount: number, id = 'one', inLedger?: GrantEntry) {
  const creditId = `${ACCOUNT_ID}:adjustment:${id}`;
  const command = { creditId, amount: n(amount), note: 'credited twice' };
  const change = adjustBalance(account, command, { inLedger, now: NOON, bounds });
  expect(checkAccount(change.account)).toEqual([]);
  return change;
}

/** The account after a request that cost so much. */
function charge(account: Account, amount: number): Account {
  const leased = withLease(account, { amount: n(amount), minimum: n(amount) });
  const lease = leased.leaseNo;
  const records = [
    usageRecord({ lease, completionTokens: amount }),
    closeRecord({ lease, number: 2 }),
  ];
  return settleRecords(leased, records, NOON, bounds).account;
}

const noticesOf = (account: Account) =>
  account.journal.flatMap((item) => (item.kind === 'notice' ? [item.notice.type] : []));

describe('an adjustment', () => {
  it('takes back what is available, as an entry with its reason', () => {
    const { account, outcome } = adjust(accountWith(1_000), -300);
    expect(outcome).toMatchObject({
      kind: 'added',
      entry: { kind: 'adjustment', seq: 2, amount: -300n, note: 'credited twice' },
    });
    expect(account).toMatchObject({ granted: 700n, available: 700n, posted: 0n });
  });

  it('takes all that is available and not a nano-unit more', () => {
    const leased = withLease(accountWith(1_000), { amount: n(400) });
    expect(adjust(leased, -600).account.available).toBe(0n);
    expect(adjust(leased, -601)).toEqual({
      account: leased,
      outcome: { kind: 'reserved', available: 600n, recallable: [1] },
    });
    expect(adjust(leased, -1_001).outcome).toMatchObject({ kind: 'reserved', recallable: [] });
  });

  it('leaves alone what was spent', () => {
    const leased = withLease(accountWith(100), { amount: n(100) });
    const spent = settleRecords(leased, [usageRecord({ completionTokens: 100 })], NOON, bounds);
    expect(adjust(spent.account, -1).outcome).toMatchObject({ kind: 'reserved', available: 0n });
    expect(adjust(spent.account, 1).account).toMatchObject({ granted: 101n, available: 1n });
  });

  it('is applied once per id, before and after its journal is stored, and never with another content', () => {
    const first = adjust(accountWith(1_000), -300);
    if (first.outcome.kind !== 'added') throw new Error(first.outcome.kind);
    const { entry } = first.outcome;
    expect(adjust(first.account, -300)).toEqual({
      account: first.account,
      outcome: { kind: 'replayed', entry },
    });
    const inLedger = { ...first.account, journal: [] };
    expect(adjust(inLedger, -300, 'one', entry).outcome.kind).toBe('replayed');
    expect(adjust(inLedger, -299, 'one', entry).outcome.kind).toBe('mismatch');
  });

  it('notifies the owner when it brings the balance below its threshold or to nothing', () => {
    expect(noticesOf(adjust(accountWith(1_000), -1_000).account)).toEqual([
      'balance.low',
      'balance.exhausted',
    ]);
  });

  it('that corrects a credit lowers the threshold of the low balance with it', () => {
    const { account } = adjust(accountWith(1_000), -990);
    expect(account.lastCredit).toBe(10n);
    expect(noticesOf(account)).toEqual([]);
  });

  it('that takes a whole credit back leaves a threshold below what is left', () => {
    const before = charge(accountWith(100), 50);
    const context = { inLedger: undefined, now: NOON, bounds };
    const mistaken = { creditId: `${ACCOUNT_ID}:two`, amount: n(1_000), note: 'wrong account' };
    const { account: credited } = addCredits(before, mistaken, context);
    const { account } = adjust(credited, -1_000);
    expect(account.lastCredit).toBe(50n);
    expect(noticesOf(account).slice(-1)).toEqual(['credits.added']);
    const tooMuch = acquireCommand({ amount: n(60), minimum: n(60) });
    const { outcome } = acquireLease(account, tooMuch, NOON, bounds);
    expect(outcome).toMatchObject({ kind: 'insufficient', noticeDue: false });
    const five = charge(account, 45);
    expect(noticesOf(five)).toEqual(noticesOf(account));
    const four = charge(five, 1);
    expect(noticesOf(four).slice(-1)).toEqual(['balance.low']);
    expect(noticesOf(charge(four, 4)).slice(-1)).toEqual(['balance.exhausted']);
  });

  it('is refused when nothing more fits the account or its journal', () => {
    const full = accountWith(1_000);
    const most = n(2n ** 63n - 1n);
    const command = { creditId: `${ACCOUNT_ID}:adjustment:two`, amount: most, note: 'x' };
    const context = { inLedger: undefined, now: NOON, bounds };
    expect(adjustBalance(full, command, context).outcome.kind).toBe('tooMuch');
    const tight = { ...context, bounds: { ...bounds, journalMax: 3 } };
    expect(adjustBalance(full, { ...command, amount: n(1) }, tight).outcome.kind).toBe(
      'journalFull',
    );
  });
});

describe('credits', () => {
  const command = { creditId: 'acc:one', amount: n(500), note: 'top-up' };
  const context = { inLedger: undefined, now: NOON, bounds: DEFAULT_ACCOUNT_BOUNDS };

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
    const bounds = { ...DEFAULT_ACCOUNT_BOUNDS, journalMax: 3 };
    const full = addCredits(emptyAccount('acc'), command, { ...context, bounds });
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
