import { DAY_MS } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { bucketStart, GRANULARITIES } from '../domain/bucket';
import type { LedgerEntry } from '../domain/ledger-entry';
import type { FigureFilter, FigureStore, Ledger } from '../domain/ports';
import { type CommandFate, createFaultyFigures } from '../testing/faulty-figures';
import { charge, credit, ledgerOf, START_MS } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { type ApplyLedgerOptions, createApplyLedger } from './apply-ledger';

const control = { signal: new AbortController().signal, isPart: false };

let server: TestStore;
let mongo: MongoStore;
let figureStore: FigureStore;

beforeAll(async () => {
  server = await openTestStore();
  ({ mongo, figureStore } = await server.openDatabase());
});

afterAll(async () => {
  await mongo.close();
  await server.close();
});

let accounts = 0;

/** An account that no other test has. */
function openAccount(): string {
  accounts += 1;
  return `acc_${accounts}`;
}

function startConsumer(over: Partial<ApplyLedgerOptions> & { readonly ledger: Ledger }) {
  const clock = createFakeClock();
  const bounds = { lingerMs: 0, batchEntriesMax: 500, cachedSequencesMax: 1000 };
  const apply = createApplyLedger({ figureStore, clock, ...bounds, ...over });
  return { clock, consume: (entries: readonly LedgerEntry[]) => apply(entries, control) };
}

function everythingOf(accountId: string, granularity: FigureFilter['granularity']): FigureFilter {
  const range = { startMs: START_MS - DAY_MS, endMs: START_MS + 30 * DAY_MS };
  return { ...range, accountIds: [accountId], granularity, models: [], keyIds: [] };
}

async function requestsOf(accountId: string): Promise<number> {
  let requests = 0;
  for await (const bucket of figureStore.read(everythingOf(accountId, 'day'))) {
    requests += bucket.figures.requests;
  }
  return requests;
}

/** What of each bucket must be exact, whichever way it is counted. */
type BucketSums = Readonly<Record<string, readonly (number | bigint)[]>>;

async function storedSums(accountId: string): Promise<BucketSums> {
  const sums: Record<string, readonly (number | bigint)[]> = {};
  for (const granularity of GRANULARITIES) {
    for await (const bucket of figureStore.read(everythingOf(accountId, granularity))) {
      const { requests, promptTokens, spendNano, latency } = bucket.figures;
      const measured = Object.values(latency).reduce((sum, count) => sum + count, 0);
      const { model, status } = bucket.dimensions;
      const name = `${granularity} ${bucket.startMs} ${model} ${status}`;
      sums[name] = [requests, promptTokens, spendNano, measured];
    }
  }
  return sums;
}

/** The same from the ledger alone, entry by entry. */
function ledgerSums(entries: readonly LedgerEntry[]): BucketSums {
  const sums: Record<string, [number, bigint, bigint, number]> = {};
  for (const { request, atMs } of entries) {
    if (request === undefined) continue;
    for (const granularity of GRANULARITIES) {
      const status = request.succeeded ? 'succeeded' : 'failed';
      const name = `${granularity} ${bucketStart(granularity, atMs)} ${request.model} ${status}`;
      const [requests, tokens, spend, measured] = sums[name] ?? [0, 0n, 0n, 0];
      const prompt = BigInt(request.promptTokens);
      sums[name] = [requests + 1, tokens + prompt, spend + request.chargedNano, measured + 1];
    }
  }
  return sums;
}

interface Entry {
  readonly kind: 'charge' | 'credit';
  readonly model: string;
  readonly succeeded: boolean;
  readonly laterMs: number;
  readonly promptTokens: number;
}

const anyEntry: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constantFrom('charge', 'charge', 'charge', 'credit'),
  model: fc.constantFrom('a', 'a', 'a', 'b'),
  succeeded: fc.constantFrom(true, true, true, false),
  laterMs: fc.constantFrom(0, 0, 0, 0, 1_000, 1_000, 40_000, 3_000_000),
  promptTokens: fc.integer({ min: 0, max: 1000 }),
});

function ledgerEntries(accountId: string, entries: readonly Entry[]): readonly LedgerEntry[] {
  let atMs = START_MS;
  return entries.map(({ kind, laterMs, ...over }, index) => {
    atMs += laterMs;
    const entry = kind === 'credit' ? credit(index + 1) : charge(index + 1, over);
    return { ...entry, accountId, atMs };
  });
}

interface Delivery {
  readonly consumer: number;
  /** Places in all ledgers, in any order, some twice. */
  readonly places: readonly number[];
  /** The consumer is started anew when the delivery fails: it remembers nothing. */
  readonly restarts: boolean;
  /** The next delivery begins while this one is under way. */
  readonly overlaps: boolean;
}

