import { AppError, EventKeysRefused } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { Account } from '../domain/account';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { BillingEvent } from '../domain/ports';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  credit,
  type Instance,
  watchConcurrency,
} from '../testing/billing-fixture';
import { ACCOUNT_ID, acquireCommand, n, usageRecord } from '../testing/fixtures';
import { countQuarantine } from './jobs';

const RECORDS = 8;

let clock: FakeClock;
let fixture: BillingFixture;
let resigning: (() => Promise<void>)[];

beforeEach(() => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  resigning = [];
});

afterEach(async () => {
  await Promise.all(resigning.map((resign) => resign()));
});

/** Relays with the instance, as the leader does, until the returned function is called. */
function lead(billing: Instance): () => Promise<void> {
  const resign = billing.lead(billing.outboxJobs);
  resigning.push(resign);
  return resign;
}

async function lease(billing: Instance, accountId = ACCOUNT_ID): Promise<void> {
  await credit(billing, 1_000_000, accountId);
  const command = acquireCommand({ amount: n(900_000), minimum: n(900_000) });
  await billing.acquireLease(accountId, command, 1_000);
}

function recordsFrom(first: number, count: number, accountId = ACCOUNT_ID) {
  return Array.from({ length: count }, (_, index) =>
    usageRecord({ accountId, number: first + index, requestId: `req_${first + index}` }),
  );
}

