import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@tollgate/config';
import { silentLogger } from '@tollgate/core';
import {
  createRawCollections,
  type MongoStore,
  openMongo,
  requireNoOpenRestore,
} from '@tollgate/mongo';
import {
  createTestMongo,
  makeTemporaryDirectory,
  type TemporaryDirectory,
} from '@tollgate/testkit';
import { migrateStores } from '../migrate';
import { backUp } from './backup';
import { ACCOUNTS } from './collections';
import { readManifest } from './manifest';
import { restore } from './restore';

let server: Awaited<ReturnType<typeof createTestMongo>>;
let directory: TemporaryDirectory;
let stores: MongoStore[];

beforeEach(async () => {
  server = await createTestMongo();
  directory = await makeTemporaryDirectory('backup');
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await server.close();
  await directory.remove();
});

const environmentOf = (name: string) => ({
  MONGODB_URI: server.uriFor(name),
  TOLLGATE_DATA_DIR: join(directory.path, name),
  TOLLGATE_SERVICE_SECRET: 'a'.repeat(64),
  KAFKA_BROKERS: '127.0.0.1:9',
  TOLLGATE_RPC_PLAINTEXT: 'true',
  LOG_LEVEL: 'error',
});

async function open(name: string): Promise<MongoStore> {
  const store = openMongo({ uri: server.uriFor(name), appName: 'test', logger: silentLogger });
  stores.push(store);
  await store.connect();
  return store;
}

interface Entry {
  readonly _id: string;
  readonly [member: string]: unknown;
}

async function put(name: string, collection: string, ...documents: readonly Entry[]) {
  const store = await open(name);
  await store.connection.collection<Entry>(collection).insertMany([...documents]);
}

/** Documents and indexes of each collection, as they lie in the store. */
async function contentsOf(name: string): Promise<Readonly<Record<string, unknown>>> {
  const raw = createRawCollections(await open(name));
  const contents: Record<string, unknown> = {};
  for (const collection of await raw.names()) {
    const documents: string[] = [];
    for await (const page of raw.pages(collection)) {
      documents.push(...page.map((bytes) => Buffer.from(bytes).toString('base64')));
    }
    const indexes = await raw.indexes(collection);
    if (documents.length > 0) contents[collection] = { documents, indexes };
  }
  return contents;
}

const entry = (account: string, seq: bigint): Entry => ({
  _id: `${account}:${seq}`,
  account_id: account,
  seq,
  amount: 9_007_199_254_740_993n,
});

/** A migrated store with two accounts and an entry more than a hundred. */
async function fill(name: string): Promise<void> {
  await migrateStores({ json: true }, environmentOf(name));
  const accounts = [
    { _id: 'acc_1', ledger_seq: 1n, notice_seq: 0 },
    { _id: 'acc_2', ledger_seq: 100n, notice_seq: 30 },
  ];
  await put(name, 'billing_accounts', ...accounts);
  const many = Array.from({ length: 100 }, (_, index) => entry('acc_2', BigInt(index + 1)));
  await put(name, 'billing_ledger', entry('acc_1', 1n), ...many);
  await put(name, 'models', { _id: 'small', weight: 1, share: 0.5, made: new Date(0) });
}

const to = () => join(directory.path, 'copy');
const quiet = { json: true, progress: () => {} };
const copy = (name: string, whileRunning = false) =>
  backUp({ ...quiet, to: to(), whileRunning }, environmentOf(name));
const load = (name: string, force = false) =>
  restore({ ...quiet, from: to(), force }, environmentOf(name));

test('a restore says that what Kafka holds is passed over before the product starts', async () => {
  await fill('one');
  await copy('one');
  const told = async (environment: Environment) => {
    const done = await restore({ ...quiet, json: false, from: to(), force: true }, environment);
    return done.message;
  };
  const offsets = 'set the offsets of the groups stats and webhook to the end';
  expect(await told(environmentOf('two'))).toContain(`cut off: ${offsets}`);
  const { KAFKA_BROKERS: _, ...withoutBrokers } = environmentOf('two');
  expect(await told(withoutBrokers)).toContain(`cut off: with Kafka, ${offsets}`);
});