const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  consumer: fc.constantFrom(0, 1),
  places: fc.array(fc.nat(999), { minLength: 1, maxLength: 20 }),
  restarts: fc.boolean(),
  overlaps: fc.boolean(),
});

const anyFate: fc.Arbitrary<CommandFate> = fc.record({
  fate: fc.constantFrom('done', 'done', 'done', 'done', 'before', 'halfway', 'after'),
  turns: fc.nat(3),
});

interface Schedule {
  readonly ledgers: readonly (readonly Entry[])[];
  readonly deliveries: readonly Delivery[];
  readonly fates: readonly CommandFate[];
  readonly cachedSequencesMax: number;
  readonly consumers: number;
  readonly finisher: number;
}

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  ledgers: fc.array(fc.array(anyEntry, { minLength: 1, maxLength: 25 }), {
    minLength: 1,
    maxLength: 4,
  }),
  deliveries: fc.array(anyDelivery, { minLength: 1, maxLength: 16 }),
  fates: fc.array(anyFate, { maxLength: 60 }),
  cachedSequencesMax: fc.constantFrom(1, 5, 1000),
  consumers: fc.constantFrom(1, 2),
  finisher: fc.constantFrom(0, 1),
});

/** What the ledgers show when `step` of `steps` deliveries have begun. */
function postedBy(step: number, steps: number, books: readonly (readonly LedgerEntry[])[]) {
  return books.flatMap((book) => book.slice(0, Math.ceil((book.length * step) / steps)));
}

/**
 * Delivers as the schedule says while the ledgers grow, then everything to one consumer alone,
 * until it has it: what it believes to know is then never put right by another.
 */
async function runSchedule(
  schedule: Schedule,
  books: readonly (readonly LedgerEntry[])[],
): Promise<void> {
  const { consumers, deliveries, cachedSequencesMax } = schedule;
  const all = books.flat();
  let posted: readonly LedgerEntry[] = [];
  const ledger: Ledger = { listAfter: (...asked) => ledgerOf(posted).listAfter(...asked) };
  const members = Array.from({ length: consumers }, (_, index) => {
    const own = schedule.fates.filter((__, fate) => fate % consumers === index);
    const faulty = createFaultyFigures(figureStore, own);
    const start = () => startConsumer({ ledger, figureStore: faulty, cachedSequencesMax }).consume;
    return { start, consume: start(), busy: Promise.resolve() };
  });
  const deliver = async (index: number, entries: readonly LedgerEntry[], restarts: boolean) => {
    const member = members[index % consumers];
    const succeeded = await member?.consume(entries).then(
      () => true,
      () => false,
    );
    if (!succeeded && restarts && member !== undefined) member.consume = member.start();
    return succeeded;
  };
  for (const [step, { consumer, places, restarts, overlaps }] of deliveries.entries()) {
    const member = members[consumer % consumers];
    if (member === undefined) continue;
    await member.busy;
    posted = postedBy(step + 1, deliveries.length, books);
    const entries = places.flatMap((place) => posted[place % posted.length] ?? []);
    member.busy = deliver(consumer, entries, restarts).then(() => undefined);
    if (!overlaps) await member.busy;
  }
  await Promise.all(members.map(({ busy }) => busy));
  // The fates come to an end, so one of these succeeds.
  let succeeded: boolean | undefined = false;
  for (let left = schedule.fates.length; !succeeded && left >= 0; left -= 1) {
    succeeded = await deliver(schedule.finisher, all, false);
  }
  expect(succeeded).toBe(true);
}

test('consumers that are killed anywhere, and get anything in any order and again, leave exactly the ledger in the figures', async () => {
  const check = async (schedule: Schedule): Promise<void> => {
    const books = schedule.ledgers.map((entries) => ledgerEntries(openAccount(), entries));
    await runSchedule(schedule, books);
    for (const book of books) {
      const last = book.at(-1);
      const accountId = last?.accountId ?? '';
      expect(await storedSums(accountId)).toEqual(ledgerSums(book));
      expect((await figureStore.cursors([accountId])).get(accountId)).toBe(last?.seq);
      expect(await figureStore.newestEntryMs(accountId)).toBe(last?.atMs);
    }
  };
  let running = Promise.resolve();
  const property = fc.asyncProperty(anySchedule, (schedule) => {
    running = check(schedule);
    return running;
  });
  // A busy machine tries fewer.
  await fc.assert(property, { numRuns: 100, interruptAfterTimeLimit: 15_000 });
  // An interrupted schedule runs on, and its store commands must not be counted with the next test.
  await running;
}, 60_000);

