import { type StoreUnderTest, startStore } from './testing/store-under-test';

const CALLERS = 200;
/** Fewer, because together they try about half the square of their number. */
const RETRYING_CALLERS = 60;

interface Counter {
  readonly _id: string;
  readonly rev?: number;
  readonly stock?: number;
  readonly total?: bigint;
  readonly owner?: number;
}

describe('writes of many callers at once', () => {
  let subject: StoreUnderTest;

  beforeAll(async () => {
    subject = await startStore();
  });
  afterAll(() => subject.stop());

  const counters = () => subject.db.collection<Counter>('counters');
  const everyone = <T>(call: (caller: number) => Promise<T>, callers = CALLERS) =>
    Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));

  it('let exactly one guarded update of a revision win', async () => {
    await counters().insertOne({ _id: 'guarded', rev: 0 });
    const results = await everyone((caller) =>
      counters().updateOne({ _id: 'guarded', rev: 0 }, { $set: { rev: 1, owner: caller } }),
    );
    const winners = results.flatMap((result, caller) =>
      result.modifiedCount === 1 ? [caller] : [],
    );
    expect(winners).toHaveLength(1);
    expect(await counters().findOne({ _id: 'guarded' })).toEqual({
      _id: 'guarded',
      rev: 1,
      owner: winners[0],
    });
  });

  it('lose no guarded update when every caller reads and tries again', async () => {
    await counters().insertOne({ _id: 'retried', rev: 0 });
    await everyone(async () => {
      for (;;) {
        const seen = await counters().findOne({ _id: 'retried' });
        const rev = seen?.rev ?? 0;
        const { modifiedCount } = await counters().updateOne(
          { _id: 'retried', rev },
          { $set: { rev: rev + 1 } },
        );
        if (modifiedCount === 1) return;
      }
    }, RETRYING_CALLERS);
    expect(await counters().findOne({ _id: 'retried' })).toEqual({
      _id: 'retried',
      rev: RETRYING_CALLERS,
    });
  });

  it('lose no increment', async () => {
    const start = 9_007_199_254_740_993n;
    await counters().insertOne({ _id: 'summed', total: start });
    await everyone(() => counters().updateOne({ _id: 'summed' }, { $inc: { total: 1n } }));
    const after = await counters().findOne({ _id: 'summed' }, { useBigInt64: true });
    expect(after?.total).toBe(start + BigInt(CALLERS));
  });

  it('let exactly 150 of 200 decrements of a stock of 150 pass', async () => {
    await counters().insertOne({ _id: 'stock', stock: 150 });
    const results = await everyone(() =>
      counters().updateOne({ _id: 'stock', stock: { $gte: 1 } }, { $inc: { stock: -1 } }),
    );
    expect(results.filter((result) => result.modifiedCount === 1)).toHaveLength(150);
    expect(await counters().findOne({ _id: 'stock' })).toEqual({ _id: 'stock', stock: 0 });
  });

  it('let exactly 150 of 200 findAndModify takes of a stock of 150 pass', async () => {
    await counters().insertOne({ _id: 'taken', stock: 150 });
    const results = await everyone(() =>
      counters().findOneAndUpdate(
        { _id: 'taken', stock: { $gt: 0 } },
        { $inc: { stock: -1 } },
        { returnDocument: 'after' },
      ),
    );
    const left = results.flatMap((document) => document?.stock ?? []);
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, at) => at));
  });

  it('make one document of 200 upserts of one key', async () => {
    const keyed = subject.db.collection('keyed');
    await keyed.createIndex({ key: 1 }, { unique: true });
    const results = await everyone(() =>
      keyed.updateOne({ key: 'k' }, { $inc: { count: 1 } }, { upsert: true }),
    );
    expect(results.filter((result) => result.upsertedCount === 1)).toHaveLength(1);
    expect(await keyed.find({}).toArray()).toMatchObject([{ key: 'k', count: CALLERS }]);
  });

  it('let one of 200 inserts of one unique key win and tell the others why', async () => {
    const names = subject.db.collection('names');
    await names.createIndex({ name: 1 }, { unique: true });
    const results = await Promise.allSettled(
      Array.from({ length: CALLERS }, (_, caller) => names.insertOne({ name: 'n', caller })),
    );
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { readonly code: number }).code] : [],
    );
    expect(failures).toEqual(Array.from({ length: CALLERS - 1 }, () => 11_000));
    expect(await names.countDocuments({})).toBe(1);
  });
});
