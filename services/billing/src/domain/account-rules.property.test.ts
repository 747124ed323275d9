import type { BudgetPeriod } from '@tollgate/core';
import * as fc from 'fast-check';
import {
  ACCOUNT_ID,
  acquireCommand,
  closeRecord,
  expiriesOf,
  NOON,
  n,
  usageRecord,
} from '../testing/fixtures';
import { type Account, balanceOf, emptyAccount } from './account';
import { DEFAULT_ACCOUNT_BOUNDS } from './account-bounds';
import { accountRules } from './account-rules';
import { checkAccount, createLedgerCheck } from './audit-checks';
import { rollBudget } from './budgets';
import type { JournalItem } from './journal';
import type { ReceivedRecord } from './usage-record';

const BOUNDS = {
  ...DEFAULT_ACCOUNT_BOUNDS,
  leasesMax: 6,
  journalMax: 40,
  budgetsMax: 2,
  retiredMax: 3,
};
const RUNS = 400;

/** One step of a random life. Numbers are picked modulo what the account has. */
type Step =
  | { readonly kind: 'credit' | 'adjust'; readonly id: number; readonly amount: number }
  | {
      readonly kind: 'acquire';
      readonly nonce: number;
      readonly amount: number;
      readonly minimum: number;
      readonly key: number;
      readonly period: BudgetPeriod;
    }
  | { readonly kind: 'settle'; readonly records: readonly RandomRecord[] }
  | { readonly kind: 'sweep' | 'retire' | 'store' | 'roll' }
  | { readonly kind: 'recall'; readonly lease: number }
  | { readonly kind: 'wait'; readonly ms: number };

interface RandomRecord {
  readonly lease: number;
  /** Relative to the lease's next number: 0 is in sequence. */
  readonly offset: number;
  readonly shape: 'usage' | 'close' | 'malformed' | 'absurd';
  readonly tokens: number;
  readonly reserved: number;
}

