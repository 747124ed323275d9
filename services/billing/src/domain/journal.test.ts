import { accountWith, NOON, usageRecord, withLease } from '../testing/fixtures';
import { checkAccount } from './audit-checks';
import { trimJournal } from './journal';
import { DEFAULT_POLICY } from './policy';
import { settleRecords } from './settle-records';

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
