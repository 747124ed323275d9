import type { NumberedRecord } from '@tollgate/core';
import { accountWith, closeRecord, NOON, n, usageRecord, withLease } from '../testing/fixtures';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { checkAccount } from './audit-checks';
import { chargedOfKey, forgetKey } from './key-charges';
import { settleRecords } from './settle-records';

const budget = { keyId: 'key_1', limit: n(200), period: 'none' } as const;
const settle = (account: Parameters<typeof settleRecords>[0], ...records: NumberedRecord[]) =>
  settleRecords(account, records, NOON, DEFAULT_ACCOUNT_BOUNDS).account;

describe('what a key was charged', () => {
  it('is counted with and without a budget', () => {
    const account = withLease(withLease(accountWith(1_000)), { budget });
    const settled = settle(
      account,
      usageRecord({ keyId: 'key_2' }),
      usageRecord({ keyId: 'key_2', number: 2, completionTokens: 5 }),
      usageRecord({ keyId: 'key_1', lease: 2 }),
    );
    expect([...settled.chargedByKey]).toEqual([
      ['key_2', 15n],
      ['key_1', 10n],
    ]);
    expect(chargedOfKey(settled, 'key_3', 3)).toBe(0n);
  });

  it('is known of the keys that were charged last, and of no more than are kept', () => {
    const tight = { ...DEFAULT_ACCOUNT_BOUNDS, budgetsMax: 2 };
    const charged = ['key_deleted', 'key_old', 'key_deleted', 'key_old', 'key_new'];
    const records = charged.map((keyId, index) => usageRecord({ keyId, number: index + 1 }));
    const { account } = settleRecords(withLease(accountWith(1_000)), records, NOON, tight);
    expect([...account.chargedByKey]).toEqual([
      ['key_old', 20n],
      ['key_new', 10n],
    ]);
    expect(chargedOfKey(account, 'key_deleted', 2)).toBeUndefined();
  });

  it('stays unknown of a key that was dropped, whatever room there is later', () => {
    const tight = { ...DEFAULT_ACCOUNT_BOUNDS, budgetsMax: 2 };
    const records = ['key_dropped', 'key_old', 'key_new'].map((keyId, index) =>
      usageRecord({ keyId, number: index + 1 }),
    );
    const { account } = settleRecords(withLease(accountWith(1_000)), records, NOON, tight);
    expect(chargedOfKey(account, 'key_dropped', 3)).toBeUndefined();
    const roomier = forgetKey(account, 'key_old').account;
    expect(roomier.chargedByKey.size).toBe(1);
    expect(chargedOfKey(roomier, 'key_dropped', 2)).toBeUndefined();
    expect(chargedOfKey(roomier, 'key_new', 2)).toBe(10n);
  });

  it('is not counted by names of other things', () => {
    const records = ['__proto__', 'a.b', '17'].map((keyId, index) =>
      usageRecord({ keyId, number: index + 1 }),
    );
    const account = settle(withLease(accountWith(1_000)), ...records);
    expect([...account.chargedByKey]).toEqual([]);
  });
});

describe('a key that is deleted', () => {
  it('leaves no budget and no count behind', () => {
    const used = settle(
      withLease(accountWith(1_000), { budget }),
      usageRecord({ keyId: 'key_1' }),
      closeRecord({ number: 2 }),
    );
    const { account } = forgetKey(used, 'key_1');
    expect([account.budgets.size, account.chargedByKey.size]).toEqual([0, 0]);
    expect(forgetKey(account, 'key_1')).toEqual({ account, outcome: false });
  });

  it('leaves its running requests to be charged and its credit to come back', () => {
    const { account } = forgetKey(withLease(accountWith(1_000), { budget }), 'key_1');
    expect(checkAccount(account)).toEqual([]);
    const settled = settle(account, usageRecord({ keyId: 'key_1' }), closeRecord({ number: 2 }));
    expect(checkAccount(settled)).toEqual([]);
    expect(settled).toMatchObject({ available: 990n, posted: 10n });
    expect(settled.budgets.size).toBe(0);
  });
});
