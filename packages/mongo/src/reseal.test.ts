import { createSealer, type RotatingSealer, sealingKeyIdOf, silentLogger } from '@tollgate/core';
import type { EmbeddedMongo } from '@tollgate/embedded-mongo';
import { NOTHING_FOUND } from '@tollgate/jobs';
import { createRecordingLogger, createTestMongo } from '@tollgate/testkit';
import { countSealed, createReseal, type MongoStore, openMongo, type SealedMember } from './index';

const key = (id: string) => ({ id, secret: Buffer.alloc(32, id) });
const OLD = createSealer([key('old')], 'test');
/** What every replica has once it was restarted with the newest key first. */
const ROTATED = createSealer([key('new'), key('old')], 'test');
const ALONE = createSealer([key('new')], 'test');

const TEXTS: SealedMember = {
  collection: 'texts',
  member: 'credential',
  recordOf: (id) => `record/${id}`,
};
const LISTS: SealedMember = { collection: 'lists', member: 'secrets', recordOf: (id) => id };

let server: EmbeddedMongo;
let store: MongoStore;

beforeAll(async () => {
  server = await createTestMongo();
});

afterAll(() => server.close());

beforeEach(async () => {
  store = openMongo({ uri: server.uriFor('reseal'), appName: 'test', logger: silentLogger });
  await store.connect();
  for (const name of ['texts', 'lists']) await documents(name).deleteMany({});
});

afterEach(() => store.close());

const documents = (name: string) =>
  store.connection.collection<{ _id: string; credential?: string; secrets?: object[] }>(name);

interface Round {
  readonly sealer?: RotatingSealer;
  readonly signal?: AbortSignal;
  readonly store?: MongoStore;
}

function round(member: SealedMember, { signal, ...over }: Round = {}) {
  const logger = createRecordingLogger();
  const job = createReseal({ store, sealer: ROTATED, ...over, member, logger });
  return { run: job.run(signal ?? new AbortController().signal), logger };
}

const counted = async (member: SealedMember) =>
  Object.fromEntries(await countSealed(store, member));

async function keepTexts(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, number) => `d${1000 + number}`);
  const sealed = ids.map((id) => ({
    _id: id,
    credential: OLD.seal(`of ${id}`, `record/${id}`),
  }));
  await documents('texts').insertMany(sealed);
}

test('after a round the old key opens nothing, and the new one alone opens everything', async () => {
  await keepTexts(105);
  const { run, logger } = round(TEXTS);
  await run;
  expect(await counted(TEXTS)).toEqual({ new: 105 });
  for (const { _id, credential = '' } of await documents('texts').find({}).toArray()) {
    expect(ALONE.open(credential, `record/${_id}`)).toBe(`of ${_id}`);
  }
  expect(logger.lines).toMatchObject([
    { level: 'info', fields: { collection: 'texts', resealed: 105, left: 0 } },
  ]);
  expect(await round(TEXTS).run).toBe(NOTHING_FOUND);
});

test('of a list only what is old is sealed again, and the rest of it stays', async () => {
  const recent = ROTATED.seal('two', 'w1');
  const secrets = [
    { sealed: recent, expiresAtMs: null },
    { sealed: OLD.seal('one', 'w1'), expiresAtMs: 7 },
  ];
  await documents('lists').insertOne({ _id: 'w1', secrets });
  await round(LISTS).run;
  const found = await documents('lists').findOne({ _id: 'w1' });
  const [first, second] = (found?.secrets ?? []) as typeof secrets;
  expect(first).toEqual(secrets[0]);
  expect(second?.expiresAtMs).toBe(7);
  expect(ALONE.open(second?.sealed ?? '', 'w1')).toBe('one');
});

test('what was written meanwhile is not overwritten, and is seen to by the next round', async () => {
  await keepTexts(1);
  const written = OLD.seal('a later credential', 'record/d1000');
  const texts = documents('texts');
  const overtaken = {
    find: texts.find.bind(texts),
    async updateOne(...input: Parameters<typeof texts.updateOne>) {
      await texts.updateOne({ _id: 'd1000' }, { $set: { credential: written } });
      return texts.updateOne(...input);
    },
  };
  // The round reads this collection and nothing else of the store.
  const between = { connection: { collection: () => overtaken } } as unknown as MongoStore;
  const { run, logger } = round(TEXTS, { store: between });
  await run;
  expect((await texts.findOne({ _id: 'd1000' }))?.credential).toBe(written);
  expect(logger.lines).toMatchObject([{ fields: { resealed: 0, left: 1 } }]);
  await round(TEXTS).run;
  const found = await texts.findOne({ _id: 'd1000' });
  expect(ALONE.open(found?.credential ?? '', 'record/d1000')).toBe('a later credential');
});

test('one whose key is gone is told of and stops none of the others', async () => {
  await keepTexts(2);
  const lost = createSealer([key('lost')], 'test').seal('x', 'record/a');
  await documents('texts').insertMany([{ _id: 'a', credential: lost }, { _id: 'without' }]);
  const { run, logger } = round(TEXTS);
  await run;
  expect(await counted(TEXTS)).toEqual({ lost: 1, new: 2 });
  expect(logger.lines.at(-1)).toMatchObject({
    level: 'warn',
    fields: { resealed: 2, left: 1 },
    message: expect.stringMatching('is left') as string,
  });
  // It stays, and the collection is not read each minute for it.
  expect(await round(TEXTS).run).toBe(NOTHING_FOUND);
});

test('a round that was cut short is gone on with by the next, wherever that runs', async () => {
  await keepTexts(120);
  const cut = new AbortController();
  let opened = 0;
  const dying: RotatingSealer = {
    ...ROTATED,
    open(sealed, recordId) {
      opened += 1;
      if (opened === 110) cut.abort();
      return ROTATED.open(sealed, recordId);
    },
  };
  await round(TEXTS, { sealer: dying, signal: cut.signal }).run;
  expect(await counted(TEXTS)).toEqual({ new: 110, old: 10 });
  const { run, logger } = round(TEXTS);
  await run;
  expect(await counted(TEXTS)).toEqual({ new: 120 });
  expect(logger.lines).toMatchObject([{ fields: { resealed: 10 } }]);
});

test('text of no known form counts for no key', () => {
  expect(sealingKeyIdOf('v1.a.AAAA')).toBe('a');
  expect(sealingKeyIdOf('v0.a.AAAA')).toBeUndefined();
  expect(sealingKeyIdOf('plain')).toBeUndefined();
});