test('what is restored is what was copied, byte for byte and with every index', async () => {
  await fill('one');
  const copied = await copy('one');
  expect(copied.exitCode).toBe(0);
  expect(JSON.parse(copied.message)).toMatchObject({ moment: 'stopped', secrets: false });
  const loaded = await load('two');
  expect(loaded.exitCode).toBe(0);
  expect(JSON.parse(loaded.message)).toMatchObject({ cut_entries: 0, cut_accounts: 0 });
  const { job_leases: _, ...contents } = await contentsOf('one');
  expect(Object.keys(contents)).toContain('migrations');
  const { billing_accounts: accounts, ...others } = await contentsOf('two');
  const { billing_accounts: copiedAccounts, ...copiedOthers } = contents;
  expect(others).toEqual(copiedOthers);
  // All but the number that a restore raises.
  const restored = (await open('two')).connection.collection(ACCOUNTS);
  await restored.updateMany({}, { $inc: { notice_seq: -1_000_000 } });
  expect((await contentsOf('two')).billing_accounts).toEqual(copiedAccounts);
  expect(accounts).not.toEqual(copiedAccounts);
  const again = await migrateStores({ json: true }, environmentOf('two'));
  expect(new Set(Object.values(appliedOf(again.message)).flat())).toEqual(new Set());
});

test('a restore raises the numbers of revision logs: followers read all again', async () => {
  await put('one', 'revisions', { _id: 'principals', revision: 300n, recent: [['usr_1']] });
  await copy('one');
  await load('two');
  const { connection } = await open('two');
  const principals = await connection.collection<Entry>('revisions').findOne({ _id: 'principals' });
  expect(principals?.revision).toBe(1_000_300n);
});

test('notices after a restore have no number of one that the copy does not know', async () => {
  await fill('one');
  await copy('one');
  await load('two');
  const accounts = (await open('two')).connection.collection<Entry>(ACCOUNTS);
  const found = await accounts.find({}, { sort: { _id: 1 } }).toArray();
  expect(found.map(({ notice_seq }) => notice_seq)).toEqual([1_000_000, 1_000_030]);
});

const appliedOf = (message: string) =>
  (JSON.parse(message) as { readonly applied: Record<string, readonly string[]> }).applied;

test('what belongs to a moment that is over is not copied, and goes where it is', async () => {
  await fill('one');
  await put('one', 'billing_outbox', { _id: 'out_1' });
  await put('one', 'billing_audit_marks', { _id: 'mark_1' });
  await copy('one');
  const { collections } = readManifest(to());
  const names = collections.map(({ name }) => name);
  const ofAccounts = ['usage_cursors', 'usage_figures', 'billing_accounts'];
  expect(names.slice(0, 3)).toEqual(ofAccounts);
  expect(names.at(-1)).toBe('billing_ledger');
  for (const name of ['billing_outbox', 'billing_audit_marks', 'job_leases']) {
    expect(names).not.toContain(name);
  }
  await put('two', 'billing_outbox', { _id: 'out_2' });
  await load('two', true);
  expect(await contentsOf('two')).not.toHaveProperty('billing_outbox');
});

test('a store that holds something is left as it is, and replaced when that is asked for', async () => {
  await fill('one');
  await copy('one');
  await put('two', 'models', { _id: 'other' });
  const before = await contentsOf('two');
  await expect(load('two')).rejects.toThrow('models holds documents: --force replaces');
  expect(await contentsOf('two')).toEqual(before);
  await load('two', true);
  expect((await contentsOf('two')).models).toEqual((await contentsOf('one')).models);
});

test('what the backup does not have is refused, and emptied when it is forced', async () => {
  await fill('one');
  await copy('one');
  await put('two', 'routing_channels', { _id: 'chn_of_another_time' });
  await expect(load('two')).rejects.toThrow('routing_channels holds documents: --force replaces');
  await load('two', true);
  expect(await contentsOf('two')).not.toHaveProperty('routing_channels');
});

test.each([
  ['is damaged', (path: string) => appendFileSync(path, 'x'), 'is not what was copied'],
  ['is missing', (path: string) => rmSync(path), 'is missing: the backup is not whole'],
])('a backup of which a file %s changes nothing', async (_how, harm, refusal) => {
  await fill('one');
  await copy('one');
  harm(join(to(), 'models.bson'));
  await expect(load('two', true)).rejects.toThrow(refusal);
  expect(await contentsOf('two')).toEqual({});
});

test('the store of both may be named by a file', async () => {
  await fill('one');
  const byFile = (name: string) => {
    const { MONGODB_URI, ...others } = environmentOf(name);
    const file = join(directory.path, `${name}.uri`);
    writeFileSync(file, MONGODB_URI);
    return { ...others, MONGODB_URI_FILE: file };
  };
  await backUp({ ...quiet, to: to(), whileRunning: false }, byFile('one'));
  await restore({ ...quiet, from: to(), force: false }, byFile('two'));
  expect(existsSync(join(directory.path, 'two'))).toBe(false);
  expect((await contentsOf('two')).models).toEqual((await contentsOf('one')).models);
});

