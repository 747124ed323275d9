import { createTurnsByKey, firstIdAt, MINUTE_MS, type WaitingCall } from '@tollgate/core';
import type { MongoStore } from '@tollgate/mongo';
import { createFakeClock } from '@tollgate/testkit';
import type { Account } from '../domain/account';
import type { LedgerEntry, LedgerFilter } from '../domain/ledger-entry';
import type { LedgerQueries } from '../domain/ports';
import { createLedgerSearches, type LedgerSearches } from '../operations/search-ledger';
import { ACCOUNT_ID, NOON, n, usageRecord } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createLedgerQueries } from './ledger-queries';
import { createLedgerStore } from './ledger-store';

const ALL: LedgerFilter = {
  kind: undefined,
  keyId: undefined,
  model: undefined,
  status: undefined,
  errorCode: undefined,
  channelId: undefined,
  clientRequestId: undefined,
  startAtMs: undefined,
  endAtMs: undefined,
};
const CALL: WaitingCall = { deadlineMs: 60_000, signal: new AbortController().signal };
const TURNS = { atOnceMax: 2, waitingMax: 8, waitingPerKeyMax: 1 };
const inTurn = createTurnsByKey({ clock: createFakeClock(), ...TURNS });
const OTHER = 'acc_01J00000000000000000000002';
const COUNT = 60;

let billing: TestStore;
let mongo: MongoStore;
let entries: readonly LedgerEntry[];

/** One entry each ten minutes: a credit, then charges of two keys, and an adjustment. */
function ledgerOf(accountId: string): readonly LedgerEntry[] {
  return Array.from({ length: COUNT }, (_, index): LedgerEntry => {
    const seq = index + 1;
    const at = NOON + seq * 10 * MINUTE_MS;
    const base = { accountId, seq, atMs: at, amount: n(10) };
    if (seq === 1) return { ...base, kind: 'credit', creditId: `${accountId}:one`, note: '' };
    if (seq === 2) {
      const creditId = `${accountId}:adjustment:one`;
      return { ...base, kind: 'adjustment', creditId, note: 'twice' };
    }
    const record = usageRecord({
      accountId,
      number: seq,
      requestId: requestIdOf(accountId, seq),
      keyId: seq % 3 === 0 ? 'key_third' : 'key_other',
      model: 'sim-small',
      ...(seq % 7 === 0 ? { channelId: 'chn_seventh' } : {}),
      ...(seq % 11 === 0 ? { clientRequestId: 'trace-11' } : {}),
      ...(seq % 10 === 0 ? { status: 'failed', errorCode: 'UPSTREAM_ERROR' } : {}),
    });
    const settledReason = 'settled';
    return { ...base, kind: 'charge', record, absorbed: n(0), overrun: n(0), settledReason };
  });
}

function requestIdOf(accountId: string, seq: number): string {
  return `${firstIdAt('request', NOON + seq * 10 * MINUTE_MS)}${accountId.slice(-16)}`;
}

beforeAll(async () => {
  billing = await openTestStore();
  ({ mongo } = billing);
  entries = ledgerOf(ACCOUNT_ID);
  const ledger = createLedgerStore(mongo);
  // The last four are still in the journal, one of them in both.
  await ledger.insert(entries.slice(0, COUNT - 3));
  await ledger.insert(ledgerOf(OTHER));
});
afterAll(() => billing.close());

/** A search reads nothing else of an account. */
const accountOf = (id: string, journal: readonly object[]) =>
  ({ id, ledgerSeq: COUNT, journal }) as Account;

/** Searches that look at few entries for each page. */
function searches(scannedMax = 7): LedgerSearches {
  const journal = entries.slice(COUNT - 4).map((entry) => ({ kind: 'entry', no: 1, entry }));
  const account = accountOf(ACCOUNT_ID, journal);
  const store = {
    find: async (id: string) => (id === ACCOUNT_ID ? account : undefined),
  };
  return createLedgerSearches({ store, queriesOf: createLedgerQueries(mongo), inTurn, scannedMax });
}

