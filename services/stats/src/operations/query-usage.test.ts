import { type AppError, createTurnsByKey, DAY_MS, type WaitingCall } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { percentilesOf } from '../domain/latency-histogram';
import type { ChargedRequest, LedgerEntry } from '../domain/ledger-entry';
import type { DenialStore, FigureStore, Ledger } from '../domain/ports';
import { figuresOf } from '../domain/usage-figures';
import { applyRetention } from '../storage/retention';
import { charge, credit, denialsOf, ledgerOf } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { keepDenials } from './add-denials';
import { createApplyLedger } from './apply-ledger';
import {
  type QueryUsageOptions,
  queryUsage as queryUsageOf,
  type UsageAnswer,
  type UsageQuery,
} from './query-usage';
import { createSharedAnswers } from './shared-answers';

let server: TestStore;
let mongo: MongoStore;
let figureStore: FigureStore;
let denialStore: DenialStore;
let clock: FakeClock;

beforeAll(async () => {
  server = await openTestStore();
});

afterAll(() => server.close());

beforeEach(async () => {
  clock = createFakeClock();
  ({ mongo, figureStore, denialStore } = await server.openDatabase());
});

afterEach(() => mongo.close());

const EMPTY_LEDGER = ledgerOf([]);

/** A consumer that adds what it gets at once. */
function consumerOf(ledger: Ledger, into = figureStore) {
  const grouping = { clock, lingerMs: 0, batchEntriesMax: 500, cachedSequencesMax: 100 };
  const apply = createApplyLedger({ ...grouping, figureStore: into, ledger });
  const control = { signal: new AbortController().signal, isPart: false };
  return (entries: readonly LedgerEntry[]) => apply(entries, control);
}

function options(over: Partial<QueryUsageOptions> = {}): QueryUsageOptions {
  const retentionMs = { minute: 7 * DAY_MS, hour: 400 * DAY_MS };
  const shared = createSharedAnswers<UsageAnswer>({ clock, atOnceMax: 1, waitingMax: 4 });
  const bounds = { atOnceMax: 2, waitingMax: 4, waitingPerKeyMax: 1 };
  const inTurn = createTurnsByKey({ clock, ...bounds });
  const kept = { retentionMs, keptSinceAtMs: () => 0, shared, inTurn };
  return {
    figureStore,
    denialStore,
    clock,
    resultsMax: 1000,
    documentsMax: 1000,
    ...kept,
    ...over,
  };
}

const PATIENT: WaitingCall = { deadlineMs: 60_000, signal: new AbortController().signal };

const queryUsage = (of: QueryUsageOptions, asked: UsageQuery, call = PATIENT) =>
  queryUsageOf(of, asked, call);

function query(over: Partial<UsageQuery> = {}): UsageQuery {
  return {
    accountIds: ['acc_1'],
    startMs: clock.now() - DAY_MS,
    endMs: clock.now() + DAY_MS,
    interval: 'hour',
    groupBy: [],
    models: [],
    keyIds: [],
    operator: false,
    worst: 0,
    ...over,
  };
}

const totals = async () => (await queryUsage(options(), query())).totals;

test('entries that come again, in any order and any batches, are counted once', async () => {
  const entries = [charge(1), credit(2), charge(3), charge(4), charge(5, { succeeded: false })];
  const consume = consumerOf(ledgerOf(entries));
  for (const batch of [
    [0, 1],
    [1, 2, 3],
    [3, 0],
    [4, 4, 2],
    [0, 1, 2, 3, 4],
  ]) {
    await consume(batch.map((index) => entries[index] ?? credit(2)));
  }
  expect(await totals()).toMatchObject({
    requests: 4,
    succeeded: 3,
    failed: 1,
    promptTokens: 40n,
    cacheWriteTokens: 12n,
    reasoningTokens: 4n,
    promptAudioTokens: 16n,
    completionAudioTokens: 8n,
    spendNano: 4n * 9_007_199_254_740_993n,
  });
});

