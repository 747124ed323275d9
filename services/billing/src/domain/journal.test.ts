import { accountWith, NOON, usageRecord, withLease } from '../testing/fixtures';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { checkAccount } from './audit-checks';
import { trimJournal } from './journal';
import { settleRecords } from './settle-records';

describe('the journal', () => {
  it('gives up exactly what is stored', () => {
    const records = [1, 2, 3].map((number) => usageRecord({ number }));
    const granted = withLease(accountWith(1_000));
    const { account } = settleRecords(granted, records, NOON, DEFAULT_ACCOUNT_BOUNDS);
    const [first] = account.journal;
    if (first === undefined) throw new Error('three entries wait');
    const trimmed = trimJournal(account, first.no);
    expect(trimmed.journal.map(({ no }) => no)).toEqual([first.no + 1, first.no + 2]);
    expect(trimJournal(trimmed, first.no)).toBe(trimmed);
    expect(checkAccount(trimmed)).toEqual([]);
  });
});