function seqsOf(accountId = ACCOUNT_ID): readonly number[] {
  return fixture.events.flatMap((event) =>
    event.accountId === accountId && event.item.kind === 'entry' ? [event.item.entry.seq] : [],
  );
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function creditEntry(accountId = ACCOUNT_ID): LedgerEntry {
  const [item] = fixture.documents.get(accountId)?.journal ?? [];
  if (item?.kind !== 'entry') throw new Error('the first item is an entry');
  return item.entry;
}

interface Crash {
  at: 'insert' | 'add' | 'publish' | 'remove' | 'never';
}

/** The instance with one step that fails when it is told to. */
function crashable(crash: Crash): Instance {
  const failAt =
    <Parameters extends unknown[]>(
      step: Crash['at'],
      run: (...parameters: Parameters) => Promise<void>,
    ) =>
    (...parameters: Parameters) =>
      crash.at === step ? Promise.reject(new AppError('SERVICE_UNAVAILABLE')) : run(...parameters);
  return fixture.createInstance({
    ledger: { ...fixture.ledger, insert: failAt('insert', fixture.ledger.insert) },
    outbox: {
      ...fixture.outbox,
      insert: failAt('insert', fixture.outbox.insert),
      remove: failAt('remove', fixture.outbox.remove),
    },
    publisher: {
      publish: failAt('publish', async (events: readonly BillingEvent[]) => {
        fixture.events.push(...events);
      }),
    },
  });
}

const away = { publish: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')) };

describe('journals', () => {
  it('stores what is added while thousands of accounts that rest are being trimmed', async () => {
    const busy = 'acc_busy';
    let isStuck = false;
    const replace: typeof fixture.store.replace = (account, rev) =>
      isStuck && account.id !== busy && account.journal.length === 0
        ? new Promise(() => {})
        : fixture.store.replace(account, rev);
    const billing = fixture.createInstance({ store: { ...fixture.store, replace } });
    await lease(billing, busy);
    await lease(billing);
    await billing.settleUsage(recordsFrom(1, RECORDS));
    await clock.advance(1_000);
    isStuck = true;
    await clock.advance(10_000);
    await billing.settleUsage(recordsFrom(1, RECORDS, busy));
    await clock.advance(1_000);
    expect(fixture.ledgerEntries.get(busy)?.size).toBe(1 + RECORDS);
  });

  const nextWrites: readonly (readonly [
    string,
    number,
    (billing: Instance) => Promise<unknown>,
  ])[] = [
    ['next settlement', 22, (billing) => billing.settleUsage(recordsFrom(21, 1))],
    ['trim of a long journal', 21, (billing) => billing.accounts.trim(ACCOUNT_ID)],
  ];

  it.each(nextWrites)(
    'inserts an entry once when the %s finds it on its way to the ledger',
    async (_, last, write) => {
      const inserted: number[] = [];
      const arrived = Promise.withResolvers<void>();
      const insert: typeof fixture.ledger.insert = async (entries) => {
        inserted.push(...entries.map(({ seq }) => seq));
        await arrived.promise;
        await fixture.ledger.insert(entries);
      };
      const billing = fixture.createInstance({ ledger: { ...fixture.ledger, insert } });
      await lease(billing);
      await billing.settleUsage(recordsFrom(1, 20));
      await clock.advance(1_000);
      const next = write(billing);
      await clock.advance(0);
      arrived.resolve();
      await next;
      await clock.advance(1_000);
      expect(inserted).toEqual(upTo(last));
    },
  );

  it('inserts an entry once when a long journal wakes the job while the next write waits', async () => {
    const inserted: number[] = [];
    const insert: typeof fixture.ledger.insert = async (entries) => {
      inserted.push(...entries.map(({ seq }) => seq));
      await fixture.ledger.insert(entries);
    };
    const billing = fixture.createInstance({ ledger: { ...fixture.ledger, insert } });
    await lease(billing);
    await clock.advance(1_000);
    const writes = [1, 71, 141].map((first) => billing.settleUsage(recordsFrom(first, 70)));
    await clock.advance(1_000);
    await Promise.all(writes);
    expect(inserted).toEqual(upTo(211));
  });

  it('trims many accounts that rest at once, and so those that others left', async () => {
    const { store, atOnce } = watchConcurrency(fixture.store, 'replace');
    const billing = fixture.createInstance({ store });
    const left = watchConcurrency(fixture.store, 'replace');
    const leader = fixture.createInstance({ store: left.store });
    const gone = fixture.createInstance();
    await gone.stop();
    for (let index = 0; index < 50; index += 1) {
      await credit(billing, 1, `acc_rests_${index}`);
      await credit(gone, 1, `acc_left_${index}`);
    }
    await clock.advance(10_000);
    expect(atOnce.most).toBe(16);
    const journals = () => [...fixture.documents.values()].filter(({ journal }) => journal.length);
    lead(leader);
    await clock.advance(30_000);
    expect(journals()).toEqual([]);
    expect(left.atOnce.most).toBe(16);
  });

  it('keeps journals short while the event bus is away, whichever instance writes', async () => {
    const instances = [1, 2, 3].map(() => fixture.createInstance({ publisher: away }));
    const [first] = instances;
    if (first === undefined) throw new Error('there are three instances');
    lead(first);
    await lease(first);
    let longest = 0;
    for (let round = 0; round < 60; round += 1) {
      const billing = instances[round % instances.length];
      await billing?.settleUsage(recordsFrom(1 + round * RECORDS, RECORDS));
      longest = Math.max(longest, fixture.account().journal.length);
      await clock.advance(500);
    }
    expect(longest).toBeLessThanOrEqual(4 * RECORDS);
    expect(fixture.account().ledgerSeq).toBe(1 + 60 * RECORDS);
  });

  it('publishes in batches that a publisher takes', async () => {
    const sizes: number[] = [];
    const publisher = {
      async publish(events: readonly BillingEvent[]) {
        if (events.length > 1_000) throw new AppError('SERVICE_UNAVAILABLE');
        sizes.push(events.length);
        fixture.events.push(...events);
      },
    };
    const writing = fixture.createInstance({ publisher: away });
    const accounts = Array.from({ length: 20 }, (_, index) => `acc_${index}`);
    for (const accountId of accounts) {
      await lease(writing, accountId);
      await writing.settleUsage(recordsFrom(1, 300, accountId));
    }
    lead(fixture.createInstance({ publisher }));
    await clock.advance(30_000);
    for (const accountId of accounts) expect(seqsOf(accountId)).toEqual(upTo(301));
    expect(Math.max(...sizes)).toBeGreaterThan(100);
  });

  it('publishes the accounts that the event bus takes while it refuses others', async () => {
    const dead = 'acc_0_dead';
    let isDead = true;
    const publisher = {
      async publish(events: readonly BillingEvent[]) {
        const refused = events.filter(({ accountId }) => isDead && accountId === dead);
        fixture.events.push(...events.filter((event) => !refused.includes(event)));
        if (refused.length > 0) throw new EventKeysRefused(new Set([dead]), {});
      },
    };
    const billing = fixture.createInstance({ publisher });
    lead(billing);
    for (const accountId of [dead, ACCOUNT_ID]) {
      await lease(billing, accountId);
      await billing.settleUsage(recordsFrom(1, RECORDS, accountId));
    }
    await clock.advance(10_000);
    expect(seqsOf()).toEqual(upTo(1 + RECORDS));
    expect(seqsOf(dead)).toEqual([]);
    isDead = false;
    await clock.advance(10_000);
    expect(seqsOf(dead)).toEqual(upTo(1 + RECORDS));
  });

  it('goes on from the mark when another instance begins to lead', async () => {
    const first = fixture.createInstance();
    const resign = lead(first);
    await lease(first);
    await first.settleUsage(recordsFrom(1, 5));
    await clock.advance(2_000);
    await resign();
    lead(fixture.createInstance());
    await clock.advance(40_000);
    expect(seqsOf()).toEqual(upTo(6));
  });

  it('publishes what it wrote itself within 50 milliseconds, without a read of it', async () => {
    const accounts = countCalls(fixture.store);
    const ledger = countCalls(fixture.ledger);
    const billing = fixture.createInstance({ store: accounts.store, ledger: ledger.store });
    lead(billing);
    await clock.advance(10);
    await lease(billing);
    await billing.settleUsage(recordsFrom(1, 1));
    accounts.counts.clear();
    ledger.counts.clear();
    await clock.advance(50);
    expect(seqsOf()).toEqual([1, 2]);
    expect([...accounts.counts, ...ledger.counts]).toEqual([['insert', 1]]);
  });

  it('publishes what another instance stored, late only after a rest', async () => {
    lead(fixture.createInstance());
    await clock.advance(10);
    const other = fixture.createInstance();
    await lease(other);
    await other.settleUsage(recordsFrom(1, 1));
    await clock.advance(4_100);
    expect(seqsOf()).toEqual([1, 2]);
  });

  it('asks the store seldom while nothing happens', async () => {
    const accounts = countCalls(fixture.store);
    const outbox = countCalls(fixture.outbox);
    const leader = fixture.createInstance({ store: accounts.store, outbox: outbox.store });
    resigning.push(leader.lead([...leader.outboxJobs, ...leader.leaseJobs]));
    await clock.advance(10_000);
    accounts.counts.clear();
    outbox.counts.clear();
    await clock.advance(60_000);
    expect(Object.fromEntries(outbox.counts)).toEqual({ list: 15 });
    expect(accounts.counts.get('listExpired')).toBe(15);
  });

  it('brings out what an instance left that is gone', async () => {
    const never = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    await lease(fixture.createInstance({ outbox: { ...fixture.outbox, insert: never } }));
    lead(fixture.createInstance());
    await clock.advance(40_000);
    expect(seqsOf()).toEqual([1]);
    expect(fixture.account().journal).toEqual([]);
  });

  it('trims the journal of an account that nobody writes any more', async () => {
    const billing = fixture.createInstance();
    await lease(billing);
    await billing.settleUsage(recordsFrom(1, 10));
    await clock.advance(1_000);
    expect(fixture.account().journal.length).toBeGreaterThan(0);
    await clock.advance(10_000);
    expect(fixture.account().journal).toEqual([]);
    const { rev } = fixture.account();
    await clock.advance(60_000);
    expect(fixture.account().rev).toBe(rev);
  });

  it('goes on when the outbox cannot be read for a while', async () => {
    let isAway = true;
    const list: typeof fixture.outbox.list = (page) =>
      isAway ? Promise.reject(new AppError('SERVICE_UNAVAILABLE')) : fixture.outbox.list(page);
    const billing = fixture.createInstance({ outbox: { ...fixture.outbox, list } });
    lead(billing);
    await lease(billing);
    await clock.advance(5_000);
    expect(fixture.events).toEqual([]);
    isAway = false;
    await clock.advance(2_000);
    expect(seqsOf()).toEqual([1]);
  });

  it('leaves ledger and stream gapless wherever instances die', async () => {
    const steps = fc.array(
      fc.record({
        records: fc.integer({ min: 0, max: 4 }),
        crash: fc.constantFrom('insert', 'add', 'publish', 'remove', 'never'),
        restart: fc.boolean(),
      }),
      { minLength: 1, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (lifetime) => {
        clock = createFakeClock();
        fixture = createBillingFixture(clock);
        const crash: Crash = { at: 'never' };
        let billing = crashable(crash);
        let resign = lead(billing);
        await lease(billing);
        let number = 1;
        for (const step of lifetime) {
          crash.at = step.crash;
          await billing.settleUsage(recordsFrom(number, step.records));
          number += step.records;
          await clock.advance(700);
          if (!step.restart) continue;
          await resign();
          billing = crashable(crash);
          resign = lead(billing);
        }
        crash.at = 'never';
        await clock.advance(40_000);
        await resign();
        expect([...(fixture.ledgerEntries.get(ACCOUNT_ID)?.keys() ?? [])].sort(byNumber)).toEqual(
          upTo(number),
        );
        expect([...new Set(seqsOf())].sort(byNumber)).toEqual(upTo(number));
        expect(fixture.outboxBatches.size).toBe(0);
        expect(fixture.account().journal).toEqual([]);
        expect((await billing.audit()).findings).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what fails by itself', () => {
  it('stops nobody else when the ledger of one account tells another history', async () => {
    const billing = fixture.createInstance();
    for (const accountId of ['acc_a', 'acc_b']) await lease(billing, accountId);
    const forged = { ...creditEntry('acc_a'), amount: n(5) };
    fixture.ledgerEntries.set('acc_a', new Map([[1, forged]]));
    lead(fixture.createInstance());
    await clock.advance(5_000);
    expect(seqsOf('acc_a')).toEqual([]);
    expect(seqsOf('acc_b')).toEqual([1]);
  });

  it('is named, and comes through once it is repaired', async () => {
    const billing = fixture.createInstance();
    await lease(billing);
    const forged = { ...creditEntry(), amount: n(5) };
    fixture.ledgerEntries.set(ACCOUNT_ID, new Map([[1, forged]]));
    lead(billing);
    await clock.advance(5_000);
    expect([...fixture.quarantined.values()]).toMatchObject([
      {
        id: `journal:${ACCOUNT_ID}`,
        accountId: ACCOUNT_ID,
        reason: `another entry stands at ${ACCOUNT_ID}:1 of the ledger`,
      },
    ]);
    fixture.ledgerEntries.clear();
    await clock.advance(90_000);
    expect(seqsOf()).toEqual([1]);
    expect(fixture.quarantined.size).toBe(0);
  });

  it('is counted by every replica, also by one that counted more of it before', async () => {
    const billing = fixture.createInstance();
    const told = jest.spyOn(billing.metrics.quarantine, 'set');
    const job = countQuarantine({ countQuarantine: billing.quarantine.count });
    resigning.push(billing.lead([job]));
    await billing.quarantine.add({ kind: 'sweep', accountId: ACCOUNT_ID }, new Error('broken'));
    await clock.advance(60_000);
    expect(told).toHaveBeenLastCalledWith(1);
    // Another replica leads now, and did the work.
    fixture.quarantined.clear();
    await clock.advance(60_000);
    expect(told).toHaveBeenLastCalledWith(0);
  });

  it('is no ledger that answers with an error: every journal waits until it works', async () => {
    let isBroken = true;
    const insert: typeof fixture.ledger.insert = (entries) =>
      isBroken ? Promise.reject(new AppError('DATABASE_ERROR')) : fixture.ledger.insert(entries);
    const billing = fixture.createInstance({ ledger: { ...fixture.ledger, insert } });
    lead(billing);
    await lease(billing);
    await clock.advance(5_000);
    expect([...fixture.quarantined.keys()]).toEqual([]);
    isBroken = false;
    await clock.advance(5_000);
    expect(seqsOf()).toEqual([1]);
  });

  it('stops no other batch when it cannot be published', async () => {
    const publisher = {
      async publish(events: readonly BillingEvent[]) {
        if (events.some(({ accountId }) => accountId === 'acc_a')) throw new Error('unsendable');
        fixture.events.push(...events);
      },
    };
    const billing = fixture.createInstance({ publisher });
    lead(billing);
    for (const accountId of ['acc_a', 'acc_b']) await lease(billing, accountId);
    await clock.advance(2_000);
    expect(seqsOf('acc_b')).toEqual([1]);
    expect(fixture.outboxBatches.size).toBe(1);
    expect([...fixture.quarantined.values()]).toMatchObject([{ accountId: 'acc_a' }]);
  });

  it('stops no other batch when its document makes no sense', async () => {
    const list: typeof fixture.outbox.list = async (page) => [
      {
        id: 'acc_a:1-1',
        messageCount: 1,
        read: () => {
          throw new TypeError('no such member');
        },
      },
      ...(await fixture.outbox.list(page)),
    ];
    const billing = fixture.createInstance({ outbox: { ...fixture.outbox, list } });
    lead(billing);
    await lease(billing, 'acc_b');
    await clock.advance(2_000);
    expect(seqsOf('acc_b')).toEqual([1]);
    expect([...fixture.quarantined.keys()]).toEqual(['acc_a:1-1']);
  });
});

describe('a restore', () => {
  const OTHER = 'acc_other';

  /** Both accounts are charged; then the accounts are those of the time before the last charges. */
  async function restoreAccountsOnly(): Promise<Instance> {
    const before = fixture.createInstance();
    for (const accountId of [ACCOUNT_ID, OTHER]) await lease(before, accountId);
    await before.settleUsage(recordsFrom(1, 3));
    await clock.advance(2_000);
    const copies = [...fixture.documents.values()];
    await before.settleUsage(recordsFrom(4, 3));
    await clock.advance(2_000);
    await before.stop();
    for (const copy of copies) fixture.documents.set(copy.id, copy);
    return fixture.createInstance();
  }

  function cutLedger({ id, ledgerSeq }: Account): void {
    const entries = fixture.ledgerEntries.get(id);
    for (const seq of [...(entries?.keys() ?? [])]) if (seq > ledgerSeq) entries?.delete(seq);
  }

  it('of older accounts alone stops nobody else, and the audit names each of them', async () => {
    const billing = await restoreAccountsOnly();
    const { findings } = await billing.audit();
    expect(findings).toMatchObject([{ accountId: ACCOUNT_ID, rule: 'ledger_ahead' }]);
    lead(billing);
    await billing.settleUsage([...recordsFrom(4, 1), ...recordsFrom(1, 2, OTHER)]);
    await clock.advance(5_000);
    expect([...new Set(seqsOf(OTHER))]).toEqual(upTo(3));
    const report = await billing.audit();
    expect(report.ok).toBe(false);
    const rules = report.findings.map(({ accountId, rule }) => `${accountId} ${rule}`);
    expect(rules).toContain(`${ACCOUNT_ID} ledger_ahead`);
    expect(rules).toContain(`${ACCOUNT_ID} quarantined`);
    expect(report.findings.every(({ accountId }) => accountId === ACCOUNT_ID)).toBe(true);
  });

  it('is whole again once the ledger is cut to where the accounts stand', async () => {
    const billing = await restoreAccountsOnly();
    for (const account of fixture.documents.values()) cutLedger(account);
    fixture.outboxBatches.clear();
    lead(billing);
    await billing.settleUsage(recordsFrom(4, 3));
    await clock.advance(5_000);
    expect(await billing.audit()).toMatchObject({ ok: true, findings: [] });
    expect(fixture.account().ledgerSeq).toBe(7);
  });

  /** The account is put back as it was before the charges, and its ledger, while billing runs. */
  async function chargeAndPutBack(billing: Instance, charges: number): Promise<void> {
    await lease(billing);
    await clock.advance(10_000);
    const copy = fixture.account();
    await billing.settleUsage(recordsFrom(1, charges));
    await clock.advance(10_000);
    fixture.documents.set(copy.id, { ...copy, rev: fixture.account().rev + 1_000_000 });
    cutLedger(copy);
  }

  /** The last events tell of these entries, as they were posted ten seconds ago. */
  function expectToldAfter(seqs: readonly number[]): void {
    const told = fixture.events.flatMap(({ item }) => (item.kind === 'entry' ? [item.entry] : []));
    const last = told.slice(-seqs.length).map(({ atMs, seq }) => [seq, atMs]);
    expect(last).toEqual(seqs.map((seq) => [seq, clock.now() - 10_000]));
  }

  it('of an account while billing runs loses nothing that is charged after it', async () => {
    const billing = fixture.createInstance();
    lead(billing);
    await chargeAndPutBack(billing, 6);
    await billing.settleUsage(recordsFrom(1, 3));
    await clock.advance(10_000);
    expect([...(fixture.ledgerEntries.get(ACCOUNT_ID)?.keys() ?? [])]).toEqual(upTo(4));
    expect(await billing.audit()).toMatchObject({ ok: true, findings: [] });
    expectToldAfter([2, 3, 4]);
  });

  it('is told of as it went on by a leader that has told of what was before', async () => {
    const [leader, other] = [fixture.createInstance(), fixture.createInstance()];
    lead(leader);
    await chargeAndPutBack(leader, 3);
    await other.settleUsage(recordsFrom(1, 3));
    await clock.advance(10_000);
    expectToldAfter([2, 3, 4]);
  });

  it('is told of as it went on by a new leader that had stored what was before', async () => {
    const [first, next] = [fixture.createInstance(), fixture.createInstance()];
    await chargeAndPutBack(next, 3);
    fixture.outboxBatches.clear();
    await first.settleUsage(recordsFrom(1, 3));
    await clock.advance(10_000);
    lead(next);
    await settlePromises();
    expectToldAfter([2, 3, 4]);
  });

  it('is noticed too by who reads the account only when another replica has written it on', async () => {
    const first = fixture.createInstance();
    const insert = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    const other = fixture.createInstance({ ledger: { ...fixture.ledger, insert } });
    await chargeAndPutBack(first, 3);
    // The other cannot store what it writes, and comes further than the first had stored.
    await other.settleUsage(recordsFrom(1, 5));
    await first.settleUsage(recordsFrom(6, 1));
    await clock.advance(10_000);
    expect([...(fixture.ledgerEntries.get(ACCOUNT_ID)?.keys() ?? [])]).toEqual(upTo(7));
    expect(await first.audit()).toMatchObject({ ok: true, findings: [] });
  });

  it('of an account whose document makes no sense leaves the audit of all others', async () => {
    await lease(fixture.createInstance());
    await lease(fixture.createInstance(), OTHER);
    const read: typeof fixture.store.find = (accountId) =>
      accountId === OTHER
        ? Promise.reject(new TypeError('no such member'))
        : fixture.store.find(accountId);
    const store = { ...fixture.store, find: read };
    const { findings } = await fixture.createInstance({ store }).audit();
    expect(findings).toMatchObject([{ accountId: OTHER, rule: 'unreadable' }]);
  });
});
