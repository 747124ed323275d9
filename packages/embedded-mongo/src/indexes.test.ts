import { seededRandom } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import mongoose from 'mongoose';
import { createEmbeddedMongo } from './index';
import { connect, type StoreUnderTest, startStore } from './testing/store-under-test';

const DOCUMENTS = 300;
const QUERIES = 250;

const SCALARS = [null, 0, 1, 2, 3, 2.5, 1n, 'a', 'b', true, new Date(5)] as const;

interface IdDocument {
  readonly _id: number;
  [name: string]: unknown;
}

function pick<T>(random: () => number, choices: readonly T[]): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to pick from');
  return choice;
}

function randomDocument(random: () => number, id: number): IdDocument {
  const document: IdDocument = { _id: id };
  for (const name of ['a', 'b', 'c']) {
    if (random() < 0.85) document[name] = pick(random, SCALARS);
  }
  if (random() < 0.4) {
    const length = Math.floor(random() * 4);
    document.tags = Array.from({ length }, () => pick(random, SCALARS));
  } else if (random() < 0.6) {
    document.tags = pick(random, SCALARS);
  }
  if (random() < 0.7) document.sub = { x: pick(random, SCALARS) };
  return document;
}

function randomCondition(random: () => number): unknown {
  const value = () => pick(random, SCALARS);
  return pick(random, [
    value,
    value,
    () => ({ $in: [value(), value(), value()] }),
    () => ({ $gt: value() }),
    () => ({ $gte: value(), $lt: value() }),
    () => ({ $lte: value() }),
    () => ({ $ne: value() }),
    () => ({ $exists: random() < 0.5 }),
    () => ({ $nin: [value(), value()] }),
  ])();
}

/** One or two conditions: more would leave too few matches to tell a wrong plan. */
function randomFilter(random: () => number): Record<string, unknown> {
  const names = ['a', 'b', 'c', 'tags', 'tags', 'sub.x', '_id'] as const;
  const filter: Record<string, unknown> = {};
  for (let count = random() < 0.4 ? 1 : 2; count > 0; count -= 1) {
    filter[pick(random, names)] = randomCondition(random);
  }
  return filter;
}

describe('indexes', () => {
  let subject: StoreUnderTest;
  const clock = createFakeClock();

  beforeAll(async () => {
    subject = await startStore({
      clock,
      bounds: { expirySweepIntervalMs: 1_000, expirySweepDocumentsMax: 10 },
    });
  });
  afterAll(() => subject.stop());

  it('never change an answer: seeded queries agree with and without them', async () => {
    const random = seededRandom(20_260_514);
    const documents = Array.from({ length: DOCUMENTS }, (_, id) => randomDocument(random, id));
    const plain = subject.db.collection<IdDocument>('plain');
    const indexed = subject.db.collection<IdDocument>('indexed');
    await indexed.createIndexes([
      { key: { a: 1, b: -1 } },
      { key: { b: 1, c: 1, a: 1 } },
      { key: { tags: 1, a: 1 } },
      { key: { c: -1 }, sparse: true },
      { key: { 'sub.x': 1 }, partialFilterExpression: { a: { $gte: 1 } } },
    ]);
    await plain.insertMany(documents);
    await indexed.insertMany(documents);
    for (let round = 0; round < QUERIES; round += 1) {
      // Changes on the way show that indexes follow updates and deletes.
      if (round % 8 === 0) {
        const change = { $set: { [pick(random, ['a', 'b', 'tags'])]: pick(random, SCALARS) } };
        const filter: Record<string, unknown> = {
          ...randomFilter(random),
          _id: { $gte: random() * DOCUMENTS },
        };
        const counts = [
          await plain.updateMany(filter, change),
          await indexed.updateMany(filter, change),
        ].map((result) => result.modifiedCount);
        expect([filter, counts[1]]).toEqual([filter, counts[0]]);
      }
      const filter = randomFilter(random);
      const first = pick(random, ['a', 'b', 'c', 'tags', '_id']);
      const sort = { [first]: pick(random, [1, -1] as const), _id: 1 } as const;
      const limit = pick(random, [0, 0, 5]);
      const expected = await plain.find(filter, { sort, limit }).toArray();
      const actual = await indexed.find(filter, { sort, limit }).toArray();
      expect([filter, sort, actual]).toEqual([filter, sort, expected]);
    }
  });

  it('answer a duplicate with the key pattern and value that mongoose reads', async () => {
    const schema = new mongoose.Schema({ _id: String, owner: String, name: String });
    schema.index({ owner: 1, name: 1 }, { unique: true });
    const Key = subject.connection.model('Key', schema);
    await Key.createIndexes();
    await Key.create({ _id: 'k1', owner: 'o', name: 'n' });
    await expect(Key.create({ _id: 'k2', owner: 'o', name: 'n' })).rejects.toMatchObject({
      code: 11_000,
      keyPattern: { owner: 1, name: 1 },
      keyValue: { owner: 'o', name: 'n' },
    });
    await expect(Key.create({ _id: 'k1', owner: 'x', name: 'x' })).rejects.toMatchObject({
      code: 11_000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 'k1' },
    });
  });

  it('let documents expire at the time their TTL index says, and no sooner', async () => {
    const sessions = subject.db.collection<{ _id: string; at?: unknown }>('sessions');
    await sessions.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const at = new Date(clock.now());
    await sessions.insertMany([
      { _id: 'due', at },
      { _id: 'later', at: new Date(clock.now() + 1) },
      { _id: 'not a date', at: 'text' },
      { _id: 'earliest of several', at: [new Date(clock.now() + 999_999), at] },
      { _id: 'none' },
    ]);
    await clock.advance(59_999);
    expect(await subject.store.sweepExpired()).toBe(0);
    await clock.advance(1);
    await subject.store.sweepExpired();
    const left = await sessions.find({}, { sort: { _id: 1 } }).toArray();
    expect(left.map((document) => document._id)).toEqual(['later', 'none', 'not a date']);
  });

  it('expire a backlog completely, in bounded steps', async () => {
    const backlog = subject.db.collection('backlog');
    await backlog.createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    await backlog.insertMany(Array.from({ length: 95 }, () => ({ at: new Date(clock.now()) })));
    await subject.store.sweepExpired();
    expect(await backlog.countDocuments({})).toBe(0);
  });

  it('expire documents by themselves at the sweep interval', async () => {
    const leases = subject.db.collection<{ _id: string; until: Date }>('leases');
    await leases.createIndex({ until: 1 }, { expireAfterSeconds: 0 });
    await leases.insertOne({ _id: 'l', until: new Date(clock.now() + 500) });
    await clock.advance(1_000);
    expect(await leases.countDocuments({})).toBe(0);
  });

  it('are kept with their documents when the file is opened again', async () => {
    const first = await startStore();
    await first.db.collection('kept').createIndex({ k: 1 }, { unique: true, name: 'own name' });
    await first.db.collection('kept').insertOne({ k: 1 });
    await first.connection.close();
    await first.store.close();
    const store = await createEmbeddedMongo({
      dataPath: first.dataPath,
      listen: { host: '127.0.0.1', port: 0 },
    });
    const connection = await connect(store.uriFor('test'));
    const kept = connection.collection('kept');
    await expect(kept.insertOne({ k: 1 })).rejects.toMatchObject({ code: 11_000 });
    expect(await kept.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { k: 1 }, name: 'own name', unique: true },
    ]);
    await connection.close();
    await store.close();
    await first.stop();
  });
});
