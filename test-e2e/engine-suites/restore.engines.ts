import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { findAll, runMongoCommand } from '../engines/mongodb-wire';
import { redisObstacle } from '../engines/redis';
import { type LoadedAccount, openAccounts } from '../faults/accounts';
import { type Attempt, attempt } from '../faults/attempt';
import { readAudit, readBooks } from '../faults/books';
import { type FaultSystem, startFaultSystem } from '../faults/fault-system';
import { describeUnless } from '../support/describe-unless';
import { eventually } from '../support/eventually';
import { DATABASE } from '../topologies/separate';

jest.setTimeout(300_000);

const COPY = `${DATABASE}_copy`;
const ACCOUNTS = 'billing_accounts';
const LEDGER = 'billing_ledger';
const OUTBOX = 'billing_outbox';
const CUT = 'billing_ledger_cut';
const COLLECTIONS = [ACCOUNTS, LEDGER, OUTBOX] as const;
const REQUESTS = 5;
/** What is quarantined is left alone for a minute; twice that, for a busy machine. */
const QUARANTINE_MS = 120_000;
/** More than a running billing may have counted meanwhile. */
const RAISED_BY = 1_000_000;

let system: FaultSystem;
let opened = 0;

/** An account of which nobody has a copy yet. */
async function openOne(): Promise<LoadedAccount> {
  opened += 1;
  const plan = { name: `restored-${opened}`, credit: '10.00', budgets: [undefined] };
  const [account] = await openAccounts(system, [plan]);
  if (account === undefined) throw new Error('no account was opened');
  return account;
}

/** Requests one after another, each until it is answered: billing may have been away just now. */
async function ask(account: LoadedAccount, name: string): Promise<readonly Attempt[]> {
  const [key] = account.keys;
  if (key === undefined) throw new Error('no key');
  const made: Attempt[] = [];
  for (let number = 1; number <= REQUESTS; number += 1) {
    const order = {
      baseUrl: system.baseUrl,
      secret: key.secret,
      accountId: account.id,
      keyId: key.id,
      tag: `${account.name}/${name}/${number}`,
      stream: false,
      leaveAfter: undefined,
      words: 10,
      wordIntervalMs: 0,
      maxTokens: 10,
    };
    made.push(
      await eventually(
        () => attempt(order, system.elapsedMs),
        ({ status }) => status === 200,
        QUARANTINE_MS,
      ),
    );
  }
  return made;
}

/** Waits until the ledger has every one of the requests and no lease holds credit. */
async function untilCharged(account: LoadedAccount, made: readonly Attempt[]): Promise<void> {
  await eventually(
    () => readBooks(system, account),
    ({ ledger, reservedNano }) => {
      const charged = new Set(ledger.map(({ requestId }) => requestId));
      return reservedNano === 0n && made.every(({ requestId }) => charged.has(requestId ?? ''));
    },
    QUARANTINE_MS,
  );
}

async function askAndCharge(account: LoadedAccount, name: string): Promise<void> {
  await untilCharged(account, await ask(account, name));
}

/** Replaces a collection by another, indexes kept, types kept. */
async function copy(from: string, to: string, collection: string): Promise<void> {
  await runMongoCommand(await system.findMongodbPort(), from, {
    aggregate: collection,
    pipeline: [{ $match: {} }, { $out: { db: to, coll: collection } }],
    cursor: {},
  });
}

/** A copy of yesterday, a day of work, then these collections as they were yesterday. */
async function restoreYesterday(
  account: LoadedAccount,
  collections: readonly string[],
): Promise<void> {
  await askAndCharge(account, 'yesterday');
  for (const collection of COLLECTIONS) await copy(DATABASE, COPY, collection);
  await askAndCharge(account, 'today');
  await system.whileStopped(['billing'], async () => {
    for (const collection of collections) await copy(COPY, DATABASE, collection);
  });
}

/** What the audit says of one account. */
async function findingsOf({ id }: LoadedAccount): Promise<readonly string[]> {
  const { findings } = await readAudit(system);
  return (findings as readonly { readonly account_id: string; readonly rule: string }[])
    .filter(({ account_id }) => account_id === id)
    .map(({ rule }) => rule);
}

/** The accounts whose journal contradicts the ledger, by the store's own list. */
async function readSetApart(): Promise<readonly unknown[]> {
  const find = { find: 'billing_quarantine', filter: {} };
  const documents = await findAll(await system.findMongodbPort(), DATABASE, find);
  return documents.map(({ account_id }) => account_id);
}

interface EntryPlace {
  readonly seq: number;
  readonly at: number;
}

interface LedgerPlace extends EntryPlace {
  readonly _id: string;
}