/** Every page of a search; `pages` is how many there were. */
async function everySeq(changes: Partial<LedgerFilter>, limit = 5, scannedMax = 7) {
  const seqs: number[] = [];
  const search = searches(scannedMax);
  let beforeSeq: number | undefined;
  let pages = 0;
  do {
    const filter = { ...ALL, ...changes };
    const page = await search.ledger({ accountId: ACCOUNT_ID, filter, limit, beforeSeq }, CALL);
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    seqs.push(...page.entries.map(({ seq }) => seq));
    beforeSeq = page.nextBeforeSeq;
    pages += 1;
    expect(pages).toBeLessThan(2 * COUNT);
  } while (beforeSeq !== undefined);
  return { seqs, pages };
}

const downwards = (wanted: (seq: number) => boolean) =>
  Array.from({ length: COUNT }, (_, index) => COUNT - index).filter(wanted);

const FILTERS: readonly (readonly [string, Partial<LedgerFilter>, (seq: number) => boolean])[] = [
  ['nothing', {}, () => true],
  ['a key', { keyId: 'key_third' }, (seq) => seq > 2 && seq % 3 === 0],
  ['a model', { model: 'sim-small' }, (seq) => seq > 2],
  ['a model that nobody used', { model: 'sim-large' }, () => false],
  ['failures', { status: 'failed' }, (seq) => seq % 10 === 0],
  ['an error', { errorCode: 'UPSTREAM_ERROR' }, (seq) => seq % 10 === 0],
  ['a channel', { channelId: 'chn_seventh' }, (seq) => seq % 7 === 0],
  ['a name of the client', { clientRequestId: 'trace-11' }, (seq) => seq % 11 === 0],
  ['credits', { kind: 'credit' }, (seq) => seq === 1],
  ['adjustments', { kind: 'adjustment' }, (seq) => seq === 2],
  ['charges', { kind: 'charge' }, (seq) => seq > 2],
  ['a start', { startAtMs: NOON + 500 * MINUTE_MS }, (seq) => seq >= 50],
  ['a start in the journal', { startAtMs: NOON + 585 * MINUTE_MS }, (seq) => seq >= 59],
  ['an end', { endAtMs: NOON + 100 * MINUTE_MS }, (seq) => seq < 10],
  ['an end before all', { endAtMs: NOON }, () => false],
  [
    'a key in a span',
    { keyId: 'key_third', startAtMs: NOON + 100 * MINUTE_MS, endAtMs: NOON + 310 * MINUTE_MS },
    (seq) => seq % 3 === 0 && seq >= 10 && seq < 31,
  ],
];

describe('the ledger of an account, searched', () => {
  it.each(FILTERS)('by %s gives exactly that, newest first', async (_title, filter, wanted) => {
    for (const limit of [1, 5, 200]) {
      expect((await everySeq(filter, limit)).seqs).toEqual(downwards(wanted));
    }
    expect((await everySeq(filter, 5, 50_000)).seqs).toEqual(downwards(wanted));
  });

  it('looks at a bounded part for each page', async () => {
    const { seqs, pages } = await everySeq({ model: 'sim-large' });
    expect(seqs).toEqual([]);
    expect(pages).toBeGreaterThan(5);
  });

  it('reads little of a long ledger to find the end of a span', async () => {
    let reads = 0;
    const queries = createLedgerQueries(mongo)(CALL);
    const counting: LedgerQueries = {
      ...queries,
      timeOf: async (accountId: string, seq: number) => {
        reads += 1;
        return queries.timeOf(accountId, seq);
      },
    };
    const account = accountOf(OTHER, []);
    const store = { find: async () => account };
    const search = createLedgerSearches({
      store,
      queriesOf: () => counting,
      inTurn,
      scannedMax: 7,
    });
    const filter = { ...ALL, endAtMs: NOON + 100 * MINUTE_MS };
    const wanted = { accountId: OTHER, filter, limit: 3, beforeSeq: undefined };
    const found = await search.ledger(wanted, CALL);
    expect(found.entries.map(({ seq }) => seq)).toEqual([9, 8, 7]);
    expect(reads).toBeLessThanOrEqual(7);
  });

  it('of an account that never had an entry is empty', async () => {
    const search = { filter: ALL, limit: 5, beforeSeq: undefined };
    const page = await searches().ledger({ accountId: 'acc_new', ...search }, CALL);
    expect(page).toEqual({ entries: [], nextBeforeSeq: undefined });
  });
});

