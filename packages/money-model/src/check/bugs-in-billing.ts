import {
  type Account,
  type AccountRules,
  type AccountStore,
  type Lease,
  leasedOf,
  priceOfRecord,
  type ReceivedRecord,
  type RecordOutcome,
} from '@tollgate/billing/model-api';
import { minNano, nano, periodStartOf } from '@tollgate/core';
import type { Profile } from '../workload/profile';
import type { PlantedBug } from './planted-bug';

const HUGE = nano(2n ** 60n);

/** Replaces the document whatever it is by now. */
async function writeBlindly(store: AccountStore, account: Account): Promise<true> {
  for (;;) {
    const known = await store.find(account.id);
    if (await store.replace(account, known?.rev ?? 0)) return true;
  }
}

/** The account with another lease in the place of each. */
function mapLeases(account: Account, map: (lease: Lease, number: number) => Lease): Account {
  const leases = new Map(
    [...account.leases].map(([number, lease]) => [number, map(lease, number)]),
  );
  return { ...account, leases };
}

function withWorkload(profile: Profile, changes: Partial<Profile['workload']>): Profile {
  return { ...profile, spools: 2, workload: { ...profile.workload, ...changes } };
}

/** Two accounts that want the same, and billing that dies in between. */
function withClaims(profile: Profile): Profile {
  const { disasters } = profile;
  return {
    ...withWorkload(profile, { accounts: ['acc_1', 'acc_2'] }),
    claims: 4,
    billings: 2,
    disasters: { ...disasters, killBilling: 0.02 },
  };
}

/** The rules with another one in the place of the named. */
function ruling<Name extends keyof AccountRules>(
  name: Name,
  change: (rule: AccountRules[Name]) => AccountRules[Name],
): PlantedBug {
  return { accountRules: (rules) => ({ ...rules, [name]: change(rules[name]) }) };
}

/** The rules with another way to settle. */
function settling(
  change: (settle: AccountRules['settleRecords']) => AccountRules['settleRecords'],
): PlantedBug {
  return ruling('settleRecords', change);
}

function isSenseless(record: ReceivedRecord): boolean {
  if (record.kind === 'usage') return priceOfRecord(record) === undefined;
  return record.kind === 'malformed';
}

/** Budgets of a past period with nothing leased any more. */
function rollOverWrongly(account: Account, now: number): Account {
  const budgets = new Map(
    [...account.budgets].map(([keyId, budget]) => {
      const periodStart = periodStartOf(budget.period, now);
      const zero = nano(0n);
      const rolled = { ...budget, periodStartMs: periodStart, spent: zero, leased: zero };
      return [keyId, periodStart > budget.periodStartMs ? rolled : budget];
    }),
  );
  return { ...account, budgets };
}

/** Clocks as far apart as a lease lives, so that a lease that is renewed is watched too. */
function withClocksApart(profile: Profile): Profile {
  return { ...profile, skewMsMax: 10_000, billings: 2 };
}

/** Sweeps a lease that was there a lifetime ago, whatever renewed it since. */
function createSweeperThatIgnoresRenewals(): PlantedBug {
  return {
    changeProfile: withClocksApart,
    ...ruling('sweepLeases', (sweep) => (account, stood, now) => {
      const whatever = [...stood.keys()].map((number): readonly [number, number] => [
        number,
        account.leases.get(number)?.expiresAtMs ?? 0,
      ]);
      return sweep(account, new Map(whatever), now);
    }),
  };
}

/** Sweeps by its own clock what another machine's clock has dated. */
function createSweeperThatBelievesClocks(): PlantedBug {
  return {
    changeProfile: withClocksApart,
    ...ruling('sweepLeases', (sweep) => (account, _stood, now) => {
      const past = [...account.leases]
        .filter(([, { expiresAtMs }]) => expiresAtMs <= now)
        .map(([number, { expiresAtMs }]): readonly [number, number] => [number, expiresAtMs]);
      return sweep(account, new Map(past), now);
    }),
  };
}