type Manifest = ReturnType<typeof readManifest>;

/** Writes other bytes in the place of the models, with a checksum that fits. */
function forge(text: string, bytes: Buffer): string {
  writeFileSync(join(to(), 'models.bson'), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return changeModels(text, { bytes: bytes.length, sha256 });
}

function changeModels(text: string, change: Readonly<Record<string, unknown>>): string {
  const { collections } = JSON.parse(text) as Manifest;
  const changed = collections.map((each) =>
    each.name === 'models' ? { ...each, ...change } : each,
  );
  return toManifest(text, { collections: changed });
}

function toManifest(text: string, change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(text) as Manifest), ...change });
}

test.each<[string, (text: string) => string, string]>([
  ['a length of 0', (text) => forge(text, Buffer.alloc(8)), 'is said to have 0 bytes'],
  ['a length below 0', (text) => forge(text, Buffer.alloc(8, 0xff)), 'is said to have -1 bytes'],
  ['a document without its end', (text) => forge(text, Buffer.from([5, 0, 0, 0, 1])), 'its end'],
  ['another count', (text) => changeModels(text, { documents: 2 }), 'the manifest speaks of 2'],
  ['a name of the engine', (text) => changeModels(text, { name: 'system.users' }), 'no name of'],
  ['a name of commands', (text) => changeModels(text, { name: '$cmd' }), 'no name of a collection'],
  [
    'a file that leads out',
    (text) => changeModels(text, { file: '..' }),
    'a name in the directory',
  ],
  ['a file that is none', (text) => changeModels(text, { file: 5 }), 'a name in the directory'],
  ['an index that is none', (text) => changeModels(text, { indexes: [{ key: { a: 7 } }] }), 'keys'],
  ['a collection twice', (text) => changeModels(text, { name: 'billing_ledger' }), 'there twice'],
  ['no list', (text) => toManifest(text, { collections: {} }), 'collections must be a list'],
])('a backup with %s is refused before anything is changed', async (_what, harm, refusal) => {
  await fill('one');
  await copy('one');
  const path = join(to(), 'manifest.json');
  writeFileSync(path, harm(readFileSync(path, 'utf8')));
  await put('two', 'models', { _id: 'other' });
  const before = await contentsOf('two');
  await expect(load('two', true)).rejects.toThrow(refusal);
  expect(await contentsOf('two')).toEqual(before);
});

test('a directory in the place of a file is no file, and nothing waits for it', async () => {
  await fill('one');
  await copy('one');
  rmSync(join(to(), 'models.bson'));
  mkdirSync(join(to(), 'models.bson'));
  await expect(load('two')).rejects.toThrow('is not a file: the backup is not whole');
});