/** Every request id that a search of charges gives. */
async function everyRequest(accountId: string | undefined, changes: Partial<LedgerFilter>) {
  const ids: string[] = [];
  let beforeRequestId: string | undefined;
  do {
    const filter = { ...ALL, ...changes };
    const search = { accountId, filter, limit: 4, beforeRequestId };
    const page = await searches().charges(search, CALL);
    ids.push(...page.charges.map(({ record }) => record.requestId));
    beforeRequestId = page.nextBeforeRequestId;
    expect(ids.length).toBeLessThan(4 * COUNT);
  } while (beforeRequestId !== undefined);
  return ids;
}

describe('charges, searched', () => {
  const STORED = COUNT - 3;
  const isStored = (seq: number) => seq > 2 && seq <= STORED;

  it.each(FILTERS.filter(([, { kind }]) => kind === undefined))(
    'of one account by %s are exactly those that are in the ledger',
    async (_title, filter, wanted) => {
      const expected = downwards((seq) => wanted(seq) && isStored(seq));
      const ids = await everyRequest(ACCOUNT_ID, filter);
      expect(ids).toEqual(expected.map((seq) => requestIdOf(ACCOUNT_ID, seq)));
    },
  );

  it('of every account come in the order of their requests', async () => {
    const ids = await everyRequest(undefined, { status: 'failed' });
    const both = downwards((seq) => seq % 10 === 0).flatMap((seq) => [
      requestIdOf(OTHER, seq),
      ...(isStored(seq) ? [requestIdOf(ACCOUNT_ID, seq)] : []),
    ]);
    expect(ids).toEqual(both);
  });

  it('are found by the id of a request alone', async () => {
    const found = await searches().receipt(requestIdOf(OTHER, 30), CALL);
    expect(found).toMatchObject({ accountId: OTHER, seq: 30 });
    await expect(searches().receipt('req_none', CALL)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('searches', () => {
  const search = { filter: ALL, limit: 5, beforeRequestId: undefined };

  it('of one account are made one after the other, and few may wait', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly []>();
    let running = 0;
    const queries = { ...createLedgerQueries(mongo)(CALL) };
    queries.listCharges = (accountId) => {
      running += 1;
      return accountId === ACCOUNT_ID ? promise : Promise.resolve([]);
    };
    const store = { find: async () => undefined };
    const turns = createTurnsByKey({ clock: createFakeClock(), ...TURNS });
    const { charges } = createLedgerSearches({
      store,
      queriesOf: () => queries,
      inTurn: turns,
      scannedMax: 7,
    });
    const own = { accountId: ACCOUNT_ID, ...search };
    const both = [charges(own, CALL), charges(own, CALL)];
    await expect(charges(own, CALL)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(running).toBe(1);
    await charges({ ...own, accountId: OTHER }, CALL);
    resolve([]);
    await Promise.all(both);
    expect(running).toBe(3);
  });

  it('without a filter read a page and nothing besides', async () => {
    const queries = { ...createLedgerQueries(mongo)(CALL) };
    queries.lastRequestIdOf = () => Promise.reject(new Error('looked at more than a page'));
    const store = { find: async () => undefined };
    const { charges } = createLedgerSearches({
      store,
      queriesOf: () => queries,
      inTurn,
      scannedMax: 7,
    });
    const page = await charges({ accountId: ACCOUNT_ID, ...search }, CALL);
    expect(page.charges).toHaveLength(5);
    expect(page.nextBeforeRequestId).toBe(page.charges[4]?.record.requestId);
  });

  it('end when nobody waits for them', async () => {
    const call = { deadlineMs: 60_000, signal: AbortSignal.abort() };
    await expect(searches().receipt(requestIdOf(OTHER, 30), call)).rejects.toThrow();
  });
});