/** What the runbook cuts off the ledger of an account that was put back, oldest first. */
async function findOthers({ id }: LoadedAccount) {
  const port = await system.findMongodbPort();
  const [found] = await findAll(port, DATABASE, { find: ACCOUNTS, filter: { _id: id } });
  const { journal, ledger_seq } = found as {
    readonly journal: readonly { readonly entry?: EntryPlace }[];
    readonly ledger_seq: number;
  };
  const own = journal.flatMap(({ entry }) => (entry ? [{ seq: entry.seq, at: entry.at }] : []));
  const before = own[0] === undefined ? ledger_seq : own[0].seq - 1;
  const filter = { account_id: id, seq: { $gt: before }, $nor: [{ seq: 0 }, ...own] };
  const places = await findAll(port, DATABASE, { find: LEDGER, filter, sort: { seq: 1 } });
  return { filter, places: places as unknown as readonly LedgerPlace[] };
}

/** "Repair what runs", as docs/runbooks/restoring-the-database.md has it. */
async function repair(account: LoadedAccount): Promise<void> {
  const port = await system.findMongodbPort();
  const run = (command: Readonly<Record<string, unknown>>) =>
    runMongoCommand(port, DATABASE, command);
  const remove = (collection: string, q: object) =>
    run({ delete: collection, deletes: [{ q, limit: 0 }] });
  await system.whileStopped(['stats'], async () => {
    const { filter, places } = await findOthers(account);
    expect(places).toHaveLength(REQUESTS);
    const named = { $set: { _id: { $concat: ['$_id', '@', 'today'] } } };
    const pipeline = [{ $match: filter }, named, { $merge: CUT }];
    await run({ aggregate: LEDGER, pipeline, cursor: {} });
    await remove('usage_figures', { accountId: account.id });
    await remove('usage_cursors', { _id: account.id });
    for (const { _id, at } of places) await remove(LEDGER, { _id, at });
  });
  await remove('billing_statements', { account_id: account.id });
  const u = { $inc: { rev: RAISED_BY, notice_seq: RAISED_BY } };
  await run({ update: ACCOUNTS, updates: [{ q: { _id: account.id }, u }] });
}

/** Waits until the account was charged so often since it was put back. */
async function untilJournalHas({ id }: LoadedAccount, entries: number): Promise<void> {
  const find = { find: ACCOUNTS, filter: { _id: id } };
  await eventually(
    async () => (await findAll(await system.findMongodbPort(), DATABASE, find))[0]?.journal,
    (journal) => (journal as readonly unknown[]).length >= entries,
    60_000,
  );
}

/** Waits until statistics have every charge of the ledger, and no other. */
async function untilCounted(account: LoadedAccount): Promise<void> {
  await eventually(
    () => readBooks(system, account),
    ({ ledger, stats }) => {
      const charges = ledger.filter(({ kind }) => kind === 'charge');
      const spentNano = charges.reduce((sum, { amountNano }) => sum + amountNano, 0n);
      return stats.requests === charges.length && stats.spendNano === spentNano;
    },
    60_000,
  );
}

const obstacle = kafkaObstacle() ?? redisObstacle() ?? mongodbObstacle();

describeUnless(obstacle, 'collections of billing as they were yesterday', () => {
  beforeAll(async () => {
    system = await startFaultSystem({ store: 'mongodb', report: () => undefined });
  });
  afterAll(async () => {
    await system?.stop();
  });

  test('restored together, all goes on and the audit finds nothing', async () => {
    const account = await openOne();
    await restoreYesterday(account, COLLECTIONS);
    await askAndCharge(account, 'after');
    expect(await findingsOf(account)).toEqual([]);
  });

  test('with a ledger of yesterday all goes on and the audit names what is missing', async () => {
    const account = await openOne();
    await restoreYesterday(account, [LEDGER]);
    await ask(account, 'after');
    const other = await openOne();
    await askAndCharge(other, 'after');
    expect(await findingsOf(account)).not.toEqual([]);
    expect(await findingsOf(other)).toEqual([]);
  });

  test('with accounts of yesterday all goes on, and those that contradict are quarantined until they are repaired', async () => {
    const account = await openOne();
    await restoreYesterday(account, [ACCOUNTS]);
    const made = await ask(account, 'after');
    const other = await openOne();
    await askAndCharge(other, 'after');
    await eventually(readSetApart, (ids) => ids.includes(account.id));
    expect(await readSetApart()).not.toContain(other.id);
    expect(await findingsOf(other)).toEqual([]);
    await untilJournalHas(account, REQUESTS);
    await repair(account);
    await untilCharged(account, made);
    await askAndCharge(account, 'repaired');
    await untilCounted(account);
    await eventually(
      () => findingsOf(account),
      (rules) => rules.length === 0,
      QUARANTINE_MS,
    );
  });
});