test('a backup without its manifest is none, and one of a newer schema is refused', async () => {
  await fill('one');
  await copy('one');
  const path = join(to(), 'manifest.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('billing:0001-indexes', 'billing:9999-to-come'));
  await expect(load('two')).rejects.toThrow('of a newer version, which restores it: billing:9999');
  rmSync(path);
  await expect(load('two')).rejects.toThrow('holds no finished backup');
  await expect(copy('one')).rejects.toThrow('is not empty');
});

test('a restore that was interrupted goes on where it was, without being forced', async () => {
  await fill('one');
  await copy('one');
  const { id } = readManifest(to());
  // One collection is whole, one is half there.
  const done = { _id: 'restore', backup: id, done: ['models'] } as const;
  await put('two', 'restore_marks', { ...done });
  await put('two', 'models', { _id: 'was restored before' });
  await put('two', 'billing_ledger', entry('acc_2', 7n));
  await expect(
    backUp({ ...quiet, to: `${to()}-half`, whileRunning: false }, environmentOf('two')),
  ).rejects.toThrow('was interrupted');
  await load('two');
  const restored = await contentsOf('two');
  expect(restored.billing_ledger).toEqual((await contentsOf('one')).billing_ledger);
  expect(restored.models).toMatchObject({ documents: [expect.any(String) as unknown] });
  expect(restored).not.toHaveProperty('restore_marks');
});

test('entries that came while it was copied are cut off and kept', async () => {
  await fill('one');
  await put('one', 'billing_accounts', { _id: 'acc_3', ledger_seq: 1n });
  const late = [entry('acc_1', 2n), entry('acc_1', 3n), entry('acc_3', 1n), entry('acc_3', 2n)];
  await put('one', 'billing_ledger', ...late);
  // Statistics of the first are as old as its account, those of the others came further.
  const reached = { acc_1: 1n, acc_2: 101n, acc_3: 1n };
  const cursors = Object.entries(reached).map(([_id, seq]) => ({ _id, seq }));
  await put('one', 'usage_cursors', ...cursors);
  const figures = [
    { _id: 'f1', accountId: 'acc_1', seq: 1n },
    { _id: 'f2', accountId: 'acc_2', seq: 101n },
    { _id: 'f3', accountId: 'acc_3', seq: 1n },
    { _id: 'f4', accountId: 'acc_3', seq: 2n },
  ];
  await put('one', 'usage_figures', ...figures);
  await copy('one', true);
  const loaded = await load('two');
  expect(JSON.parse(loaded.message)).toMatchObject({ cut_entries: 3, cut_accounts: 3 });
  const { connection } = await open('two');
  const idsOf = async (name: string) =>
    (await connection.collection<Entry>(name).find({}).sort({ _id: 1 }).toArray()).map(
      ({ _id }) => _id,
    );
  const cut = await idsOf('billing_ledger_cut');
  expect(cut.map((id) => id.split('@')[0])).toEqual(['acc_1:2', 'acc_1:3', 'acc_3:2']);
  expect(await idsOf('billing_ledger')).toHaveLength(102);
  expect(await idsOf('usage_cursors')).toEqual(['acc_1']);
  expect(await idsOf('usage_figures')).toEqual(['f1']);
});

/** A copy that holds an entry of the first account which the account does not count. */
async function copyWithLateEntry(amount: bigint): Promise<void> {
  await fill('one');
  await put('one', 'billing_ledger', { ...entry('acc_1', 2n), amount });
  await copy('one', true);
}

async function cutOf(name: string): Promise<readonly Entry[]> {
  const { connection } = await open(name);
  const cut = connection.collection<Entry>('billing_ledger_cut');
  return await cut.find({}).sort({ amount: 1 }).toArray();
}

test('what a restore cut off stays beside what a later one cuts off under the same number', async () => {
  await copyWithLateEntry(1n);
  await load('two');
  await put('two', 'billing_ledger', { ...entry('acc_1', 2n), amount: 2n });
  // Of the time after the first restore, so it knows what that one cut off.
  rmSync(to(), { recursive: true });
  await copy('two', true);
  await load('two', true);
  const cut = await cutOf('two');
  expect(cut.map(({ account_id, seq, amount }) => [account_id, seq, amount])).toEqual([
    ['acc_1', 2n, 1n],
    ['acc_1', 2n, 2n],
  ]);
});

test('a forced restore of a copy that knows nothing of it leaves what one before cut off', async () => {
  await copyWithLateEntry(1n);
  await load('two');
  const [kept] = await cutOf('two');
  await load('two', true);
  const ids = (await cutOf('two')).map(({ _id }) => _id);
  expect(ids).toHaveLength(2);
  expect(ids).toContain(kept?._id);
});

test('a restore that was interrupted while it cut keeps each entry once', async () => {
  await copyWithLateEntry(1n);
  const { id, collections } = readManifest(to());
  await load('two');
  const [kept] = await cutOf('two');
  // As if it had been killed between keeping the entry and its deletion.
  const began_at = kept?._id.split('@')[1] ?? '';
  const done = collections.map(({ name }) => name);
  await put('two', 'restore_marks', { _id: 'restore', backup: id, began_at, done });
  await put('two', 'billing_ledger', { ...entry('acc_1', 2n), amount: 1n });
  const again = await load('two');
  expect(JSON.parse(again.message)).toMatchObject({ cut_entries: 1 });
  expect(await cutOf('two')).toEqual([kept]);
});

test('secrets that a data directory made are copied, for the owner alone, and never replaced unasked', async () => {
  await fill('one');
  const secrets = { serviceSecret: 's', sealingKeys: 'k1:one', keyPeppers: 'p1:one' };
  const dataOf = (name: string) => join(directory.path, name);
  for (const name of ['one', 'two', 'three']) mkdirSync(dataOf(name), { mode: 0o700 });
  writeFileSync(join(dataOf('one'), 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
  await copy('one');
  for (const name of readdirSync(to())) {
    expect([name, statSync(join(to(), name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  await load('two');
  const restored = readFileSync(join(dataOf('two'), 'secrets.json'), 'utf8');
  expect(JSON.parse(restored)).toEqual(secrets);
  const other = JSON.stringify({ ...secrets, sealingKeys: 'k1:other' });
  writeFileSync(join(dataOf('three'), 'secrets.json'), other);
  await expect(load('three')).rejects.toThrow('holds other secrets: --force replaces them');
  // Refused before the store was marked as half restored, so the product starts on it as before.
  await requireNoOpenRestore(await open('three'));
});
