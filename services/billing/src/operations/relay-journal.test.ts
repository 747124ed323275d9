import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { Fact } from '../domain/ports';
import {
  type BillingWorld,
  countCalls,
  createBillingWorld,
  credit,
} from '../testing/billing-world';
import { ACCOUNT_ID, acquireCommand, n, usageRecord } from '../testing/fixtures';
import { DEFAULT_SETTINGS, type Operations } from './operations';

let clock: FakeClock;
let world: BillingWorld;

beforeEach(() => {
  clock = createFakeClock();
  world = createBillingWorld(clock);
});

async function lease(billing: Operations): Promise<void> {
  await credit(billing, 10_000);
  const command = acquireCommand({ amount: n(5_000), minimum: n(5_000) });
  await billing.acquireLease(ACCOUNT_ID, command, 1_000);
}

function seqsOf(facts: readonly Fact[]): readonly number[] {
  return facts.flatMap(({ item }) => (item.kind === 'entry' ? [item.entry.seq] : []));
}

function ledgerSeqs(): readonly number[] {
  return [...(world.ledgerEntries.get(ACCOUNT_ID)?.keys() ?? [])].sort((a, b) => a - b);
}

/** The instance with one step that fails when it is told to. */
function crashable(crash: { at: 'insert' | 'publish' | 'never' }): Operations {
  return world.instance({
    ledger: {
      ...world.ledger,
      insert: (entries) =>
        crash.at === 'insert' ? Promise.reject(new Error('died')) : world.ledger.insert(entries),
    },
    publisher: {
      async publish(facts) {
        if (crash.at === 'publish') throw new Error('died');
        world.facts.push(...facts);
      },
    },
  });
}

describe('the relay of an instance', () => {
  it('brings entries to the ledger, then to the listeners, and lets the next write trim', async () => {
    const billing = world.instance();
    await lease(billing);
    await billing.settleUsage([usageRecord(), usageRecord({ number: 2 })]);
    await billing.relayJournal([world.account()]);
    expect(ledgerSeqs()).toEqual([1, 2, 3]);
    expect(seqsOf(world.facts)).toEqual([1, 2, 3]);
    expect(world.account().journal).toHaveLength(4);
    await billing.settleUsage([usageRecord({ number: 3 })]);
    expect(world.account().journal).toHaveLength(1);
  });

  it('publishes nothing twice while it remembers what it relayed', async () => {
    const billing = world.instance();
    await lease(billing);
    await billing.relayJournal([world.account()]);
    await billing.relayJournal([world.account()]);
    expect(seqsOf(world.facts)).toEqual([1]);
  });

  it('offers an entry to the ledger once while listeners cannot be reached', async () => {
    const crash: Parameters<typeof crashable>[0] = { at: 'publish' };
    const { store, counts } = countCalls(world.ledger);
    world = { ...world, ledger: store };
    const billing = crashable(crash);
    await lease(billing);
    for (let round = 0; round < 5; round += 1) {
      await expect(billing.relayJournal([world.account()])).rejects.toThrow('died');
    }
    expect(counts.get('insert')).toBe(1);
  });

  it('leaves ledger and stream gapless wherever it dies, with a new one in its place', async () => {
    const steps = fc.array(
      fc.record({
        records: fc.integer({ min: 0, max: 4 }),
        crash: fc.constantFrom('insert', 'publish', 'never'),
        restart: fc.boolean(),
      }),
      { minLength: 1, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (lifetime) => {
        world = createBillingWorld(clock);
        const crash: Parameters<typeof crashable>[0] = { at: 'never' };
        let billing = crashable(crash);
        await lease(billing);
        let number = 1;
        for (const step of lifetime) {
          crash.at = step.crash;
          for (let record = 0; record < step.records; record += 1) {
            await billing.settleUsage([usageRecord({ number })]);
            number += 1;
          }
          await billing.relayJournal([world.account()]).catch(() => {});
          if (step.restart) billing = crashable(crash);
        }
        crash.at = 'never';
        await billing.relayJournal([world.account()]);
        const expected = Array.from({ length: number }, (_, index) => index + 1);
        expect(ledgerSeqs()).toEqual(expected);
        // Repeated, never skipped: each new sequence is one above the highest that was seen.
        let highest = 0;
        for (const seq of seqsOf(world.facts)) {
          expect(seq).toBeLessThanOrEqual(highest + 1);
          highest = Math.max(highest, seq);
        }
        expect(highest).toBe(number);
        expect((await billing.audit(undefined)).findings).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the leading relay', () => {
  let leading: AbortController;
  let running: Promise<void>;

  function lead(billing: Operations): void {
    leading = new AbortController();
    running = billing.relayLeader.lead(leading.signal);
  }

  afterEach(async () => {
    leading.abort();
    await running;
  });

  it('brings out what it wrote itself within 50 milliseconds, without a read', async () => {
    const { store, counts } = countCalls(world.store);
    const billing = world.instance({ store });
    lead(billing);
    await clock.advance(10);
    await lease(billing);
    await billing.settleUsage([usageRecord()]);
    counts.clear();
    await clock.advance(50);
    expect(seqsOf(world.facts)).toEqual([1, 2]);
    expect(Object.fromEntries(counts)).toEqual({});
  });

  it('finds what another instance wrote', async () => {
    lead(world.instance());
    await clock.advance(10);
    const other = world.instance();
    await lease(other);
    await other.settleUsage([usageRecord()]);
    await clock.advance(DEFAULT_SETTINGS.relay.scanIntervalMs);
    expect(seqsOf(world.facts)).toEqual([1, 2]);
  });

  it('brings out what an earlier leader left, when it starts', async () => {
    await lease(world.instance());
    clock.jumpWallClock(3_600_000);
    lead(world.instance());
    await clock.advance(10);
    expect(seqsOf(world.facts)).toEqual([1]);
  });

  it('trims a long journal at once and an idle one after a minute', async () => {
    const billing = world.instance();
    lead(billing);
    await lease(billing);
    await clock.advance(100);
    const records = Array.from({ length: 500 }, (_, index) => usageRecord({ number: index + 1 }));
    await billing.settleUsage(records);
    await clock.advance(100);
    expect(world.account().journal).toHaveLength(0);
    await billing.settleUsage([usageRecord({ number: 501 })]);
    await clock.advance(50_000);
    expect(world.account().journal).toHaveLength(1);
    await clock.advance(50_000);
    expect(world.account().journal).toHaveLength(0);
  });

  it('goes on when the store fails for a while', async () => {
    let away = true;
    const listJournals: typeof world.store.listJournals = (since, page) =>
      away ? Promise.reject(new Error('away')) : world.store.listJournals(since, page);
    await lease(world.instance());
    lead(world.instance({ store: { ...world.store, listJournals } }));
    await clock.advance(5_000);
    expect(world.facts).toEqual([]);
    away = false;
    await clock.advance(2_000);
    expect(seqsOf(world.facts)).toEqual([1]);
  });
});
