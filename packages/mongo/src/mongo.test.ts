import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { isTransient, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import {
  createFakeClock,
  createTestMongo,
  describeJobLeaseStore,
  waitFor,
} from '@tollgate/testkit';
import { insertNew } from './failures';
import {
  createJobLeaseStore,
  createRawCollections,
  createRevisionLog,
  databaseFailure,
  documentsOf,
  findRunningGroups,
  hasOnlyDuplicates,
  insertNewOnes,
  isDuplicateKey,
  type Migration,
  type MongoStore,
  openMongo,
  type RevisionDelta,
  runMigrations,
  withDatabaseFailures,
} from './index';

const logger = silentLogger;
let server: EmbeddedMongo;
let stores: MongoStore[];
const closers: (() => void)[] = [];

beforeEach(async () => {
  server = await createTestMongo();
  stores = [];
});

afterEach(async () => {
  for (const close of closers.splice(0)) close();
  for (const store of stores) await store.close();
  await server.close();
});

async function connected(): Promise<MongoStore> {
  const store = openMongo({ uri: server.uriFor('test'), appName: 'test', logger });
  stores.push(store);
  await store.connect();
  return store;
}

test('Int64 values beyond 2^53 come back exact, as bigint', async () => {
  const store = await connected();
  const amounts = store.connection.collection<{ _id: string; amount: bigint }>('amounts');
  await amounts.insertOne({ _id: 'a', amount: 9_007_199_254_740_993n });
  expect((await amounts.findOne({ _id: 'a' }))?.amount).toBe(9_007_199_254_740_993n);
});

test('a store that cannot be reached is SERVICE_UNAVAILABLE with a short wait', async () => {
  const store = openMongo({
    uri: `mongodb://${encodeURIComponent('/nowhere/nobody.sock')}/test`,
    appName: 'test',
    logger,
    selectionTimeoutMs: 100,
  });
  stores.push(store);
  await expect(store.connect()).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterMs: 1000,
  });
  expect(store.isHealthy()).toBe(false);
});

describe('a server that is frozen', () => {
  /** Between the driver and the store; what the store says is not passed on while it is frozen. */
  async function startProxy() {
    let isFrozen = false;
    const sockets = new Set<Socket>();
    const proxy = createServer((incoming) => {
      const outgoing = connect(decodeURIComponent(new URL(server.uriFor('test')).hostname));
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          incoming.destroy();
          outgoing.destroy();
        });
      }
      incoming.on('data', (data) => outgoing.write(data));
      outgoing.on('data', (data) => {
        if (!isFrozen) incoming.write(data);
      });
    });
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    return {
      port: (proxy.address() as AddressInfo).port,
      freeze() {
        isFrozen = true;
      },
    };
  }

  test('keeps nobody waiting for the connections that it holds', async () => {
    const proxy = await startProxy();
    const uri = `mongodb://127.0.0.1:${proxy.port}/test?directConnection=true`;
    const store = openMongo({
      uri: `${uri}&waitQueueTimeoutMS=2000`,
      appName: 'test',
      logger,
      poolSizeMax: 1,
    });
    stores.push(store);
    await store.connect();
    const read = () => withDatabaseFailures(() => store.connection.collection('x').findOne({}));
    expect(await read()).toBeNull();
    proxy.freeze();
    const held = read().catch(databaseFailure);
    await expect(read()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/^MongoWaitQueueTimeoutError/) as string,
    });
    for (const close of closers.splice(0)) close();
    expect(await held).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('is given up at once by new commands also where the URI says nothing of it', async () => {
    const { connection } = await connected();
    const { waitQueueTimeoutMS, connectTimeoutMS } = connection.getClient().options;
    expect([waitQueueTimeoutMS, connectTimeoutMS]).toEqual([5000, 5000]);
  });

  test('is waited for by commands that may take any time', async () => {
    const patient = (await connected()).withoutTimeout();
    stores.push(patient);
    await patient.connect();
    expect(patient.connection.getClient().options.waitQueueTimeoutMS).toBe(0);
  });
});

