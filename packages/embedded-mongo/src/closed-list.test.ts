import { BSONRegExp, Decimal128 } from 'bson';
import { type StoreUnderTest, startStore } from './testing/store-under-test';

type Refusal = readonly [title: string, command: Record<string, unknown>, named: RegExp];

const update = (u: unknown, more: Record<string, unknown> = {}) => ({
  update: 'c',
  updates: [{ q: { _id: 1 }, u, ...more }],
});
const find = (filter: unknown, more: Record<string, unknown> = {}) => ({
  find: 'c',
  filter,
  ...more,
});
const pipeline = (...stages: readonly unknown[]) => ({
  aggregate: 'c',
  pipeline: stages,
  cursor: {},
});
const index = (key: unknown, more: Record<string, unknown> = {}) => ({
  createIndexes: 'c',
  indexes: [{ key, name: 'i', ...more }],
});

/** What MongoDB has and this store has not: each must fail and say its name. */
const REFUSALS: readonly Refusal[] = [
  ['explain', { explain: { find: 'c' } }, /explain/],
  ['mapReduce', { mapReduce: 'c' }, /mapReduce/],
  ['renameCollection', { renameCollection: 'test.c', to: 'test.d' }, /renameCollection/],
  ['collMod', { collMod: 'c' }, /collMod/],
  ['a capped collection', { create: 'd', capped: true, size: 1_000 }, /capped/],
  ['a change stream', pipeline({ $changeStream: {} }), /\$changeStream/],
  ['$lookup', pipeline({ $lookup: { from: 'd' } }), /\$lookup/],
  ['$facet', pipeline({ $facet: {} }), /\$facet/],
  ['$merge', pipeline({ $merge: 'd' }), /\$merge/],
  ['$stdDevPop', pipeline({ $group: { _id: 1, s: { $stdDevPop: '$a' } } }), /\$stdDevPop/],
  ['$map', pipeline({ $addFields: { a: { $map: {} } } }), /\$map/],
  ['$$NOW', pipeline({ $addFields: { a: '$$NOW' } }), /NOW/],
  ['a time zone', pipeline({ $addFields: { a: { $dateTrunc: zoned() } } }), /timezone/],
  ['$where', find({ $where: 'true' }), /\$where/],
  ['$expr', find({ $expr: true }), /\$expr/],
  ['$text', find({ $text: { $search: 'x' } }), /\$text/],
  ['$mod in a filter', find({ a: { $mod: [2, 0] } }), /\$mod/],
  ['$near', find({ a: { $near: [0, 0] } }), /\$near/],
  ['a hint', find({}, { hint: { a: 1 } }), /hint/],
  ['a collation', find({}, { collation: { locale: 'de' } }), /collation/],
  ['two nodes', { insert: 'c', documents: [{}], writeConcern: { w: 2 } }, /writeConcern/],
  ['a snapshot', find({}, { readConcern: { level: 'snapshot' } }), /snapshot/],
  ['a cursor without end', find({}, { noCursorTimeout: true }), /noCursorTimeout/],
  ['a tailable cursor', find({}, { tailable: true }), /tailable/],
  ['$slice in a projection', find({}, { projection: { a: { $slice: 1 } } }), /projection of 'a'/],
  ['a positional projection', find({}, { projection: { 'a.$': 1 } }), /a\.\$/],
  ['a back-reference', find({ a: new BSONRegExp('(a)\\1') }), /back-reference/],
  ['a nested repetition', find({ a: new BSONRegExp('(a+)+$') }), /repeated group/],
  ['lookahead', find({ a: new BSONRegExp('(?=a)') }), /lookaround/],
  ['a text index', index({ a: 'text' }), /'a'/],
  ['a hashed index', index({ a: 'hashed' }), /'a'/],
  ['a wildcard index', index({ '$**': 1 }), /\$\*\*/],
  ['an index collation', index({ a: 1 }, { collation: { locale: 'de' } }), /collation/],
  ['a hidden index', index({ a: 1 }, { hidden: true }), /hidden/],
];

const UPDATE_REFUSALS: readonly Refusal[] = [
  ['$mul', update({ $mul: { a: 2 } }), /\$mul/],
  ['$rename', update({ $rename: { a: 'b' } }), /\$rename/],
  ['$bit', update({ $bit: { a: { and: 1 } } }), /\$bit/],
  ['$pop', update({ $pop: { a: 1 } }), /\$pop/],
  ['$pullAll', update({ $pullAll: { a: [1] } }), /\$pullAll/],
  ['the positional operator', update({ $set: { 'a.$': 1 } }), /positional operator '\$'/],
  ['the all-positional operator', update({ $set: { 'a.$[]': 1 } }), /positional operator/],
  ['arrayFilters', update({ $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }), /arrayFilters/],
  ['a pipeline', update([{ $set: { a: 1 } }]), /pipeline/],
  ['a timestamp', update({ $currentDate: { a: { $type: 'timestamp' } } }), /\$currentDate/],
  ['a hint', update({ $set: { a: 1 } }, { hint: { a: 1 } }), /hint/],
];

function zoned() {
  return { date: new Date(0), unit: 'day', timezone: 'Europe/Berlin' };
}

describe('what is outside the closed list', () => {
  let subject: StoreUnderTest;
  const stored = { _id: 1, a: 1, t: 'aaaa' };

  beforeAll(async () => {
    subject = await startStore();
    await subject.db.collection<{ _id: number }>('c').insertOne(stored);
  });
  afterEach(async () => {
    expect(await subject.db.collection('c').find().toArray()).toEqual([stored]);
  });
  afterAll(() => subject.stop());

  it.each(REFUSALS)('is refused by name: %s', async (_title, command, named) => {
    await expect(subject.db.command(command)).rejects.toThrow(named);
  });

  it.each(UPDATE_REFUSALS)(
    'is refused by name in an update: %s',
    async (_title, command, named) => {
      const reply = await subject.db.command(command);
      expect(reply.n).toBe(0);
      const [error] = reply.writeErrors as readonly { readonly errmsg: string }[];
      expect(error?.errmsg).toMatch(named);
    },
  );

  it('is refused by name: ordering or indexing Decimal128', async () => {
    const decimals = subject.db.collection<{ _id: number; x?: Decimal128 }>('decimals');
    await decimals.insertOne({ _id: 1, x: Decimal128.fromString('1.5') });
    await expect(decimals.find({ x: { $gt: 1 } } as never).toArray()).rejects.toThrow('Decimal128');
    await expect(decimals.createIndex({ x: 1 })).rejects.toThrow('Decimal128');
    const stored = await decimals.findOne({ x: Decimal128.fromString('1.5') });
    expect(stored?.x?.toString()).toBe('1.5');
  });
});