test('a range whose spend is more than an amount can be is refused, and a part of it answered', async () => {
  const chargedNano = 6n * 10n ** 18n;
  const first = charge(1, { chargedNano });
  const entries = [first, { ...first, accountId: 'acc_2' }];
  await consumerOf(ledgerOf(entries))(entries);
  const both = query({ accountIds: ['acc_1', 'acc_2'], operator: true });
  await expect(queryUsage(options(), both)).rejects.toMatchObject({ param: 'start' });
  expect(await totals()).toMatchObject({ spendNano: chargedNano });
});

test('a request whose client left is among those that failed, and is told apart', async () => {
  const gone = charge(3, { succeeded: false, clientGone: true });
  const ofOthers = { ...gone, accountId: 'acc_2', seq: 1n };
  const entries = [charge(1), charge(2, { succeeded: false }), gone];
  await consumerOf(ledgerOf(entries))([...entries, ofOthers]);
  expect(await totals()).toMatchObject({ requests: 3, succeeded: 1, failed: 2, clientGone: 1 });
  const worst = { accountIds: [], groupBy: ['account'], operator: true, worst: 9 } as const;
  const { rows } = await queryUsage(options(), query(worst));
  expect(rows.map(({ group }) => group[0]?.value)).toEqual(['acc_1']);
});

test('answers are timed apart from what ran into a bound, and channels without one another', async () => {
  const entries = [
    charge(1, { latencyMs: 40 }),
    charge(2, { succeeded: false, timedOut: true, latencyMs: 60_000, firstTokenMs: null }),
    charge(3, { retried: true, latencyMs: 60_040, firstTokenMs: 60_020 }),
  ];
  const consume = consumerOf(ledgerOf(entries));
  await consume(entries.slice(0, 2));
  // As it was kept before these were.
  await mongo.connection
    .collection('usage_figures')
    .updateMany({}, { $unset: { timedOut: '', retriedLatency: '', retriedFirstToken: '' } });
  await consume(entries);
  const told = async (groupBy: UsageQuery['groupBy']) => {
    const { rows } = await queryUsage(options(), query({ groupBy, operator: true }));
    return rows.map(({ figures: { firstToken, latency } }) =>
      [latency, firstToken].map((histogram) => percentilesOf(histogram)),
    );
  };
  const counted = (count: number) => expect.objectContaining({ count }) as unknown;
  expect(await told([])).toEqual([[counted(2), counted(2)]]);
  const [[own, ownFirst] = []] = await told(['channel']);
  expect([own?.count, ownFirst?.count]).toEqual([1, 1]);
  expect(own?.p99).toBeLessThan(50);
  const [failed] = await told(['status']);
  expect(failed?.[0]).toMatchObject({ count: 1 });
  expect(failed?.[0]?.p50).toBeGreaterThan(50_000);
});

test('requests that timed out are counted', async () => {
  const entries = [charge(1), charge(2, { succeeded: false, timedOut: true })];
  await consumerOf(ledgerOf(entries))(entries);
  expect(await totals()).toMatchObject({ failed: 1, timedOut: 1 });
});

test('requests that a vendor found wrong are told apart, and no group is the worse for them', async () => {
  const entries = [charge(1), charge(2, { succeeded: false, invalid: true })];
  await consumerOf(ledgerOf(entries))(entries);
  expect(await totals()).toMatchObject({ failed: 1, invalid: 1 });
  const worst = { accountIds: [], groupBy: ['account'], operator: true, worst: 9 } as const;
  expect((await queryUsage(options(), query(worst))).rows).toEqual([]);
});

