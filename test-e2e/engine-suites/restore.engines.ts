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
const COLLECTIONS = [ACCOUNTS, LEDGER, OUTBOX] as const;
const REQUESTS = 5;

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
    60_000,
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

  test('with accounts of yesterday all goes on and those that contradict are quarantined', async () => {
    const account = await openOne();
    await restoreYesterday(account, [ACCOUNTS]);
    await ask(account, 'after');
    const other = await openOne();
    await askAndCharge(other, 'after');
    await eventually(readSetApart, (ids) => ids.includes(account.id));
    expect(await readSetApart()).not.toContain(other.id);
    expect(await findingsOf(other)).toEqual([]);
  });
});
