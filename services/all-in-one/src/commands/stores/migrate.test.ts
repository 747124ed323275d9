import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@tollgate/core';
import { openMongo } from '@tollgate/mongo';
import { createTestMongo, makeTemporaryDirectory } from '@tollgate/testkit';
import { migrateStores } from './migrate';

let server: Awaited<ReturnType<typeof createTestMongo>>;

beforeEach(async () => {
  server = await createTestMongo();
});

afterEach(() => server.close());

function environment() {
  return {
    MONGODB_URI: server.uriFor('tollgate'),
    TOLLGATE_SERVICE_SECRET: 'a'.repeat(64),
    KAFKA_BROKERS: '127.0.0.1:9',
    TOLLGATE_RPC_PLAINTEXT: 'true',
    TOLLGATE_ADMIN_PORT: '0',
    LOG_LEVEL: 'error',
  };
}

/** The keys of the collection's indexes. */
async function indexesOf(collection: string): Promise<readonly object[]> {
  const uri = server.uriFor('tollgate');
  const store = openMongo({ uri, appName: 'test', logger: silentLogger });
  await store.connect();
  const indexes = await store.connection.collection(collection).indexes();
  await store.close();
  return indexes.map(({ key }) => key);
}

test('every service has its schema after one command, and a second one has nothing to do', async () => {
  const first = await migrateStores({ json: false }, environment());
  expect(first.exitCode).toBe(0);
  const names = ['routing', 'billing', 'identity', 'webhook', 'stats'];
  for (const name of names) expect(first.message).toContain(`${name}: 0001-indexes`);
  const second = await migrateStores({ json: false }, environment());
  expect(second.message).toContain(names.map((name) => `${name}: nothing to do\n`).join(''));
});

test('with the brokers away the schema is there, and the topics are told as left to services', async () => {
  const { exitCode, message } = await migrateStores({ json: false }, environment());
  expect(exitCode).toBe(0);
  expect(message).toMatch(/^topics: not looked at \(.+\); services make them when they start$/m);
});

test('what jobs look for again and again has an index', async () => {
  await migrateStores({ json: false }, environment());
  expect(await indexesOf('channels')).toContainEqual({ _id: 1, 'outbox.id': 1 });
  expect(await indexesOf('usage_cursors')).toContainEqual({ at: -1 });
  expect(await indexesOf('billing_accounts')).toContainEqual({ journal_at: 1, _id: 1 });
});

test('the store may be named by a file', async () => {
  const directory = await makeTemporaryDirectory('migrate');
  const file = join(directory.path, 'uri');
  const { MONGODB_URI, ...others } = environment();
  writeFileSync(file, MONGODB_URI);
  const { message } = await migrateStores({ json: false }, { ...others, MONGODB_URI_FILE: file });
  expect(message).toContain('billing: 0001-indexes');
  await directory.remove();
});

test('without an address the command says what is missing', async () => {
  await expect(migrateStores({ json: false }, {})).rejects.toThrow(
    'MONGODB_URI must name the document store',
  );
});
