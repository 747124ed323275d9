import { Binary, BSONRegExp, Double, ObjectId } from 'bson';
import {
  aggregate,
  answers,
  type ConformanceCase,
  count,
  fails,
  find,
  findsIds,
} from '../conformance-case';

const mixed = [
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

/** Filters over fields without arrays. */
const fieldCases: readonly ConformanceCase[] = [
  {
    title: 'a sort over all types follows the order of types, missing beside null',
    seed: mixed,
    steps: [
      answers(
        find({}, { sort: { v: 1, _id: 1 }, projection: { _id: 1 } }),
        [2, 13, 3, 6, 4, 5, 7, 8, 9, 10, 11].map((_id) => ({ _id })),
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
    title: 'several conditions must all hold, and a negated one holds without the field',
    seed: [{ _id: 1, a: 1, b: 1 }, { _id: 2, a: 1, b: 2 }, { _id: 3, a: 2, b: 1 }, { _id: 4 }],
    steps: [
      findsIds({ a: { $gte: 1, $lt: 2 }, b: { $ne: 1 } }, [2]),
      findsIds({ a: { $ne: 1 } }, [3, 4]),
      findsIds({ a: { $nin: [1] } }, [3, 4]),
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
    title: 'a limit and a sort on two fields choose the first',
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
      answers(find({}, { sort: { g: 1, n: -1 }, limit: 2, projection: { _id: 1 } }), [
        { _id: 4 },
        { _id: 2 },
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
      fails(find({ a: { $in: 5 } }), 2),
      fails(find({ a: { $nin: 5 } }), 2),
      fails(find({}, { unheardOf: 1 }), 40415),
      fails(find({}, { sort: { a: 2 } }), 15975),
    ],
  },
];

/** Filters over arrays and over paths that go through them. */
const arrayCases: readonly ConformanceCase[] = [
  {
    title: 'an array matches by any element, and as a whole',
    seed: [
      { _id: 1, a: [1, 2, 3] },
      { _id: 2, a: [2] },
      { _id: 3, a: 2 },
      { _id: 4, a: [] },
      { _id: 5, a: [[2]] },
    ],
    steps: [
      findsIds({ a: 2 }, [1, 2, 3]),
      findsIds({ a: [2] }, [2, 5]),
      findsIds({ a: [] }, [4]),
      findsIds({ a: { $gt: 2 } }, [1]),
      findsIds({ a: { $gt: 1, $lt: 2 } }, [1]),
      findsIds({ a: { $gt: 2, $lt: 2 } }, [1]),
      findsIds({ a: { $ne: 2 } }, [4, 5]),
      findsIds({ 'a.0': 2 }, [2]),
      findsIds({ 'a.1': { $exists: true } }, [1]),
    ],
  },
  {
    title: 'two bounds may be met by two elements',
    seed: [
      { _id: 1, a: [1, 10] },
      { _id: 2, a: [5] },
      { _id: 3, a: 5 },
    ],
    steps: [findsIds({ a: { $gt: 4, $lt: 6 } }, [1, 2, 3])],
  },
  {
    title: 'a dotted path enters the documents of an array',
    seed: [
      {
        _id: 1,
        items: [
          { k: 'a', n: 1 },
          { k: 'b', n: 2 },
        ],
      },
      { _id: 2, items: [{ k: 'a', n: 2 }] },
      { _id: 3, items: [] },
      { _id: 4, items: { k: 'a', n: 2 } },
      { _id: 5 },
    ],
    steps: [
      findsIds({ 'items.k': 'a', 'items.n': 2 }, [1, 2, 4]),
      findsIds({ 'items.1.k': 'b' }, [1]),
      findsIds({ 'items.k': { $exists: false } }, [3, 5]),
      findsIds({ items: { k: 'a', n: 2 } }, [2, 4]),
    ],
  },
  {
    title: 'a list of values is met by any element, its negation by none',
    seed: [
      { _id: 1, t: ['x', 'y', 'z'] },
      { _id: 2, t: ['x'] },
      { _id: 3, t: 'x' },
      { _id: 4, t: [] },
    ],
    steps: [
      findsIds({ t: { $nin: ['y', 'q'] } }, [2, 3, 4]),
      findsIds({ t: { $in: ['y', 'q'] } }, [1]),
    ],
  },
  {
    title: 'a sort takes the lowest element ascending and the highest descending',
    seed: [
      { _id: 1, a: [5, 1] },
      { _id: 2, a: [3] },
      { _id: 3, a: [4, 2] },
      { _id: 4, a: [] },
      { _id: 5 },
    ],
    steps: [
      answers(
        find({}, { sort: { a: 1 }, projection: { _id: 1 } }),
        [4, 5, 1, 3, 2].map((_id) => ({ _id })),
      ),
      answers(
        find({}, { sort: { a: -1 }, projection: { _id: 1 } }),
        [1, 3, 2, 5, 4].map((_id) => ({ _id })),
      ),
    ],
  },
];

/** What a projection shows, and what is counted. */
const answerCases: readonly ConformanceCase[] = [
  {
    title: 'a projection keeps the named fields in the order of the document',
    seed: [{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, 5] }],
    steps: [
      answers(find({}, { projection: { b: 1, a: 1 } }), [{ _id: 1, a: 1, b: { c: 2, d: 3 } }]),
      answers(find({}, { projection: { 'b.d': 1 } }), [{ _id: 1, b: { d: 3 } }]),
      answers(find({}, { projection: { 'e.f': 1 } }), [{ _id: 1, e: [{ f: 1 }] }]),
      answers(find({}, { projection: { missing: 1 } }), [{ _id: 1 }]),
      fails(find({}, { projection: { a: 1, 'a.b': 1 } }), 31249),
    ],
  },
  {
    title: 'documents are counted under a filter and up to a limit, and nothing counts as nothing',
    seed: [
      { _id: 1, g: 1 },
      { _id: 2, g: 1 },
      { _id: 3, g: 2 },
    ],
    steps: [
      answers(count({}), [{ _id: 1, n: 3 }]),
      answers(count({ g: 1 }), [{ _id: 1, n: 2 }]),
      answers(count({ g: 1 }, 1), [{ _id: 1, n: 1 }]),
      answers(count({ g: 9 }), []),
      fails(aggregate({ $unheardOf: {} }), 40324),
      fails(count({}, 0), 15958),
    ],
  },
];

/** Reading: filters, orders, projections and counts. */
export const queryCases: readonly ConformanceCase[] = [
  ...fieldCases,
  ...arrayCases,
  ...answerCases,
  {
    title: 'the collections of a database are listed by name',
    seed: [{ _id: 1 }],
    steps: [
      answers({ listCollections: 1, nameOnly: true, cursor: {} }, [
        { name: 'c', type: 'collection' },
      ]),
    ],
  },
];
