import { fromIsoTime, NANO_MAX } from '@tollgate/core';
import { NOTHING_FOUND } from '@tollgate/jobs';
import type { MongoStore } from '@tollgate/mongo';
import type { LedgerEntry } from '../domain/ledger-entry';
import { COLLECTIONS } from '../storage/collections';
import { createStatementStore } from '../storage/statement-store';
import { n, usageRecord } from '../testing/fixtures';
import { openTestStore, type TestStore } from '../testing/open-test-store';
import { createStatementOperations, type StatementOperations } from './statements';

const ACCOUNT = 'acc_1';
let billing: TestStore;
let mongo: MongoStore;
let ledger: LedgerEntry[];
/** The sequences after which the ledger was read. */
let read: number[];
let isBroken: boolean;
let statements: StatementOperations;

beforeAll(async () => {
  billing = await openTestStore();
  ({ mongo } = billing);
});

afterAll(() => billing.close());

beforeEach(async () => {
  await mongo.connection.collection(COLLECTIONS.statements).deleteMany({});
  ledger = [];
  read = [];
  isBroken = false;
  statements = operations();
});

function operations(): StatementOperations {
  return createStatementOperations({
    statements: createStatementStore(mongo),
    async listLedger(_accountId, range, limit) {
      const afterSeq = 'afterSeq' in range ? range.afterSeq : 0;
      if (isBroken) throw new Error('broken');
      read.push(afterSeq);
      return { entries: ledger.slice(afterSeq, afterSeq + limit), lastSeq: ledger.length };
    },
  });
}

const base = (day: string, amount: number) => ({
  accountId: ACCOUNT,
  seq: ledger.length + 1,
  amount: n(amount),
  atMs: fromIsoTime(`${day}T12:00:00.000Z`) ?? 0,
});
const credit = (day: string, amount: number) =>
  ledger.push({ kind: 'credit', ...base(day, amount), creditId: 'c', note: '' });
const adjust = (day: string, amount: number) =>
  ledger.push({ kind: 'adjustment', ...base(day, amount), creditId: 'a', note: '' });
const charge = (day: string, amount: number, changes = {}) =>
  ledger.push({
    kind: 'charge',
    ...base(day, amount),
    absorbed: n(0),
    overrun: n(0),
    settledReason: 'settled',
    record: usageRecord(changes),
  } as LedgerEntry);

it('lessens credits and adjustments alike where they are more than an amount can be', async () => {
  const most = 9e18;
  credit('2026-01-01', most);
  adjust('2026-01-02', -most);
  credit('2026-01-03', 3e17);
  expect(await statements.get(ACCOUNT, '2026-01')).toMatchObject({
    credits: NANO_MAX,
    adjustments: n(3e17) - NANO_MAX,
    closing: n(3e17),
  });
  // It is read on from there, and the other way round.
  credit('2026-02-01', most - 3e17);
  adjust('2026-02-01', -most);
  credit('2026-02-01', most);
  adjust('2026-02-02', -most);
  charge('2026-02-03', 0);
  const [february] = await statements.list(ACCOUNT);
  expect(february).toMatchObject({ opening: n(3e17), adjustments: -NANO_MAX, closing: 0n });
  expect(february?.credits).toBe(NANO_MAX - n(3e17));
});