/** Every planted bug of billing, by what it does. */
export const BILLING_BUGS: Readonly<Record<string, () => PlantedBug>> = {
  'a write without the guard': () => ({
    accountStore: (store) => ({
      ...store,
      replace: (account) => writeBlindly(store, account),
    }),
  }),
  'a guard that is checked before a blind write': () => ({
    accountStore: (store) => ({
      ...store,
      async replace(account, expectedRev) {
        const known = await store.find(account.id);
        return known?.rev === expectedRev && writeBlindly(store, account);
      },
    }),
  }),
  'a remainder that is returned twice': () =>
    settling((settle) => (account, records, now, bounds) => {
      const change = settle(account, records, now, bounds);
      let available: bigint = change.account.available;
      for (const { kind, record } of change.outcome) {
        if (kind === 'closed') available += account.leases.get(record.lease)?.remaining ?? 0n;
      }
      return { ...change, account: { ...change.account, available: nano(available) } };
    }),
  'a sweeper that ignores a renewal': createSweeperThatIgnoresRenewals,
  "a sweeper that believes another machine's clock": createSweeperThatBelievesClocks,
  'a sweeper that removes the lease': () =>
    ruling('sweepLeases', (sweep) => (account, stood, now) => {
      const change = sweep(account, stood, now);
      const leases = new Map(change.account.leases);
      for (const number of change.outcome) leases.delete(number);
      return change.outcome.length === 0
        ? change
        : { ...change, account: { ...change.account, leases } };
    }),
  'a journal that is trimmed before it is stored': () =>
    ruling(
      'trimJournal',
      () => (account) => (account.journal.length === 0 ? account : { ...account, journal: [] }),
    ),
  'a journal that is trimmed before the outbox has it': () => ({
    outboxStore: (store) => ({
      ...store,
      async insert(batches) {
        void store.insert(batches).catch(() => {});
      },
    }),
  }),
  'a batch that is removed before it is published': () => ({
    outboxStore: (store) => ({
      ...store,
      async list(page) {
        const found = await store.list(page);
        await store.remove(found.map(({ id }) => id));
        return found;
      },
    }),
  }),
  'a next number that is one too many': () =>
    settling((settle) => (account, records, now, bounds) => {
      const change = settle(account, records, now, bounds);
      const charged = new Set(
        change.outcome.flatMap(({ kind, record }) => (kind === 'charged' ? record.lease : [])),
      );
      const skip = (lease: Lease, number: number) =>
        charged.has(number) ? { ...lease, nextNumber: lease.nextNumber + 1 } : lease;
      return charged.size === 0 ? change : { ...change, account: mapLeases(change.account, skip) };
    }),
  'a record above the next number that is applied': () =>
    settling((settle) => (account, records, now, bounds) => {
      const jump = (lease: Lease, number: number) => {
        const numbers = records.flatMap((one) => (one.lease === number ? one.number : []));
        const lowest = Math.min(...numbers);
        const isAbove = Number.isFinite(lowest) && lowest > lease.nextNumber;
        return isAbove ? { ...lease, nextNumber: lowest } : lease;
      };
      const jumped = [...account.leases].some(([number, lease]) => jump(lease, number) !== lease);
      return settle(jumped ? mapLeases(account, jump) : account, records, now, bounds);
    }),
  'a budget that is checked outside of the guard': () => ({
    changeProfile: (profile) => withWorkload(profile, { budgetShare: 1, budgetLimit: 130 }),
    async acquireCommand(command, accountId, store) {
      if (command.budget === undefined) return command;
      const account = await store.find(accountId);
      const known = account?.budgets.get(command.budget.keyId);
      const room = nano(command.budget.limit - (known?.spent ?? 0n) - (known?.leased ?? 0n));
      if (room < command.minimum) return command;
      const amount = minNano(command.amount, room);
      return { ...command, amount, budget: { ...command.budget, limit: HUGE } };
    },
  }),
  'an adjustment that is made again for its second asking': () => {
    let asked = 0;
    return {
      changeProfile: (profile) => ({ ...profile, adjustments: 2 }),
      accountRules: (rules) => ({
        ...rules,
        adjustBalance(account, command, context) {
          asked += 1;
          const again = { ...command, creditId: `${command.creditId}-${asked}` };
          return rules.adjustBalance(account, again, { ...context, inLedger: undefined });
        },
      }),
    };
  },
  'an adjustment that takes what is reserved': () => ({
    changeProfile: (profile) => ({ ...profile, adjustments: 2 }),
    ...ruling('adjustBalance', (adjust) => (account, command, context) => {
      const reserved = leasedOf(account);
      const free = { ...account, available: nano(account.available + reserved) };
      const change = adjust(free, command, context);
      if (change.account === free) return { ...change, account };
      const available = nano(change.account.available - reserved);
      return { ...change, account: { ...change.account, available } };
    }),
  }),
  'a lease that is granted below the balance to keep': () => ({
    changeProfile: (profile) => ({ ...profile, suspensions: 3 }),
    ...ruling('acquireLease', (acquire) => (account, command, now, bounds) => {
      const { thresholds } = account;
      const change = acquire({ ...account, thresholds: undefined }, command, now, bounds);
      return { ...change, account: { ...change.account, thresholds } };
    }),
  }),
  'a suspension that nobody is told of': () => ({
    changeProfile: (profile) => ({ ...profile, suspensions: 3 }),
    ...settling((settle) => (account, records, now, bounds) => {
      const { thresholds } = account;
      const change = settle({ ...account, thresholds: undefined }, records, now, bounds);
      return { ...change, account: { ...change.account, thresholds } };
    }),
  }),
  'a claim that is credited before it is kept': () => ({
    changeProfile: withClaims,
    claimStore: (store) => ({
      ...store,
      async keep(claim) {
        void store.keep(claim).catch(() => {});
        return claim;
      },
    }),
  }),
  'a claim that is closed before it is credited': () => ({
    changeProfile: withClaims,
    claimStore: (store) => ({
      ...store,
      async keep(claim) {
        const kept = await store.keep(claim);
        await store.close(kept.id);
        return kept;
      },
    }),
  }),
  'a statement that is written over the other one': () => ({
    statementStore: (store) => ({
      ...store,
      newest: async () => undefined,
      keep: async (statement) => {
        const kept = await store.find(statement.accountId, statement.month);
        const charges = nano((kept?.charges ?? 0n) + statement.charges);
        return store.keep({ ...statement, charges }, kept?.throughSeq);
      },
    }),
  }),
  'a claim that nobody finishes': () => ({
    changeProfile: withClaims,
    claimStore: (store) => ({ ...store, listOpen: async () => [] }),
  }),
  'a watermark that is off by one': () =>
    ruling('watermarkOf', (watermarkOf) => (view, lease) => {
      const watermark = watermarkOf(view, lease);
      return { ...watermark, nextNumber: watermark.nextNumber + 1 };
    }),
  'an amount that is not capped by what was reserved': () => ({
    ...settling((settle) => (account, records, now, bounds) => {
      const uncapped = records.map((record) =>
        record.kind === 'usage' ? { ...record, reserved: HUGE } : record,
      );
      return settle(account, uncapped, now, bounds);
    }),
    changeProfile: (profile) => withWorkload(profile, { hostileShare: 1 }),
  }),
  'a rollover that zeroes what is leased': () => ({
    changeProfile: (profile) => withWorkload(profile, { budgetShare: 1, period: 'day' }),
    accountRules: (rules) => ({
      ...rules,
      acquireLease: (account, command, now, bounds) =>
        rules.acquireLease(rollOverWrongly(account, now), command, now, bounds),
      settleRecords: (account, records, now, bounds) =>
        rules.settleRecords(rollOverWrongly(account, now), records, now, bounds),
    }),
  }),
  'a refused record that blocks its lease': () => ({
    changeProfile: (profile) => withWorkload(profile, { unreadableShare: 0.5 }),
    ...settling((settle) => (account, records, now, bounds) => {
      const sensible = records.filter((record) => !isSenseless(record));
      const refused = records
        .filter(isSenseless)
        .map((record): RecordOutcome => ({ kind: 'gap', record }));
      const change = settle(account, sensible, now, bounds);
      return { ...change, outcome: [...change.outcome, ...refused] };
    }),
  }),
};
