import { BSONRegExp } from 'bson';
import { type StoreUnderTest, startStore } from './testing/store-under-test';

type RefusedCommand = readonly [title: string, command: Record<string, unknown>, named: RegExp];

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
const REFUSALS: readonly RefusedCommand[] = [
  ...['explain', 'count', 'distinct', 'create', 'drop', 'dropDatabase', 'ping'].map(
    (name) => [name, { [name]: 'c' }, new RegExp(name)] as const,
  ),
  ['more of collections than names', { listCollections: 1, cursor: {} }, /nameOnly/],
  ['a filter of collections', { listCollections: 1, nameOnly: true, filter: {} }, /filter/],
  ['mapReduce', { mapReduce: 'c' }, /mapReduce/],
  ['a change stream', pipeline({ $changeStream: {} }), /\$changeStream/],
  ['$lookup', pipeline({ $match: {} }, { $lookup: { from: 'd' } }), /\$lookup/],
  ['$project', pipeline({ $match: {} }, { $project: { a: 1 } }), /\$project/],
  ['$unwind', pipeline({ $match: {} }, { $limit: 1 }, { $unwind: '$a' }), /\$unwind/],
  ['a pipeline that counts by a field', pipeline({ $match: {} }, { $group: byField() }), /\$a/],
  ['a pipeline without $group', pipeline({ $match: {} }), /\$group/],
  ['$or', find({ $or: [{ a: 1 }] }), /\$or/],
  ['$where', find({ $where: 'true' }), /\$where/],
  ['$expr', find({ $expr: true }), /\$expr/],
  ['$text', find({ $text: { $search: 'x' } }), /\$text/],
  ...['$eq', '$not', '$regex', '$type', '$size', '$all', '$elemMatch', '$mod', '$near'].map(
    (name) => [name, find({ a: { [name]: 1 } }), new RegExp(`\\${name}`)] as const,
  ),
  ['a regular expression', find({ a: new BSONRegExp('a') }), /regular expression/],
  ['one in a list', find({ a: { $in: [new BSONRegExp('a')] } }), /regular expression/],
  ['skip', find({}, { skip: 1 }), /skip/],
  ['a hint', find({}, { hint: { a: 1 } }), /hint/],
  ['a collation', find({}, { collation: { locale: 'de' } }), /collation/],
  ['two nodes', { insert: 'c', documents: [{}], writeConcern: { w: 2 } }, /writeConcern/],
  ['a snapshot', find({}, { readConcern: { level: 'snapshot' } }), /snapshot/],
  ['a cursor without end', find({}, { noCursorTimeout: true }), /noCursorTimeout/],
  ['a tailable cursor', find({}, { tailable: true }), /tailable/],
  ['$slice in a projection', find({}, { projection: { a: { $slice: 1 } } }), /projection of 'a'/],
  ['an exclusion', find({}, { projection: { a: 0 } }), /projection of 'a'/],
  ['a positional projection', find({}, { projection: { 'a.$': 1 } }), /a\.\$/],
  ['a text index', index({ a: 'text' }), /'a'/],
  ['a hashed index', index({ a: 'hashed' }), /'a'/],
  ['a wildcard index', index({ '$**': 1 }), /\$\*\*/],
  ['an index collation', index({ a: 1 }, { collation: { locale: 'de' } }), /collation/],
  ['a hidden index', index({ a: 1 }, { hidden: true }), /hidden/],
  ['every index at once', { dropIndexes: 'c', index: '*' }, /one index/],
  ['hiding an index', { collMod: 'c', index: { name: 'i', hidden: true } }, /expireAfterSeconds/],
  ['a sort of findAndModify', { findAndModify: 'c', sort: { a: 1 }, remove: true }, /sort/],
];

const UPDATE_REFUSALS: readonly RefusedCommand[] = [
  ...['$mul', '$rename', '$bit', '$pop', '$pullAll', '$addToSet', '$currentDate'].map(
    (name) => [name, update({ [name]: { a: 1 } }), new RegExp(`\\${name}`)] as const,
  ),
  ['$push in order', update({ $push: { b: { $each: [1], $sort: 1 } } }), /\$sort/],
  ['$push at a place', update({ $push: { b: { $each: [1], $position: 0 } } }), /\$position/],
  ['$pull of a value', update({ $pull: { b: 1 } }), /\$pull/],
  ['$pull by a condition', update({ $pull: { b: { $gt: 1 } } }), /\$pull/],
  ['the positional operator', update({ $set: { 'a.$': 1 } }), /positional operator '\$'/],
  ['the all-positional operator', update({ $set: { 'a.$[]': 1 } }), /positional operator/],
  ['arrayFilters', update({ $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }), /arrayFilters/],
  ['a pipeline', update([{ $set: { a: 1 } }]), /pipeline/],
  ['a hint', update({ $set: { a: 1 } }, { hint: { a: 1 } }), /hint/],
];

function byField() {
  return { _id: '$a', n: { $sum: 1 } };
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
});
