import { DAY_MS } from '@tollgate/core';
import { accountWith, acquireCommand, NOON, n, usageRecord, withLease } from '../testing/fixtures';
import type { Account, OwnThresholds } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { acquireLease } from './acquire-lease';
import { checkAccount } from './audit-checks';
import { addCredits, adjustBalance } from './credits';
import { settleRecords } from './settle-records';
import {
  checkThresholds,
  dailySpendOf,
  rememberPlan,
  setThresholds,
  thresholdsOf,
} from './thresholds';

const bounds = DEFAULT_ACCOUNT_BOUNDS;
const NONE = { amounts: [], days: [], suspendBelow: undefined };

function withThresholds(account: Account, thresholds: Partial<OwnThresholds>): Account {
  return setThresholds(account, { ...NONE, ...thresholds }, NOON, bounds).account;
}

/** The account after it was charged, from a lease of its own. */
function charged(account: Account, amount: number, at = NOON): Account {
  const leased = withLease(account, { amount: n(amount), minimum: n(0) });
  const record = usageRecord({ lease: leased.leaseNo, completionTokens: amount });
  const { account: after } = settleRecords(leased, [record], at, bounds);
  expect(checkAccount(after)).toEqual([]);
  return after;
}

function credited(account: Account, amount: number): Account {
  const command = { creditId: `${account.id}:${account.rev}`, amount: n(amount), note: '' };
  return addCredits(account, command, { inLedger: undefined, now: NOON, bounds }).account;
}

const noticesOf = (account: Account) =>
  account.journal.flatMap((item) => (item.kind === 'notice' ? [item.notice] : []));
const lowOf = (account: Account) => noticesOf(account).filter(({ type }) => type === 'balance.low');

describe('amounts', () => {
  it('are told once each, as the balance falls below them', () => {
    let account = withThresholds(accountWith(1_000), { amounts: [n(600), n(300)] });
    account = charged(account, 399);
    expect(lowOf(account)).toEqual([]);
    account = charged(account, 2);
    expect(lowOf(account)).toMatchObject([{ threshold: 600n, days: undefined }]);
    account = charged(charged(account, 100), 250);
    expect(lowOf(account)).toMatchObject([{ threshold: 600n }, { threshold: 300n }]);
  });

  it('that one change crosses together are told once, as the lowest of them', () => {
    const account = withThresholds(accountWith(1_000), { amounts: [n(600), n(300)] });
    expect(lowOf(charged(account, 900))).toMatchObject([{ threshold: 300n }]);
    const command = { creditId: 'one', amount: n(-900), note: 'x' };
    const context = { inLedger: undefined, now: NOON, bounds };
    expect(lowOf(adjustBalance(account, command, context).account)).toMatchObject([
      { threshold: 300n },
    ]);
  });

  it('are told again when a credit brought the balance above them', () => {
    const account = withThresholds(accountWith(1_000), { amounts: [n(600)] });
    const again = charged(credited(charged(account, 500), 500), 500);
    expect(lowOf(again)).toHaveLength(2);
  });

  it('that are none are never told', () => {
    expect(lowOf(charged(withThresholds(accountWith(1_000), {}), 999))).toEqual([]);
  });
});

describe('days', () => {
  it('are told once until the next credit, when the balance no longer lasts so long', () => {
    let account = withThresholds(accountWith(1_000), { days: [2] });
    account = charged(account, 300);
    expect(dailySpendOf(account, NOON)).toBe(300n);
    expect(lowOf(account)).toEqual([]);
    account = charged(account, 100);
    expect(lowOf(account)).toMatchObject([{ threshold: 800n, days: 2 }]);
    expect(lowOf(charged(account, 100))).toHaveLength(1);
    expect(lowOf(charged(credited(account, 10), 1))).toHaveLength(2);
  });

  it('are not told by what adds to the balance, but again by the next charge', () => {
    const low = charged(withThresholds(accountWith(1_000), { days: [2] }), 400);
    expect(lowOf(low)).toHaveLength(1);
    const command = { creditId: 'one', amount: n(1), note: 'x' };
    const context = { inLedger: undefined, now: NOON, bounds };
    const adjusted = adjustBalance(low, command, context).account;
    expect(lowOf(adjusted)).toHaveLength(1);
    expect(lowOf(charged(adjusted, 1))).toHaveLength(2);
  });

  it('are judged by the last one to two days alone', () => {
    const account = charged(accountWith(1_000), 300);
    expect(dailySpendOf(account, NOON + DAY_MS)).toBe(300n);
    expect(dailySpendOf(account, NOON + DAY_MS + DAY_MS / 2)).toBe(200n);
    expect(dailySpendOf(account, NOON + 2 * DAY_MS)).toBe(0n);
  });

  it('that the balance does not last when they are set are not told', () => {
    const account = withThresholds(charged(accountWith(1_000), 600), { days: [1] });
    expect(lowOf(charged(account, 1))).toEqual([]);
  });
});