test('a command before any connection fails at once instead of waiting in a buffer', async () => {
  const store = openMongo({ uri: server.uriFor('test'), appName: 'test', logger });
  stores.push(store);
  const early = async () => store.connection.collection('x').findOne({});
  await expect(
    early().catch((error: unknown) => Promise.reject(databaseFailure(error))),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a document is inserted once, and any other answered error is DATABASE_ERROR', async () => {
  const store = await connected();
  const names = store.connection.collection<{ _id: string }>('names');
  const insert = () => names.insertOne({ _id: 'a' });
  expect([await insertNew(insert), await insertNew(insert)]).toEqual([true, false]);
  expect(isDuplicateKey(await insert().catch((error: unknown) => error))).toBe(true);
  const unknown: unknown = await store.connection.db
    ?.command({ noSuchCommand: 1 })
    .catch((error: unknown) => error);
  expect(isDuplicateKey(unknown)).toBe(false);
  const answered = { code: 'DATABASE_ERROR', retryable: true };
  expect(databaseFailure(unknown)).toMatchObject(answered);
  await expect(insertNew(() => Promise.reject(unknown))).rejects.toMatchObject(answered);
});

test('documents that are read one by one end with an outage of the store, and not short', async () => {
  const gone = await createTestMongo();
  const uri = gone.uriFor('test');
  const store = openMongo({ uri, appName: 'test', logger, selectionTimeoutMs: 3000 });
  stores.push(store);
  await store.connect();
  const names = documentsOf<{ readonly _id: string }>(store, 'names');
  await names.collection().insertMany(Array.from({ length: 2_500 }, (_, at) => ({ _id: `${at}` })));
  const seen: string[] = [];
  for await (const { _id } of names.each({})) seen.push(_id);
  expect(seen).toHaveLength(2_500);
  const untilGone = async () => {
    for await (const { _id } of names.each({})) if (_id === '0') await gone.close();
  };
  await expect(untilGone()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('of many documents those are inserted that are not there', async () => {
  const names = (await connected()).connection.collection<{ _id: string }>('names');
  const insert = (...ids: readonly string[]) =>
    insertNewOnes(() =>
      names.insertMany(
        ids.map((_id) => ({ _id })),
        { ordered: false },
      ),
    );
  expect(await insert('a', 'b')).toBe(true);
  expect(await insert('a', 'c', 'b', 'd')).toBe(false);
  expect(await names.countDocuments()).toBe(4);
  const failure = insertNewOnes(() => Promise.reject(new TypeError('no such member')));
  await expect(failure).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});

describe('a bulk', () => {
  interface Named {
    readonly _id: unknown;
  }

  const insert = ({ connection }: MongoStore, names: readonly unknown[]) =>
    connection
      .collection<Named>('names')
      .insertMany(
        names.map((_id) => ({ _id })),
        { ordered: false },
      )
      .catch((error: unknown) => error);

  test('has only duplicates when nothing else of it was refused', async () => {
    const store = await connected();
    await insert(store, ['a', 'b']);
    expect(hasOnlyDuplicates(await insert(store, ['a', 'c', 'b']))).toBe(true);
    // No id may be a list.
    expect(hasOnlyDuplicates(await insert(store, ['a', ['d']]))).toBe(false);
  });

  test('that nobody answered has no duplicates: the store is away', async () => {
    const gone = await createTestMongo();
    const uri = gone.uriFor('test');
    const store = openMongo({ uri, appName: 'test', logger, selectionTimeoutMs: 3000 });
    stores.push(store);
    await store.connect();
    await gone.close();
    const failure = await insert(store, ['a']);
    expect(failure).toBeInstanceOf(Error);
    expect(hasOnlyDuplicates(failure)).toBe(false);
    expect(databaseFailure(failure)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterMs: 1000,
    });
  });
});

test('a document that refuses a change is at fault itself: no other time helps', async () => {
  const names = (await connected()).connection.collection<{ _id: string; name: number | string }>(
    'names',
  );
  await names.insertOne({ _id: 'a', name: 'text' });
  const refused: unknown = await names
    .updateOne({ _id: 'a' }, { $inc: { name: 1 } as Record<string, number> })
    .catch((error: unknown) => error);
  expect(databaseFailure(refused)).toMatchObject({ code: 'DATABASE_ERROR', retryable: false });
});

test.each<[string, (id: string) => Document]>([
  ['cannot be mapped', (_id) => ({ _id: new Date(Number.NaN).toISOString() })],
  ['refers to itself', createCircle],
  ['is larger than any may be', (_id) => ({ _id, text: 'x'.repeat(17 * 1024 * 1024) })],
])('a document that %s is at fault itself: no other time helps', async (_, toDocument) => {
  const documents = (await connected()).connection.collection<Document>('documents');
  const failure: unknown = await withDatabaseFailures(async () =>
    documents.insertMany([toDocument('a')], { ordered: false }),
  ).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(isTransient(failure)).toBe(false);
});

interface Document {
  readonly _id: string;
  readonly text?: string;
  itself?: Document;
}

function createCircle(_id: string): Document {
  const document: Document = { _id };
  document.itself = document;
  return document;
}

test('a migration runs once, and the replica that does not run it waits for its end', async () => {
  const [first, second] = [await connected(), await connected()];
  const release = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let runs = 0;
  const migrations = [
    {
      name: '0001',
      up: async () => {
        runs += 1;
        started.resolve();
        await release.promise;
      },
    },
  ];
  const ended: string[] = [];
  const migrate = async (name: string, store: MongoStore) => {
    const applied = await runMigrations(store, 'svc', migrations, logger);
    ended.push(name);
    return applied;
  };
  const both = [migrate('first', first)];
  await started.promise;
  const looked = jest.spyOn(second.connection, 'collection');
  both.push(migrate('second', second));
  await waitFor(() => looked.mock.calls.some(([name]) => name === 'job_leases'));
  expect({ runs, ended }).toEqual({ runs: 1, ended: [] });
  release.resolve();
  expect((await Promise.all(both)).flat()).toEqual(['0001']);
  expect(await runMigrations(first, 'svc', migrations, logger)).toEqual([]);
  expect(runs).toBe(1);
});

test('a migration that fails is told, and runs again at the next start', async () => {
  const store = await connected();
  let isBroken = true;
  const up = async () => {
    if (isBroken) throw new Error('no room');
  };
  const migrations = [{ name: '0001', up }];
  await expect(runMigrations(store, 'svc', migrations, logger)).rejects.toThrow('no room');
  isBroken = false;
  expect(await runMigrations(store, 'svc', migrations, logger)).toEqual(['0001']);
});

test('no service starts on a store whose restore was interrupted', async () => {
  const store = await connected();
  const marks = store.connection.collection<{ _id: string }>('restore_marks');
  await marks.insertOne({ _id: 'restore' });
  await expect(runMigrations(store, 'svc', [], logger)).rejects.toThrow('was interrupted');
  await marks.deleteMany({});
  expect(await runMigrations(store, 'svc', [], logger)).toEqual([]);
});

test('a migration may take longer than any command of a service', async () => {
  const store = await connected();
  const timeouts: (number | undefined)[] = [];
  const up: Migration['up'] = async (connection) => {
    timeouts.push(connection.getClient().options.socketTimeoutMS);
  };
  await runMigrations(store, 'svc', [{ name: '0001', up }], logger);
  expect(timeouts).toEqual([0]);
  expect(store.connection.getClient().options.socketTimeoutMS).toBeGreaterThan(0);
});

describeJobLeaseStore('a collection', async () => createJobLeaseStore(await connected()));

describe('revision log', () => {
  async function log(keep?: number) {
    const clock = createFakeClock();
    const store = await connected();
    const created = createRevisionLog({
      store,
      name: 'things',
      clock,
      logger,
      ...(keep === undefined ? {} : { keep }),
    });
    await created.start();
    return { log: created, clock, store };
  }

  interface Stored {
    readonly _id: string;
    readonly revision: bigint;
    readonly recent: readonly string[][];
  }

  /** Moves the clock until the log has looked at the store again. */
  async function untilRevision(side: Awaited<ReturnType<typeof log>>, revision: bigint) {
    for (let turn = 0; turn < 500 && side.log.revision() !== revision; turn += 1) {
      await side.clock.advance(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(side.log.revision()).toBe(revision);
  }

  test('a change of one replica reaches the other in order', async () => {
    const [a, b] = [await log(), await log()];
    const heard: RevisionDelta[] = [];
    b.log.subscribe(0n, (delta) => heard.push(delta));
    await a.log.append(['key:1']);
    await a.log.append(['key:2', 'account:3']);
    await untilRevision(b, 2n);
    expect(heard.flatMap((delta) => delta.changes)).toEqual(['key:1', 'key:2', 'account:3']);
    expect(heard.some((delta) => delta.reset)).toBe(false);
    a.log.stop();
    b.log.stop();
  });

  test('a subscriber that missed something hears it at once', async () => {
    const { log: only } = await log();
    await only.append(['a']);
    await only.append(['b']);
    const heard: RevisionDelta[] = [];
    only.subscribe(1n, (delta) => heard.push(delta));
    expect(heard).toEqual([{ revision: 2n, changes: ['b'], reset: false }]);
    only.stop();
  });

  test('a subscriber that is too far behind is told to forget everything', async () => {
    const { log: only } = await log(2);
    for (const change of ['a', 'b', 'c', 'd']) await only.append([change]);
    const heard: RevisionDelta[] = [];
    only.subscribe(1n, (delta) => heard.push(delta));
    expect(heard).toEqual([{ revision: 4n, changes: [], reset: true }]);
    only.stop();
  });

  test('a log that went back to a restored copy is taken over: all are told to forget', async () => {
    const side = await log();
    for (const change of ['a', 'b', 'c']) await side.log.append([change]);
    const heard: RevisionDelta[] = [];
    side.log.subscribe(3n, (delta) => heard.push(delta));
    const copy = { revision: 1n, recent: [['a']] };
    await side.store.connection.collection<Stored>('revisions').replaceOne({ _id: 'things' }, copy);
    await untilRevision(side, 1n);
    await side.log.append(['d']);
    expect(heard).toEqual([
      { revision: 1n, changes: [], reset: true },
      { revision: 2n, changes: ['d'], reset: false },
    ]);
    side.log.stop();
  });

  test('what was read before an append here ended does not take it back', async () => {
    const { log: only, clock, store } = await log();
    await only.append(['a']);
    const revisions = store.connection.collection<Stored>('revisions');
    const older = await revisions.findOne({ _id: 'things' });
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reads = jest.spyOn(revisions, 'findOne').mockImplementation(async () => {
      asked.resolve();
      await answered.promise;
      return older;
    });
    const heard: RevisionDelta[] = [];
    only.subscribe(1n, (delta) => heard.push(delta));
    await clock.advance(250);
    await asked.promise;
    await only.append(['b']);
    answered.resolve();
    await waitFor(() => reads.mock.calls.length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(only.revision()).toBe(2n);
    expect(heard).toEqual([{ revision: 2n, changes: ['b'], reset: false }]);
    only.stop();
  });

  test('a subscriber that fails keeps a change from no other, and the change was appended', async () => {
    const { log: only } = await log();
    const heard: RevisionDelta[] = [];
    only.subscribe(0n, () => {
      throw new Error('a subscriber that fails');
    });
    only.subscribe(0n, (delta) => heard.push(delta));
    expect(await only.append(['a'])).toBe(1n);
    expect(heard).toEqual([{ revision: 1n, changes: ['a'], reset: false }]);
    only.stop();
  });

  test('50 parallel appends make 50 revisions and lose no change', async () => {
    const { log: only } = await log();
    const heard: string[] = [];
    only.subscribe(0n, (delta) => heard.push(...delta.changes));
    const changes = Array.from({ length: 50 }, (_, index) => `c${index}`);
    await Promise.all(changes.map((change) => only.append([change])));
    expect(only.revision()).toBe(50n);
    expect([...heard].sort()).toEqual([...changes].sort());
    only.stop();
  });
});

describe('which services run', () => {
  interface Lease {
    readonly _id: string;
    readonly holder: string;
    readonly beat: bigint;
    readonly ttl_ms?: number;
  }

  async function withLeases(...rows: readonly Lease[]) {
    const store = await connected();
    const clock = createFakeClock();
    const leases = store.connection.collection<Lease>('job_leases');
    if (rows.length > 0) await leases.insertMany([...rows]);
    const waits: number[] = [];
    const find = () => findRunningGroups(store, clock, (waitMs) => void waits.push(waitMs));
    return { clock, leases, waits, find };
  }

  test('one whose leader beats, not one whose lease is left or was never taken up', async () => {
    const { clock, leases, waits, find } = await withLeases(
      { _id: 'billing-jobs/shard 0', holder: 'rep_1', beat: 1n, ttl_ms: 6_000 },
      { _id: 'webhook-jobs/shard 0', holder: 'rep_2', beat: 1n, ttl_ms: 15_000 },
      { _id: 'routing-jobs/shard 0', holder: '', beat: 1n, ttl_ms: 300_000 },
    );
    const found = find();
    await clock.untilNextTimer();
    await leases.updateOne({ _id: 'billing-jobs/shard 0' }, { $inc: { beat: 1n } });
    await clock.advance(6_000);
    expect(await found).toEqual(['billing-jobs']);
    expect(waits).toEqual([6_000]);
  });

  test.each<[string, Pick<Lease, 'ttl_ms'>, number]>([
    ['of a minute of silence', { ttl_ms: 60_000 }, 21_000],
    ['of an older version', {}, 101_000],
  ])('a leader %s is waited for as long as it may be silent', async (_what, ttl, waitMs) => {
    const row = { _id: 'billing-jobs/shard 0', holder: 'rep_1', beat: 1n, ...ttl };
    const { clock, waits, find } = await withLeases(row);
    const found = find();
    await clock.untilNextTimer();
    await clock.advance(waitMs);
    expect(await found).toEqual([]);
    expect(waits).toEqual([waitMs]);
  });

  test('none where nobody leads, at once', async () => {
    const { waits, find } = await withLeases();
    expect([await find(), waits]).toEqual([[], []]);
  });

  test('a lease that is taken over has the time to live of who has it', async () => {
    const store = await connected();
    const leases = createJobLeaseStore(store);
    const first = { replica: 'rep_1', fence: 1n, beat: 1n, ttlMs: 6_000 };
    await leases.take('jobs', first, undefined);
    const second = { replica: 'rep_2', fence: 2n, beat: 2n, ttlMs: 60_000 };
    await leases.take('jobs', second, first);
    expect(await leases.read('jobs')).toEqual(second);
    const row = await store.connection.collection('job_leases').findOne({});
    expect(row).toMatchObject({ holder: 'rep_2', ttl_ms: 60_000 });
  });
});

test('a collection is read and written page by page, and every number keeps its type', async () => {
  const store = await connected();
  const raw = createRawCollections(store);
  const ids = Array.from({ length: 250 }, (_, index) => `id_${String(index).padStart(3, '0')}`);
  const documents = ids.map((_id) => ({ _id, whole: 1, exact: 2n ** 60n, broken: 0.5 }));
  await store.connection.collection<{ _id: string }>('from').insertMany(documents);
  const pages: (readonly Uint8Array[])[] = [];
  for await (const page of raw.pages('from')) {
    pages.push(page);
    await raw.insert('to', page);
  }
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
  const copied: Uint8Array[] = [];
  for await (const page of raw.pages('to')) copied.push(...page);
  expect(Buffer.concat(copied).equals(Buffer.concat(pages.flat()))).toBe(true);
  expect([...(await raw.names())].sort()).toEqual(['from', 'to']);
  await raw.clear('to');
  expect(await raw.count('to')).toBe(0);
});

test('under another id a document is inserted once, and stays as it is', async () => {
  const store = await connected();
  const raw = createRawCollections(store);
  const from = store.connection.collection<{ _id: string; exact: bigint }>('from');
  await from.insertMany([{ _id: 'a', exact: 2n ** 60n }]);
  const insert = async () => {
    for await (const page of raw.pages('from')) await raw.insertAs('to', page, (id) => `${id}@1`);
  };
  await insert();
  await from.updateOne({ _id: 'a' }, { $set: { exact: 1n } });
  await from.insertMany([{ _id: 'b', exact: 2n }]);
  await insert();
  const found = await store.connection.collection('to').find({}).sort({ _id: 1 }).toArray();
  expect(found).toEqual([
    { _id: 'a@1', exact: 2n ** 60n },
    { _id: 'b@1', exact: 2n },
  ]);
});

test('an id that is no text is told, because documents behind it would be missed', async () => {
  const store = await connected();
  await store.connection.collection('odd').insertOne({});
  const read = async () => {
    for await (const _page of createRawCollections(store).pages('odd')) expect(_page).toEqual([]);
  };
  await expect(read()).rejects.toThrow('odd has a document whose id is no text');
});