const randomRecord: fc.Arbitrary<RandomRecord> = fc.record({
  lease: fc.integer({ min: 0, max: 8 }),
  offset: fc.constantFrom(0, 0, 0, 0, -1, 1),
  shape: fc.constantFrom('usage', 'usage', 'usage', 'close', 'malformed', 'absurd'),
  tokens: fc.integer({ min: 0, max: 200 }),
  reserved: fc.integer({ min: 0, max: 200 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('credit' as const),
    id: fc.integer({ min: 0, max: 3 }),
    amount: fc.integer({ min: 1, max: 1_000 }),
  }),
  fc.record({
    kind: fc.constant('adjust' as const),
    id: fc.integer({ min: 0, max: 3 }),
    amount: fc.integer({ min: -800, max: 400 }).filter((amount) => amount !== 0),
  }),
  fc.record({
    kind: fc.constant('acquire' as const),
    nonce: fc.integer({ min: 0, max: 9 }),
    amount: fc.integer({ min: 0, max: 300 }),
    minimum: fc.integer({ min: 0, max: 300 }),
    key: fc.integer({ min: 0, max: 4 }),
    period: fc.constantFrom('none', 'day', 'week', 'month'),
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    records: fc.array(randomRecord, { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ kind: fc.constantFrom('sweep', 'retire', 'store', 'roll') }),
  fc.record({ kind: fc.constant('recall' as const), lease: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 100_000_000 }) }),
);

/** An account with everything that ever left its journal. */
interface History {
  account: Account;
  readonly inLedger: JournalItem[];
  now: number;
}

function toRecord(
  history: History,
  { lease, offset, shape, tokens, reserved }: RandomRecord,
): ReceivedRecord {
  const { leases, retired } = history.account;
  const number = (leases.get(lease)?.nextNumber ?? retired.get(lease) ?? 1) + offset;
  const { kind: _, ...place } = closeRecord({ lease, number });
  if (shape === 'close') return { ...place, kind: 'close' };
  if (shape === 'malformed') return { ...place, kind: 'malformed' };
  const completionTokens = shape === 'absurd' ? -tokens - 1 : tokens;
  return usageRecord({ lease, number, completionTokens, reserved: n(reserved) });
}

function storeJournal(history: History): Account {
  const { account } = history;
  history.inLedger.push(...account.journal);
  return accountRules.trimJournal(account, account.journalNo);
}

function acquire(history: History, chosen: Extract<Step, { kind: 'acquire' }>): Account {
  const { nonce, amount, minimum, key, period } = chosen;
  const budget = key > 2 ? undefined : { keyId: `key_${key}`, limit: n(400), period };
  const command = acquireCommand({
    nonce: `nonce-${nonce}`,
    amount: n(amount),
    minimum: n(minimum),
    budget,
  });
  const change = accountRules.acquireLease(history.account, command, history.now, BOUNDS);
  if (change.outcome.kind === 'granted') {
    expect(change.outcome.acquired.remaining).toBeGreaterThanOrEqual(n(minimum));
    const spent = budget === undefined ? undefined : change.account.budgets.get(budget.keyId);
    if (spent !== undefined && amount > 0) {
      expect(spent.spent + spent.leased).toBeLessThanOrEqual(spent.limit);
    }
  }
  if (change.outcome.kind === 'budgetExceeded' && budget !== undefined) {
    const refusal = { kind: 'budgetExceeded', budget } as const;
    return accountRules.notifyOfRefusal(change.account, refusal, history.now, BOUNDS).account;
  }
  return change.account;
}

function adjust(
  history: History,
  { id, amount }: { readonly id: number; readonly amount: number },
) {
  const { account, inLedger, now } = history;
  const creditId = `${ACCOUNT_ID}:adjustment:${id}`;
  const known = inLedger.flatMap((item) =>
    item.kind === 'entry' && item.entry.kind === 'adjustment' ? [item.entry] : [],
  );
  const context = {
    inLedger: known.find((entry) => entry.creditId === creditId),
    now,
    bounds: BOUNDS,
  };
  const command = { creditId, amount: n(amount), note: 'a correction' };
  return accountRules.adjustBalance(account, command, context).account;
}

/** The leases that a watcher with this clock may have seen stand still. */
function expiredBy(account: Account, now: number): ReadonlyMap<number, number> {
  return new Map([...expiriesOf(account)].filter(([, expiresAtMs]) => expiresAtMs <= now));
}

function apply(history: History, chosen: Step): Account {
  const { account, now } = history;
  switch (chosen.kind) {
    case 'credit': {
      const { id, amount } = chosen;
      const creditId = `${ACCOUNT_ID}:${id}`;
      const inLedger = history.inLedger.flatMap((item) =>
        item.kind === 'entry' && item.entry.kind === 'credit' ? [item.entry] : [],
      );
      const known = inLedger.find((entry) => entry.creditId === creditId);
      const context = { inLedger: known, now, bounds: BOUNDS };
      return accountRules.addCredits(account, { creditId, amount: n(amount), note: '' }, context)
        .account;
    }
    case 'adjust':
      return adjust(history, chosen);
    case 'acquire':
      return acquire(history, chosen);
    case 'settle': {
      const records = chosen.records.map((record) => toRecord(history, record));
      return accountRules.settleRecords(account, records, now, BOUNDS).account;
    }
    case 'sweep':
      return accountRules.sweepLeases(account, expiredBy(account, now), now).account;
    case 'retire':
      return accountRules.retireLeases(account, ({ swept }) => swept, now, BOUNDS).account;
    case 'store':
      return storeJournal(history);
    case 'roll':
      return {
        ...account,
        budgets: new Map(
          [...account.budgets].map(([keyId, budget]) => [keyId, rollBudget(budget, now)]),
        ),
      };
    case 'recall':
      return accountRules.markRecall(account, [chosen.lease]).account;
    case 'wait':
      history.now += chosen.ms;
      return account;
  }
}

function live(
  steps: readonly Step[],
  afterEach: (before: Account, history: History) => void,
): History {
  const history: History = { account: emptyAccount(ACCOUNT_ID), inLedger: [], now: NOON };
  for (const chosen of steps) {
    const before = history.account;
    history.account = apply(history, chosen);
    afterEach(before, history);
  }
  return history;
}

const life = fc.array(step, { minLength: 1, maxLength: 40 });

describe('any sequence of commands', () => {
  it('keeps granted = available + leases + posted, and nothing below zero', () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (_before, { account }) => {
          expect(checkAccount(account)).toEqual([]);
          expect(account.journal.length).toBeLessThanOrEqual(BOUNDS.journalMax);
          const open = [...account.leases.values()].filter(({ swept }) => !swept);
          expect(open.length).toBeLessThanOrEqual(BOUNDS.leasesMax);
          expect(account.leases.size).toBeLessThanOrEqual(BOUNDS.leasesMax * 4);
          expect(account.budgets.size).toBeLessThanOrEqual(BOUNDS.budgetsMax);
          expect(account.retired.size).toBeLessThanOrEqual(BOUNDS.retiredMax);
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('leaves a gapless ledger whose sums are those of the account', () => {
    fc.assert(
      fc.property(life, (steps) => {
        const history = live(steps, () => {});
        const check = createLedgerCheck(history.account);
        for (const item of [...history.inLedger, ...history.account.journal]) {
          if (item.kind === 'entry') check.add(item.entry);
        }
        expect(check.findings()).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('changes what was granted by credits and adjustments alone', () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (before, { account }) => {
          const grants = account.journal
            .filter(({ no }) => no > before.journalNo)
            .flatMap((item) =>
              item.kind === 'entry' && item.entry.kind !== 'charge' ? [item.entry.amount] : [],
            );
          const sum = grants.reduce((total, amount) => total + amount, 0n);
          expect(account.granted - before.granted).toBe(sum);
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('never takes back charges or settled numbers', () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (before, { account }) => {
          expect(account.posted).toBeGreaterThanOrEqual(before.posted);
          expect(account.leaseNo).toBeGreaterThanOrEqual(before.leaseNo);
          expect(balanceOf(account)).toBeGreaterThanOrEqual(0n);
          for (const [number, { nextNumber }] of before.leases) {
            const next = account.leases.get(number)?.nextNumber ?? account.retired.get(number);
            expect(next ?? nextNumber).toBeGreaterThanOrEqual(nextNumber);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('changes nothing when settled records come again in any order', () => {
    fc.assert(
      fc.property(life, fc.array(randomRecord, { minLength: 1, maxLength: 12 }), (steps, more) => {
        const history = live(steps, () => {});
        history.account = storeJournal(history);
        const records = more.map((record) => toRecord(history, record));
        const settle = (account: Account, batch: readonly ReceivedRecord[]) =>
          accountRules.settleRecords(account, batch, history.now, BOUNDS);
        const first = settle(history.account, records);
        const settled = first.outcome
          .filter(({ kind }) => kind === 'charged' || kind === 'closed' || kind === 'duplicate')
          .map(({ record }) => record);
        expect(settle(first.account, settled).account).toBe(first.account);
        expect(settle(first.account, [...settled].reverse()).account).toBe(first.account);
      }),
      { numRuns: RUNS },
    );
  });

  it('answers a watermark that only ever rises', () => {
    fc.assert(
      fc.property(life, (steps) => {
        live(steps, (before, { account }) => {
          for (let lease = 1; lease <= before.leaseNo; lease += 1) {
            const was = accountRules.watermarkOf(before, lease);
            const is = accountRules.watermarkOf(account, lease);
            if (was.complete) expect(is.complete).toBe(true);
            else if (!is.complete) expect(is.nextNumber).toBeGreaterThanOrEqual(was.nextNumber);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });
});
