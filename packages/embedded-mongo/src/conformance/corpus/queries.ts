import { Binary, BSONRegExp, Double, MaxKey, MinKey, ObjectId } from 'bson';
import { answers, type ConformanceCase, fails, find, findsIds } from '../conformance-case';

const mixed = [
  { _id: 1, v: new MinKey() },
  { _id: 2, v: null },
  { _id: 3, v: 7 },
  { _id: 4, v: 'text' },
  { _id: 5, v: { a: 1 } },
  { _id: 6, v: [9] },
  { _id: 7, v: new Binary(Buffer.from('x')) },
  { _id: 8, v: new ObjectId('65a000000000000000000001') },
  { _id: 9, v: false },
  { _id: 10, v: new Date(0) },
  { _id: 11, v: new BSONRegExp('r') },
  { _id: 12, v: new MaxKey() },
  { _id: 13 },
];

const nested = [
  { _id: 1, a: { b: 1, c: 2 } },
  { _id: 2, a: { c: 2, b: 1 } },
  { _id: 3, a: { b: 1 } },
  { _id: 4, a: 5 },
  { _id: 5 },
  { _id: 6, a: null },
];

const words = [
  { _id: 1, w: 'alpha' },
  { _id: 2, w: 'Beta' },
  { _id: 3, w: 'gamma\nalpha' },
  { _id: 4, w: 5 },
];