it('sums a month up, line by line, and carries the balance into the next', async () => {
  credit('2026-01-02', 1000);
  charge('2026-01-03', 100, { keyId: 'key_1', model: 'small' });
  charge('2026-01-31', 50, { keyId: 'key_1', model: 'small' });
  charge('2026-01-31', 25, { keyId: 'key_2', model: 'small' });
  adjust('2026-03-01', -200);
  const [march, january, ...others] = await statements.list(ACCOUNT);
  expect(others).toEqual([]);
  expect(january).toMatchObject({
    month: '2026-01',
    opening: 0n,
    credits: 1000n,
    charges: 175n,
    closing: 825n,
    lines: [
      { keyId: 'key_1', model: 'small', requests: 2, amount: 150n },
      { keyId: 'key_2', requests: 1, amount: 25n },
    ],
  });
  expect(march).toMatchObject({ opening: 825n, adjustments: -200n, closing: 625n, lines: [] });
  await expect(statements.get(ACCOUNT, '2026-02')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('reads what was posted since, and nothing twice', async () => {
  for (let index = 0; index < 2500; index += 1) credit('2026-01-02', 1);
  expect(await statements.get(ACCOUNT, '2026-01')).toMatchObject({ credits: 2500n });
  credit('2026-01-03', 1);
  expect(await statements.get(ACCOUNT, '2026-01')).toMatchObject({ credits: 2501n });
  expect(read).toEqual([0, 1000, 2000, 2500]);
});

it('goes on by itself with a long ledger, and tells meanwhile how far it is', async () => {
  for (let index = 0; index < 10_500; index += 1) credit('2026-01-02', 1);
  const told = /: 10000 of 10500 entries are read\./;
  await expect(statements.list(ACCOUNT)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    publicMessage: expect.stringMatching(told) as string,
  });
  await expect(statements.get(ACCOUNT, '2026-01')).rejects.toThrow();
  expect(read).toHaveLength(10);
  const { signal } = new AbortController();
  await statements.catchUp(signal);
  expect(read.slice(10)).toEqual([10_000]);
  expect(await statements.get(ACCOUNT, '2026-01')).toMatchObject({ credits: 10_500n });
  expect(await statements.catchUp(signal)).toBe(NOTHING_FOUND);
});

it('lets whoever asks again find out whether what broke a long ledger has passed', async () => {
  for (let index = 0; index < 10_500; index += 1) credit('2026-01-02', 1);
  await expect(statements.list(ACCOUNT)).rejects.toThrow();
  isBroken = true;
  const { signal } = new AbortController();
  await expect(statements.catchUp(signal)).rejects.toThrow('broken');
  isBroken = false;
  expect(await statements.list(ACCOUNT)).toMatchObject([{ credits: 10_500n }]);
});

it('counts every entry once for many who ask at once', async () => {
  for (let index = 0; index < 1500; index += 1)
    credit(`2026-0${1 + (index % 2000 > 700 ? 1 : 0)}-02`, 1);
  const asked = await Promise.all(Array.from({ length: 8 }, () => operations().list(ACCOUNT)));
  for (const [february, january] of asked) {
    expect([january?.credits, february?.credits]).toEqual([701n, 799n]);
    expect(february?.closing).toBe(1500n);
  }
});

it('leaves an entry whose clock was behind in the month that had begun', async () => {
  credit('2026-02-01', 5);
  credit('2026-01-31', 7);
  expect(await statements.list(ACCOUNT)).toMatchObject([{ month: '2026-02', credits: 12n }]);
});

it('puts what has no line of its own into one line', async () => {
  for (let index = 0; index < 600; index += 1) charge('2026-01-02', 1, { keyId: `key_${index}` });
  const { lines, charges } = await statements.get(ACCOUNT, '2026-01');
  expect([lines.length, charges]).toEqual([500, 600n]);
  expect(lines.at(-1)).toMatchObject({ keyId: '', model: '', requests: 101, amount: 101n });
});

it('makes anew what is beyond a ledger that was cut, and keeps the months before', async () => {
  credit('2026-01-02', 1);
  credit('2026-02-02', 10);
  credit('2026-02-03', 100);
  credit('2026-03-02', 1000);
  await statements.list(ACCOUNT);
  ledger.splice(2);
  expect(await statements.list(ACCOUNT)).toMatchObject([
    { month: '2026-02', opening: 1n, credits: 10n, closing: 11n },
    { month: '2026-01', closing: 1n },
  ]);
  expect(read.at(-1)).toBe(1);
  credit('2026-02-04', 5);
  expect(await statements.get(ACCOUNT, '2026-02')).toMatchObject({ credits: 15n });
});
