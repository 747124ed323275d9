import { NANO_MAX } from '@tollgate/core';
import { accountWith, NOON, n, usageRecord, withLease } from '../testing/fixtures';
import type { Account } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { checkAccount, createLedgerCheck } from './audit-checks';
import { createAuditTally } from './audit-report';
import type { GrantEntry, LedgerEntry } from './ledger-entry';
import { settleRecords } from './settle-records';

const sound = settleRecords(
  withLease(accountWith(1_000), { budget: { keyId: 'key_1', limit: n(500), period: 'day' } }),
  [usageRecord()],
  NOON,
  DEFAULT_ACCOUNT_BOUNDS,
).account;

function withFirstLease(changes: Partial<NonNullable<ReturnType<Account['leases']['get']>>>) {
  const lease = sound.leases.get(1);
  if (lease === undefined) throw new Error('the lease stands');
  return { ...sound, leases: new Map([[1, { ...lease, ...changes }]]) };
}

const broken: readonly (readonly [string, string, Account])[] = [
  ['a sum that does not add up', 'sum', { ...sound, available: n(901) }],
  ['a negative amount', 'negative', { ...sound, granted: n(0), available: n(-100), posted: n(10) }],
  ['a lease that holds less than nothing', 'negative', withFirstLease({ remaining: n(-1) })],
  ['a swept lease that holds credit', 'swept', withFirstLease({ swept: true })],
  ['a lease beyond the newest number', 'lease_number', { ...sound, leaseNo: 0 }],
  ['a lease that is retired too', 'retired', { ...sound, retired: new Map([[1, 2]]) }],
  ['a budget that forgot its lease', 'budget', { ...sound, budgets: new Map() }],
  ['a journal with a gap', 'journal_gap', { ...sound, ledgerSeq: 3 }],
];

describe('the account check', () => {
  it('finds nothing wrong with a sound account', () => {
    expect(checkAccount(sound)).toEqual([]);
  });

  it.each(broken)('finds %s', (_what, rule, account) => {
    expect(checkAccount(account).map((finding) => finding.rule)).toContain(rule);
  });

  it('says by how much money a sum is wrong', () => {
    expect(checkAccount({ ...sound, available: n(903) })).toMatchObject([{ drift: 3n }]);
  });
});

describe('the ledger check', () => {
  const credit: GrantEntry = {
    kind: 'credit',
    accountId: sound.id,
    seq: 1,
    amount: n(1_000),
    atMs: NOON,
    creditId: 'one',
    note: '',
  };
  const charges = sound.journal.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));

  function rulesOf(entries: readonly LedgerEntry[]) {
    const check = createLedgerCheck(sound);
    for (const entry of entries) check.add(entry);
    return check.findings().map(({ rule, drift }) => [rule, drift]);
  }

  it('finds nothing wrong with a ledger that equals its account', () => {
    expect(rulesOf([credit, ...charges])).toEqual([]);
  });

  it('finds a missing entry and what it was worth', () => {
    expect(rulesOf([credit])).toEqual([
      ['ledger_gap', 0n],
      ['charges', 10n],
    ]);
  });

  it('finds an entry that stands twice', () => {
    expect(rulesOf([credit, ...charges, ...charges])).toContainEqual(['charges', 10n]);
  });

  it('finds a changed credit', () => {
    expect(rulesOf([{ ...credit, amount: n(999) }, ...charges])).toEqual([['credits', 1n]]);
  });
});

it('the sums of an audit stop at what an amount can be', () => {
  const tally = createAuditTally(NOON, undefined);
  const account = { ...sound, absorbed: n(6n * 10n ** 18n) };
  for (const id of ['acc_1', 'acc_2']) tally.add(id, { account, findings: [] });
  expect(tally.report(NOON)).toMatchObject({ accountsChecked: 2, absorbed: NANO_MAX, overrun: 0n });
});