test('a bucket that kept fewer kinds of tokens goes on with those of today', async () => {
  const entries = [charge(1), charge(2)];
  const consume = consumerOf(ledgerOf(entries));
  await consume(entries.slice(0, 1));
  const buckets = mongo.connection.collection('usage_figures');
  const later = ['cacheWriteTokens', 'reasoningTokens', 'clientGone'];
  const audio = ['promptAudioTokens', 'completionAudioTokens'];
  const $unset = Object.fromEntries([...later, ...audio].map((name) => [name, '' as const]));
  await buckets.updateMany({}, { $unset });
  expect(await totals()).toMatchObject({ cacheWriteTokens: 0n, clientGone: 0 });
  expect(await totals()).toMatchObject({ promptAudioTokens: 0n, completionAudioTokens: 0n });
  await consume(entries);
  expect(await totals()).toMatchObject({ requests: 2, cacheWriteTokens: 3n, reasoningTokens: 1n });
  expect(await totals()).toMatchObject({ promptAudioTokens: 4n, completionAudioTokens: 2n });
});

test('a gap in the stream is filled from the ledger', async () => {
  const entries = Array.from({ length: 450 }, (_, index) => charge(index + 1));
  const ledger = ledgerOf(entries);
  await consumerOf(ledger)(entries.slice(449));
  expect((await totals()).requests).toBe(450);
  expect(ledger.asked).toBeGreaterThan(1);
});

test('a gap that the ledger does not show yet is not skipped', async () => {
  const consume = consumerOf(EMPTY_LEDGER);
  await expect(consume([charge(3)])).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  expect((await totals()).requests).toBe(0);
});

test('a crash between the figures and the cursor counts nothing twice', async () => {
  const entries = [charge(1), charge(2), charge(3)];
  const crashing: FigureStore = {
    ...figureStore,
    setCursors: () => Promise.reject(new Error('killed here')),
  };
  const ledger = ledgerOf(entries);
  await expect(consumerOf(ledger, crashing)(entries)).rejects.toThrow('killed here');
  expect(await figureStore.newestEntryMs('acc_1')).toBeUndefined();
  await consumerOf(ledger)(entries);
  expect((await totals()).requests).toBe(3);
});

test('two consumers of one account at once count everything once', async () => {
  const entries = Array.from({ length: 60 }, (_, index) => charge(index + 1));
  const ledger = ledgerOf(entries);
  const consumer = async (size: number) => {
    const consume = consumerOf(ledger);
    for (let from = 0; from < entries.length; from += size) {
      await consume(entries.slice(from, from + size));
    }
  };
  await Promise.all([consumer(7), consumer(11)]);
  expect((await totals()).requests).toBe(60);
});