test('a batch of 200 accounts costs at most four store commands, and two when it goes on', async () => {
  const ids = Array.from({ length: 200 }, openAccount);
  const costOf = async ({ clock, consume }: ReturnType<typeof startConsumer>, seq: number) => {
    const before = server.commands();
    // As partitions bring them: some calls, each with some of the accounts.
    const charges = ids.map((accountId) => ({ ...charge(seq), accountId }));
    const calls = [0, 50, 100, 150].map((from) => consume(charges.slice(from, from + 50)));
    await clock.advance(1000);
    await Promise.all(calls);
    return server.commands() - before;
  };
  const start = async () => {
    const consumer = startConsumer({ ledger: ledgerOf([]), lingerMs: 1000 });
    await consumer.consume([{ ...charge(1), accountId: openAccount() }]);
    return consumer;
  };
  const first = await start();
  expect([await costOf(first, 1), await costOf(first, 2)]).toEqual([4, 2]);
  const restarted = await start();
  expect([await costOf(restarted, 3), await costOf(restarted, 4)]).toEqual([4, 2]);
  for (const accountId of ids) expect(await requestsOf(accountId)).toBe(4);
});

test('entries that are known cost no store command', async () => {
  const accountId = openAccount();
  const entries = [charge(1), charge(2)].map((entry) => ({ ...entry, accountId }));
  const { consume } = startConsumer({ ledger: ledgerOf([]) });
  await consume(entries);
  const before = server.commands();
  await consume(entries);
  expect(server.commands() - before).toBe(0);
});

test('a consumer that another one has overtaken adds only what is missing', async () => {
  const accountId = openAccount();
  const entries = [1, 2, 3, 4, 5].map((seq) => ({ ...charge(seq), accountId }));
  const ledger = ledgerOf(entries);
  const first = startConsumer({ ledger });
  const second = startConsumer({ ledger });
  await first.consume(entries.slice(0, 1));
  await second.consume(entries.slice(0, 4));
  await first.consume(entries.slice(1));
  expect(await requestsOf(accountId)).toBe(5);
});

test('a consumer that is behind does not set back how far an account is', async () => {
  const accountId = openAccount();
  const at = (seq: number) => ({ accountId, seq: BigInt(seq), atMs: START_MS + seq });
  await figureStore.setCursors([at(5)]);
  await figureStore.setCursors([at(3), { ...at(1), accountId: openAccount() }]);
  expect((await figureStore.cursors([accountId])).get(accountId)).toBe(5n);
  expect(await figureStore.newestEntryMs(accountId)).toBe(START_MS + 5);
});

test('an account whose next entry is nowhere to be found holds up no other', async () => {
  const [stuck, well] = [openAccount(), openAccount()];
  const { clock, consume } = startConsumer({ ledger: ledgerOf([]), lingerMs: 1000 });
  await consume([{ ...charge(1), accountId: openAccount() }]);
  const calls = [
    consume([{ ...charge(7), accountId: stuck }]),
    consume([{ ...charge(1), accountId: well }]),
  ];
  const outcomes = Promise.allSettled(calls);
  await clock.advance(1000);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect([await requestsOf(stuck), await requestsOf(well)]).toEqual([0, 1]);
});

test('gaps of many accounts are filled a few pages at a time, until none is left', async () => {
  const ids = Array.from({ length: 40 }, openAccount);
  const books = ids.map((accountId) =>
    Array.from({ length: 210 }, (_, index) => ({ ...charge(index + 1), accountId })),
  );
  let pending = 0;
  let pendingMax = 0;
  const ledger = ledgerOf(books.flat());
  const counting: Ledger = {
    async listAfter(...asked) {
      pending += 1;
      pendingMax = Math.max(pendingMax, pending);
      await settlePromises();
      pending -= 1;
      return ledger.listAfter(...asked);
    },
  };
  const { consume } = startConsumer({ ledger: counting });
  await consume(books.flatMap((book) => book.slice(-1)));
  for (const accountId of ids) expect(await requestsOf(accountId)).toBe(210);
  expect(pendingMax).toBe(16);
});

test('a store that fails rejects the batch, and nothing is concluded from it', async () => {
  const accountId = openAccount();
  const entries = [1, 2, 3].map((seq) => ({ ...charge(seq), accountId }));
  const fates = (['done', 'done', 'after', 'done', 'done', 'after'] as const).map((fate) => ({
    fate,
    turns: 0,
  }));
  const faulty = createFaultyFigures(figureStore, fates);
  const { consume } = startConsumer({ ledger: ledgerOf([]), figureStore: faulty });
  // The buckets' answer is lost, then the cursor's.
  await expect(consume(entries)).rejects.toThrow('killed here');
  await expect(consume(entries)).rejects.toThrow('killed here');
  await consume(entries);
  expect(await requestsOf(accountId)).toBe(3);
});