/** Filters over fields without arrays. */
export const queryCases: readonly ConformanceCase[] = [
  {
    title: 'a sort over all types follows the order of types, missing beside null',
    seed: mixed,
    steps: [
      answers(
        find({}, { sort: { v: 1, _id: 1 }, projection: { _id: 1 } }),
        [1, 2, 13, 3, 6, 4, 5, 7, 8, 9, 10, 11, 12].map((_id) => ({ _id })),
      ),
    ],
  },
  {
    title: 'a comparison stays within the type of its operand',
    seed: mixed,
    steps: [
      findsIds({ v: { $gt: 0 } }, [3, 6]),
      findsIds({ v: { $gte: '' } }, [4]),
      findsIds({ v: { $lt: new Date(1) } }, [10]),
      findsIds({ v: { $gte: null } }, [2, 13]),
      findsIds({ v: { $gt: null } }, []),
      findsIds({ v: { $lt: true } }, [9]),
    ],
  },
  {
    title: 'null matches null and missing, and $exists tells them apart',
    seed: nested,
    steps: [
      findsIds({ a: null }, [5, 6]),
      findsIds({ a: { $exists: true } }, [1, 2, 3, 4, 6]),
      findsIds({ a: { $exists: false } }, [5]),
      findsIds({ a: { $ne: null } }, [1, 2, 3, 4]),
      findsIds({ a: { $in: [null, 5] } }, [4, 5, 6]),
      findsIds({ a: { $nin: [null, 5] } }, [1, 2, 3]),
      findsIds({ 'a.b': null }, [4, 5, 6]),
    ],
  },
  {
    title: 'an embedded document is equal only with the same fields in the same order',
    seed: nested,
    steps: [
      findsIds({ a: { b: 1, c: 2 } }, [1]),
      findsIds({ a: { c: 2, b: 1 } }, [2]),
      findsIds({ 'a.b': 1 }, [1, 2, 3]),
      findsIds({ 'a.b': { $exists: true } }, [1, 2, 3]),
    ],
  },
  {
    title: 'the order of fields survives storage',
    seed: [{ _id: 1, z: 1, a: 2, m: { y: 1, b: 2 } }],
    steps: [answers(find({}), [{ _id: 1, z: 1, a: 2, m: { y: 1, b: 2 } }])],
  },
  {
    title: 'logical operators combine filters',
    seed: [
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
      { _id: 3, a: 2, b: 1 },
      { _id: 4, a: 2, b: 2 },
    ],
    steps: [
      findsIds({ $and: [{ a: 1 }, { b: 2 }] }, [2]),
      findsIds({ $or: [{ a: 1 }, { b: 1 }] }, [1, 2, 3]),
      findsIds({ $nor: [{ a: 1 }, { b: 1 }] }, [4]),
      findsIds({ a: { $not: { $gt: 1 } } }, [1, 2]),
      findsIds({ a: 1, $or: [{ b: 1 }, { b: 2 }] }, [1, 2]),
      findsIds({ a: { $gte: 1, $lt: 2 }, b: { $ne: 1 } }, [2]),
      findsIds({ $and: [{ a: { $gt: 0 } }, { a: { $lt: 2 } }] }, [1, 2]),
    ],
  },
  {
    title: '$not also matches documents without the field',
    seed: [{ _id: 1, a: 5 }, { _id: 2, a: 1 }, { _id: 3 }],
    steps: [
      findsIds({ a: { $not: { $gt: 3 } } }, [2, 3]),
      findsIds({ a: { $ne: 5 } }, [2, 3]),
      findsIds({ a: { $nin: [5] } }, [2, 3]),
    ],
  },
  {
    title: 'a regular expression matches texts only and knows its options',
    seed: words,
    steps: [
      findsIds({ w: { $regex: '^a' } }, [1]),
      findsIds({ w: { $regex: '^b', $options: 'i' } }, [2]),
      findsIds({ w: { $regex: '^alpha$', $options: 'm' } }, [1, 3]),
      findsIds({ w: new BSONRegExp('ALPHA', 'i') }, [1, 3]),
      findsIds({ w: { $in: [new BSONRegExp('^B'), 5] } }, [2, 4]),
      findsIds({ w: { $not: new BSONRegExp('a') } }, [4]),
      findsIds({ w: { $not: { $regex: '^a' } } }, [2, 3, 4]),
    ],
  },
  {
    title: '$type knows names, numbers and the family of numbers',
    seed: mixed,
    steps: [
      findsIds({ v: { $type: 'string' } }, [4]),
      findsIds({ v: { $type: 'number' } }, [3, 6]),
      findsIds({ v: { $type: [10, 'bool'] } }, [2, 9]),
      findsIds({ v: { $type: 'array' } }, [6]),
      findsIds({ v: { $type: 'objectId' } }, [8]),
    ],
  },
  {
    title: 'NaN equals itself and takes no part in order',
    seed: [
      { _id: 1, v: new Double(Number.NaN) },
      { _id: 2, v: 1 },
      { _id: 3, v: new Double(Number.NEGATIVE_INFINITY) },
    ],
    steps: [
      findsIds({ v: new Double(Number.NaN) }, [1]),
      findsIds({ v: { $lt: 5 } }, [2, 3]),
      findsIds({ v: { $gte: new Double(Number.NaN) } }, [1]),
      answers(find({}, { sort: { v: 1 }, projection: { _id: 1 } }), [
        { _id: 1 },
        { _id: 3 },
        { _id: 2 },
      ]),
    ],
  },
  {
    title: 'texts sort by code point, not by UTF-16 unit',
    seed: [
      { _id: 1, w: '\u{1f600}' },
      { _id: 2, w: '\uffee' },
      { _id: 3, w: 'z' },
      { _id: 4, w: 'Z' },
      { _id: 5, w: '' },
    ],
    steps: [
      answers(
        find({}, { sort: { w: 1 }, projection: { _id: 1 } }),
        [5, 4, 3, 2, 1].map((_id) => ({ _id })),
      ),
      findsIds({ w: { $gt: '\uffee' } }, [1]),
    ],
  },
  {
    title: 'skip, limit and a sort on two fields page through a collection',
    seed: [
      { _id: 1, g: 'b', n: 1 },
      { _id: 2, g: 'a', n: 1 },
      { _id: 3, g: 'b', n: 2 },
      { _id: 4, g: 'a', n: 2 },
    ],
    steps: [
      answers(find({}, { sort: { g: 1, n: -1 }, projection: { _id: 1 } }), [
        { _id: 4 },
        { _id: 2 },
        { _id: 3 },
        { _id: 1 },
      ]),
      answers(find({}, { sort: { g: 1, n: -1 }, skip: 1, limit: 2, projection: { _id: 1 } }), [
        { _id: 2 },
        { _id: 3 },
      ]),
      answers(find({}, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } }), [{ _id: 4 }]),
    ],
  },
  {
    title: 'ids of every type are found and ranges of ids are in order',
    seed: [
      { _id: 'acc:2' },
      { _id: 'acc:10' },
      { _id: 'acd' },
      { _id: 5n },
      { _id: { a: 1, b: 'x' } },
      { _id: new Date(5) },
    ],
    steps: [
      answers(find({ _id: 5 }), [{ _id: 5n }]),
      answers(find({ _id: { a: 1, b: 'x' } }), [{ _id: { a: 1, b: 'x' } }]),
      answers(find({ _id: { b: 'x', a: 1 } }), []),
      answers(find({ _id: { $gt: 'acc:', $lt: 'acc;' } }, { sort: { _id: 1 } }), [
        { _id: 'acc:10' },
        { _id: 'acc:2' },
      ]),
      answers(find({ _id: { $in: ['acd', 'none', new Date(5)] } }, { sort: { _id: 1 } }), [
        { _id: 'acd' },
        { _id: new Date(5) },
      ]),
    ],
  },
  {
    title: 'what a filter must not contain is an error that is no other',
    seed: [{ _id: 1 }],
    steps: [
      fails(find({ a: { $unheardOf: 1 } }), 2),
      fails(find({ $unheardOf: [] }), 2),
      fails(find({ $or: [] }), 2),
      fails(find({ $or: {} }), 2),
      fails(find({ a: { $in: 5 } }), 2),
      fails(find({ a: { $regex: '(' } }), 51091),
      fails(find({}, { unheardOf: 1 }), 40415),
      fails(find({}, { sort: { a: 2 } }), 15975),
    ],
  },
];