test('figures are told apart by every dimension that is asked', async () => {
  const entries = [charge(1, { model: 'a' }), charge(2, { model: 'b' }), charge(3, { model: 'a' })];
  await consumerOf(EMPTY_LEDGER)(entries);
  const answer = await queryUsage(options(), query({ groupBy: ['model'] }));
  expect(answer.rows.map((row) => [row.group[0]?.value, row.figures.requests])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  const filtered = await queryUsage(options(), query({ models: ['b'] }));
  expect(filtered.totals.requests).toBe(1);
});

test('another account’s figures are never in the answer', async () => {
  const foreign = { ...charge(1), accountId: 'acc_2' };
  await consumerOf(EMPTY_LEDGER)([charge(1), foreign]);
  expect((await totals()).requests).toBe(1);
  const all = await queryUsage(options(), query({ accountIds: [], operator: true }));
  expect(all.totals.requests).toBe(2);
  await expect(queryUsage(options(), query({ accountIds: [] }))).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('months are made of days, in UTC', async () => {
  const january = { ...charge(1), atMs: Date.UTC(2026, 0, 31, 23, 59) };
  const february = { ...charge(2), atMs: Date.UTC(2026, 1, 1) };
  await consumerOf(EMPTY_LEDGER)([january, february]);
  const answer = await queryUsage(
    options(),
    query({
      interval: 'month',
      startMs: Date.UTC(2026, 0, 1),
      endMs: Date.UTC(2026, 2, 1),
    }),
  );
  expect(answer.rows.map((row) => row.bucketMs)).toEqual([
    Date.UTC(2026, 0, 1),
    Date.UTC(2026, 1, 1),
  ]);
});

test('denials have a row of their own where they have no model, so that rows add up', async () => {
  await consumerOf(EMPTY_LEDGER)([charge(1)]);
  await keepDenials(denialStore, [denialsOf({ count: 7 })]);
  const byModel = await queryUsage(options(), query({ groupBy: ['key', 'model'] }));
  const told = byModel.rows.map(({ group, figures: { rateLimited } }) => [
    ...group.map(({ value }) => value),
    rateLimited,
  ]);
  expect(told).toEqual([
    ['key_1', '', 7],
    ['key_1', 'm', 0],
  ]);
  expect(byModel.totals.rateLimited).toBe(7);
  const byKey = await queryUsage(options(), query({ groupBy: ['key'] }));
  expect(byKey.rows.map(({ figures: sums }) => sums.rateLimited)).toEqual([7]);
});

test('requests that nobody could serve count as failed, in a row without a model', async () => {
  await consumerOf(EMPTY_LEDGER)([charge(1)]);
  // The same event once more, as an older one of another kind of the same gateway stands beside it.
  const unserved = denialsOf({ id: 'evt_2', kind: 'unserved', count: 3 });
  await keepDenials(denialStore, [denialsOf({ id: 'evt_3', count: 7 }), unserved, unserved]);
  const byStatus = await queryUsage(options(), query({ groupBy: ['status'] }));
  const told = byStatus.rows.map(({ figures: sums, group }) => [group[0]?.value, sums.failed]);
  expect(told.sort()).toEqual([
    ['failed', 3],
    ['rate_limited', 0],
    ['succeeded', 0],
  ]);
  expect(byStatus.totals).toMatchObject({ requests: 4, failed: 3, rateLimited: 7 });
  for (const dimension of ['model', 'user', 'channel'] as const) {
    const answer = await queryUsage(options(), query({ groupBy: [dimension], operator: true }));
    const sums = answer.rows.map(({ figures: { requests, failed } }) => [requests, failed]);
    expect(sums).toEqual(
      expect.arrayContaining([
        [3, 3],
        [1, 0],
      ]),
    );
    expect(answer.totals).toMatchObject({ requests: 4, failed: 3 });
  }
});

test('what a shorter retention has thrown away is refused after it was raised, not answered as nothing', async () => {
  const minutes = { interval: 'minute', endMs: clock.now() } as const;
  const ask = async (days: number, agoDays: number) => {
    const kept = await applyRetention(mongo, { minute: days, hour: 400 }, clock.now());
    const retentionMs = { minute: days * DAY_MS, hour: 400 * DAY_MS };
    const startMs = clock.now() - agoDays * DAY_MS;
    const at = options({ retentionMs, resultsMax: 100_000, keptSinceAtMs: (of) => kept[of] });
    return queryUsage(at, query({ ...minutes, startMs, endMs: startMs + DAY_MS })).then(
      () => 'answered',
      (error: AppError) => error.publicMessage,
    );
  };
  // The store was made for seven days.
  expect(await ask(7, 6)).toBe('answered');
  expect(await ask(30, 10)).toBe(
    'Figures by minute are kept for 30 days, and there are none from before 2025-12-25T00:00:00.000Z.',
  );
  expect(await ask(30, 6)).toBe('answered');
  clock.jumpWallClock(5 * DAY_MS);
  expect(await ask(30, 11)).toBe('answered');
  // A lower setting takes effect too.
  expect(await ask(2, 3)).toBe('Figures by minute are kept for 2 days.');
  const indexes = await mongo.connection.collection('usage_figures').indexes();
  expect(indexes.find(({ name }) => name === 'expire_minute')?.expireAfterSeconds).toBe(172_800);
});

test('a bucket whose sequence is damaged is counted as it stands', async () => {
  await consumerOf(EMPTY_LEDGER)([charge(1)]);
  await mongo.connection.collection('usage_figures').updateMany({}, { $set: { seq: 'none' } });
  expect((await queryUsage(options(), query())).totals.requests).toBe(1);
});

test('as_of is when the newest applied entry was posted', async () => {
  await consumerOf(EMPTY_LEDGER)([charge(1), charge(2)]);
  expect((await queryUsage(options(), query())).asOfMs).toBe(clock.now() + 2000);
});

test.each([
  ['an end before the start', { endMs: 0 }, 'end'],
  ['too many intervals', { interval: 'minute', startMs: 0 }, 'interval'],
  ['figures that are no longer kept', { interval: 'hour', startMs: 1 }, 'interval'],
] as const)('%s is refused', async (_name, over, param) => {
  await expect(queryUsage(options(), query(over))).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    param,
  });
});

test('a query that would read too much is refused instead of answered in part', async () => {
  await consumerOf(EMPTY_LEDGER)([charge(1), charge(2, { model: 'b' })]);
  await expect(queryUsage(options({ documentsMax: 1 }), query())).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

describe('a query for all accounts', () => {
  const ALL = { accountIds: [], operator: true } as const;

  beforeEach(async () => {
    const accounts = ['acc_1', 'acc_2', 'acc_3'];
    await consumerOf(EMPTY_LEDGER)(accounts.map((accountId) => ({ ...charge(1), accountId })));
  });

  test('is answered however many documents there are', async () => {
    const all = query({ ...ALL, groupBy: ['channel'] });
    const answer = await queryUsage(options({ documentsMax: 1 }), all);
    expect(answer.rows.map(({ figures: sums }) => sums.requests)).toEqual([3]);
  });

  test('is refused as soon as it has too many rows, and not after everything was read', async () => {
    let read = 0;
    const counted: FigureStore = {
      ...figureStore,
      async *read(filter) {
        for await (const bucket of figureStore.read(filter)) {
          read += 1;
          yield bucket;
        }
      },
    };
    const bounds = { figureStore: counted, resultsMax: 100 };
    const byAccount = query({ ...ALL, groupBy: ['account'] });
    expect((await queryUsage(options(bounds), byAccount)).rows).toHaveLength(3);
    const entries = Array.from({ length: 300 }, (_, index) => ({
      ...charge(1),
      accountId: `acc_more_${index}`,
    }));
    await consumerOf(EMPTY_LEDGER)(entries);
    read = 0;
    await expect(queryUsage(options(bounds), byAccount)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(read).toBe(101);
  });

  test('answers the worst groups however many there are, each as one row', async () => {
    const failing = (accountId: string, count: number, failed: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...charge(index + 1, { succeeded: index >= failed }),
        accountId,
      }));
    const well = Array.from({ length: 300 }, (_, index) => ({
      ...charge(1),
      accountId: `acc_more_${index}`,
    }));
    await consumerOf(EMPTY_LEDGER)([
      ...failing('acc_ill', 3, 2),
      ...failing('acc_bad', 4, 4),
      ...well,
    ]);
    await keepDenials(denialStore, [denialsOf({ accountId: 'acc_denied', count: 9 })]);
    const byAccount = query({ ...ALL, groupBy: ['account'] });
    const worstOf = async (worst: number) => {
      const { rows, totals } = await queryUsage(options({ resultsMax: 50 }), {
        ...byAccount,
        worst,
      });
      return {
        rows: rows.map(({ group, figures: found }) => [
          group[0]?.value,
          found.requests,
          found.failed + found.rateLimited,
        ]),
        requests: totals.requests,
      };
    };
    const { rows, requests } = await worstOf(2);
    expect(rows).toEqual([
      ['acc_denied', 0, 9],
      ['acc_bad', 4, 4],
    ]);
    expect((await worstOf(10)).rows.slice(0, 3)).toEqual([...rows, ['acc_ill', 3, 2]]);
    expect(requests).toBe(3 + 3 + 4 + 300);
  });

  test('that comes from many pages at once is read once', async () => {
    const shared = options();
    const before = server.commands(['find']);
    const answers = await Promise.all(
      [0, 1, 2].map((laterMs) =>
        queryUsage(shared, query({ ...ALL, endMs: clock.now() + 60_000 + laterMs })),
      ),
    );
    expect(answers.map(({ totals: { requests } }) => requests)).toEqual([3, 3, 3]);
    // Cursors, figures and denials.
    expect(server.commands(['find']) - before).toBe(3);
  });

  test('names only the accounts that were asked of', async () => {
    const some = { ...ALL, accountIds: ['acc_1', 'acc_3', 'acc_none'] };
    for (const accountId of ['acc_2', 'acc_3']) {
      await keepDenials(denialStore, [denialsOf({ accountId, count: 9 })]);
    }
    const { rows, totals } = await queryUsage(options(), query({ ...some, groupBy: ['account'] }));
    expect(new Set(rows.map(({ group }) => group[0]?.value))).toEqual(new Set(['acc_1', 'acc_3']));
    expect(totals).toMatchObject({ requests: 2, rateLimited: 9 });
    await expect(queryUsage(options(), query({ ...some, operator: false }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test('is not shared with those that may not ask', async () => {
    const shared = options();
    await queryUsage(shared, query(ALL));
    await expect(queryUsage(shared, query({ accountIds: [] }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

const REQUEST = charge(1).request as ChargedRequest;

test('percentiles are at most five percent off for any latencies', () => {
  const latencies = fc.array(fc.integer({ min: 1, max: 600_000 }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(latencies, (values) => {
      const histogram: Record<string, number> = {};
      for (const latencyMs of values) {
        const { latency } = figuresOf({ ...REQUEST, latencyMs });
        for (const bin of Object.keys(latency)) histogram[bin] = (histogram[bin] ?? 0) + 1;
      }
      const sorted = [...values].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
      const estimate = percentilesOf(histogram)?.p95 ?? 0;
      expect(Math.abs(estimate - exact)).toBeLessThanOrEqual(exact * 0.05 + 0.1);
    }),
  );
});

describe('a question of one account', () => {
  const many = () => Array.from({ length: 20 }, (_, index) => charge(index + 1));
  const own = query;

  test('is read no longer than its caller waits', async () => {
    const leaving = new AbortController();
    let read = 0;
    const counted: FigureStore = {
      ...figureStore,
      async *read(filter) {
        for await (const bucket of figureStore.read(filter)) {
          read += 1;
          leaving.abort();
          yield bucket;
          yield bucket;
        }
      },
    };
    await consumerOf(EMPTY_LEDGER)(many());
    const call = { ...PATIENT, signal: leaving.signal };
    await expect(queryUsage(options({ figureStore: counted }), own(), call)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(read).toBe(1);
  });

  test('is refused, and not left without an answer, where it takes too long', async () => {
    const slow: FigureStore = {
      ...figureStore,
      async *read(filter) {
        for await (const bucket of figureStore.read(filter)) {
          await clock.advance(600);
          yield bucket;
        }
      },
    };
    await consumerOf(EMPTY_LEDGER)(many());
    const call = { ...PATIENT, deadlineMs: 1_000 };
    await expect(queryUsage(options({ figureStore: slow }), own(), call)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  test('waits two fifths of the time that its caller has', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const held: FigureStore = { ...figureStore, newestEntryMs: () => promise };
    const shared = options({ figureStore: held });
    const first = queryUsage(shared, own());
    const states: string[] = [];
    const waiting = queryUsage(shared, own(), { ...PATIENT, deadlineMs: 30_000 }).catch(
      ({ code }: AppError) => states.push(code),
    );
    await clock.advance(11_999);
    expect(states).toEqual([]);
    await clock.advance(1);
    await waiting;
    expect(states).toEqual(['SERVICE_UNAVAILABLE']);
    resolve(undefined);
    await first;
  });

  test('waits for the one before it, and others pass', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const held: FigureStore = {
      ...figureStore,
      async newestEntryMs(accountId) {
        if (accountId === 'acc_1') await promise;
        return undefined;
      },
    };
    const shared = options({ figureStore: held });
    const both = [queryUsage(shared, own()), queryUsage(shared, own())];
    await expect(queryUsage(shared, own())).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    await queryUsage(shared, own({ accountIds: ['acc_2'] }));
    resolve();
    await Promise.all(both);
  });
});
