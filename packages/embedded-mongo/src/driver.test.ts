import mongoose from 'mongoose';
import { createEmbeddedMongo, IN_MEMORY } from './index';
import { connect, type StoreUnderTest, startStore } from './testing/store-under-test';

describe('the real driver and mongoose', () => {
  let subject: StoreUnderTest;

  beforeAll(async () => {
    subject = await startStore();
  });
  afterAll(() => subject.stop());

  it('read a result of any length through a cursor', async () => {
    const many = subject.db.collection<{ _id: number }>('many');
    await many.insertMany(Array.from({ length: 1_000 }, (_, _id) => ({ _id })));
    const ids: number[] = [];
    for await (const document of many.find({}, { batchSize: 7, sort: { _id: 1 } })) {
      ids.push(document._id);
    }
    expect(ids).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
    expect(await many.countDocuments({})).toBe(1_000);
  });

  it('end a cursor early without leaving it behind', async () => {
    const many = subject.db.collection('some');
    await many.insertMany(Array.from({ length: 20 }, () => ({})));
    const cursor = many.find({}, { batchSize: 2 });
    await cursor.next();
    const id = cursor.id;
    await cursor.close();
    const more = { getMore: id, collection: 'some' };
    await expect(subject.db.command(more)).rejects.toMatchObject({ code: 43 });
  });

  it('create, change and delete models', async () => {
    const schema = new mongoose.Schema(
      { _id: String, name: String, balance: BigInt, tags: [String] },
      { timestamps: true, optimisticConcurrency: true },
    );
    const Account = subject.connection.model('Account', schema);
    const account = await Account.create({ _id: 'a', name: 'A', balance: 1n, tags: ['x'] });
    account.tags.push('y');
    account.name = 'B';
    await account.save();
    const stale = await Account.findById('a').orFail();
    await Account.updateOne({ _id: 'a' }, { $set: { name: 'C' }, $inc: { __v: 1 } });
    stale.name = 'D';
    await expect(stale.save()).rejects.toThrow('No matching document found');
    const updated = await Account.findOneAndUpdate(
      { _id: 'a' },
      { $inc: { balance: 9_007_199_254_740_992n } },
      { returnDocument: 'after' },
    );
    expect(updated?.balance).toBe(9_007_199_254_740_993n);
    expect(await Account.countDocuments({ name: 'C' })).toBe(1);
    expect(await Account.exists({ name: 'none' })).toBeNull();
    expect((await Account.deleteOne({ _id: 'a' })).deletedCount).toBe(1);
  });

  it('declare, list and drop indexes', async () => {
    const indexed = subject.db.collection('indexed');
    await indexed.createIndex({ old: 1 });
    await indexed.createIndex({ a: 1 });
    await indexed.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await indexed.dropIndex('old_1');
    const names = (await indexed.indexes()).map(({ name }) => name);
    expect(names).toEqual(['_id_', 'a_1', 'at_1']);
  });

  it('run mixed bulks and report each failure by its place', async () => {
    const bulk = subject.db.collection<{ _id: number; n?: number }>('bulk');
    const result = await bulk.bulkWrite([
      { insertOne: { document: { _id: 1, n: 1 } } },
      { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 2 }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { _id: 2 }, replacement: { n: 6 } } },
      { deleteOne: { filter: { _id: 1 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      modifiedCount: 2,
      upsertedCount: 1,
      deletedCount: 1,
    });
    const failing = bulk.bulkWrite(
      [
        { insertOne: { document: { _id: 2 } } },
        { insertOne: { document: { _id: 3 } } },
        { insertOne: { document: { _id: 3 } } },
      ],
      { ordered: false },
    );
    const error = await failing.catch((problem: mongoose.mongo.MongoBulkWriteError) => problem);
    const failures = error instanceof Error ? [error.writeErrors].flat() : [];
    expect(failures.map((failure) => [failure.index, failure.code])).toEqual([
      [0, 11_000],
      [2, 11_000],
    ]);
  });

  it('use sessions, and are told by name that transactions do not exist', async () => {
    const session = await subject.connection.startSession();
    const rows = subject.db.collection<{ _id: number }>('rows');
    await rows.insertOne({ _id: 1 }, { session });
    session.startTransaction();
    await expect(rows.insertOne({ _id: 2 }, { session })).rejects.toThrow(/transaction/i);
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
    expect(await rows.countDocuments({})).toBe(1);
    const command = { insert: 'rows', documents: [{ _id: 3 }], txnNumber: 1n, autocommit: false };
    await expect(subject.db.command({ ...command, startTransaction: true })).rejects.toMatchObject({
      code: 263,
    });
  });

  it('write without acknowledgement', async () => {
    const fast = subject.db.collection<{ _id: number }>('fast', { writeConcern: { w: 0 } });
    await fast.insertOne({ _id: 1 });
    // One connection could overtake another: wait for the effect, not for a time.
    while ((await subject.db.collection('fast').countDocuments({})) === 0);
    expect(await subject.db.collection('fast').countDocuments({})).toBe(1);
  });

  it('reach a store in memory over TCP, and databases apart from each other', async () => {
    const store = await createEmbeddedMongo({
      dataPath: IN_MEMORY,
      listen: { host: '127.0.0.1', port: 0 },
    });
    expect(store.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?directConnection=true$/);
    const one = await connect(store.uriFor('one'));
    const two = await connect(store.uriFor('two'));
    await one.collection('c').insertOne({ n: 1 });
    expect(await one.collection('c').countDocuments({})).toBe(1);
    expect(await two.collection('c').countDocuments({})).toBe(0);
    expect(store.commandCounts().get('insert')).toBe(1);
    await one.close();
    await two.close();
    await store.close();
  });

  it('are refused a document larger than the limit', async () => {
    const big = subject.db.collection<{ _id: number; text?: string }>('big');
    await big.insertOne({ _id: 1, text: 'x'.repeat(15_000_000) });
    const grow = big.updateOne({ _id: 1 }, { $set: { more: 'x'.repeat(2_000_000) } });
    await expect(grow).rejects.toMatchObject({ code: 10_334 });
    expect((await big.findOne({ _id: 1 }))?.text).toHaveLength(15_000_000);
  });
});