describe('the end of spending', () => {
  const acquire = (account: Account, minimum: number) =>
    acquireLease(account, acquireCommand({ nonce: 'next', minimum: n(minimum) }), NOON, bounds)
      .outcome.kind;

  it('refuses what costs below its balance until credit arrives, and tells of both once', () => {
    const account = withThresholds(accountWith(1_000), { suspendBelow: n(500) });
    const at = charged(account, 500);
    expect(acquire(at, 1)).toBe('granted');
    const below = charged(at, 1);
    expect(acquire(below, 1)).toBe('insufficient');
    expect(acquire(below, 0)).toBe('granted');
    const back = credited(charged(below, 1), 2);
    expect(acquire(back, 1)).toBe('granted');
    expect(noticesOf(back).map(({ type }) => type)).toEqual([
      'spending.suspended',
      'credits.added',
      'spending.resumed',
    ]);
  });

  it('begins and ends with the setting as well', () => {
    const set = withThresholds(accountWith(100), { suspendBelow: n(101) });
    const reset = setThresholds(set, undefined, NOON, bounds).account;
    expect(noticesOf(reset)).toMatchObject([
      { type: 'spending.suspended', threshold: 101n },
      { type: 'spending.resumed', threshold: 101n },
    ]);
    expect(reset.thresholds).toBeUndefined();
  });
});

describe('whose thresholds hold', () => {
  const OF_PLAN = { amounts: [n(50)], days: [] };
  const withPlans = {
    ...bounds,
    thresholdsOfPlan: (plan: string) => (plan === 'smart' ? OF_PLAN : undefined),
  };

  it('is the account before its plan, before a tenth of the last credit', () => {
    const plain = accountWith(1_000);
    expect(thresholdsOf(plain, withPlans)).toMatchObject({ amounts: [100n], source: 'default' });
    const onPlan = rememberPlan(plain, 'smart', NOON).account;
    expect(thresholdsOf(onPlan, withPlans)).toMatchObject({ amounts: [50n], source: 'plan' });
    const own = withThresholds(onPlan, { amounts: [n(7)] });
    expect(thresholdsOf(own, withPlans)).toMatchObject({ amounts: [7n], source: 'account' });
    expect(rememberPlan(onPlan, 'smart', NOON).account).toBe(onPlan);
  });

  it('is that of the plan it was put on last, in whichever order that is heard of', () => {
    const heard = [
      ['free', NOON],
      ['free', NOON + 2],
      ['smart', NOON + 1],
    ] as const;
    const account = heard.reduce(
      (before, [plan, at]) => rememberPlan(before, plan, at).account,
      accountWith(1_000),
    );
    expect(account).toMatchObject({ plan: 'free', planAtMs: NOON + 2 });
  });
});

describe('thresholds', () => {
  it('have one form', () => {
    expect(checkThresholds({ amounts: [n(1), n(3), n(1)], days: [1, 7, 1] })).toEqual({
      amounts: [3n, 1n],
      days: [7, 1],
    });
  });

  it.each([
    [{ amounts: [n(0)], days: [] }],
    [{ amounts: [], days: [0] }],
    [{ amounts: [], days: [366] }],
    [{ amounts: [], days: [1.5] }],
    [{ amounts: [], days: Array.from({ length: 11 }, (_, day) => day + 1) }],
  ])('are refused when they mean nothing', (thresholds) => {
    expect(() => checkThresholds(thresholds)).toThrow(/must be at most 10/);
  });
});
