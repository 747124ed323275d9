import { Double, ObjectId } from 'bson';
import { aggregate, answers, type ConformanceCase, type Members } from '../conformance-case';

const ID = new ObjectId('65a000000000000000000001');
const AT = new Date(Date.UTC(2026, 4, 14, 13, 47, 31, 250));

/** Evaluates one expression over one document. */
function evaluates(title: string, seed: Members, pairs: readonly (readonly [unknown, unknown])[]) {
  return {
    title,
    seed: [{ _id: 1, ...seed }],
    steps: pairs.map(([expression, value]) =>
      answers(aggregate({ $project: { _id: 0, value: { $ifNull: [expression, 'none'] } } }), [
        { value },
      ]),
    ),
  };
}

/** Expressions. */
export const expressionCases: readonly ConformanceCase[] = [
  evaluates(
    'arithmetic keeps integers exact and types as wide as needed',
    { i: 7, l: 7n, d: 0.5 },
    [
      [{ $add: ['$i', 1] }, 8],
      [{ $add: ['$i', '$l'] }, 14n],
      [{ $add: ['$i', '$d'] }, new Double(7.5)],
      [{ $add: [2_147_483_647, 1] }, 2_147_483_648n],
      [{ $add: ['$i', null] }, 'none'],
      [{ $add: ['$i', '$missing'] }, 'none'],
      [{ $subtract: ['$l', 10] }, -3n],
      [{ $multiply: ['$i', '$l', 2] }, 98n],
      [{ $divide: ['$i', 2] }, new Double(3.5)],
      [{ $mod: ['$i', 4] }, 3],
      [{ $mod: [-7, 4] }, -3],
      [{ $floor: 2.7 }, new Double(2)],
      [{ $floor: '$l' }, 7n],
    ],
  ),
  evaluates('dates add milliseconds and subtract to milliseconds', { at: AT }, [
    [{ $add: ['$at', 750] }, new Date(AT.getTime() + 750)],
    [{ $subtract: ['$at', 250] }, new Date(AT.getTime() - 250)],
    [{ $subtract: ['$at', new Date(0)] }, BigInt(AT.getTime())],
  ]),
  evaluates('$dateTrunc finds the start of a bin', { at: AT }, [
    [{ $dateTrunc: { date: '$at', unit: 'minute' } }, new Date(Date.UTC(2026, 4, 14, 13, 47))],
    [
      { $dateTrunc: { date: '$at', unit: 'minute', binSize: 15 } },
      new Date(Date.UTC(2026, 4, 14, 13, 45)),
    ],
    [{ $dateTrunc: { date: '$at', unit: 'hour' } }, new Date(Date.UTC(2026, 4, 14, 13))],
    [
      { $dateTrunc: { date: '$at', unit: 'day', timezone: 'UTC' } },
      new Date(Date.UTC(2026, 4, 14)),
    ],
    [{ $dateTrunc: { date: '$at', unit: 'week' } }, new Date(Date.UTC(2026, 4, 10))],
    [
      { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'monday' } },
      new Date(Date.UTC(2026, 4, 11)),
    ],
    [{ $dateTrunc: { date: '$at', unit: 'month' } }, new Date(Date.UTC(2026, 4, 1))],
    [{ $dateTrunc: { date: '$at', unit: 'quarter' } }, new Date(Date.UTC(2026, 3, 1))],
    [{ $dateTrunc: { date: '$at', unit: 'year' } }, new Date(Date.UTC(2026, 0, 1))],
    [{ $dateTrunc: { date: '$missing', unit: 'hour' } }, 'none'],
  ]),
  evaluates('comparison tells missing from null and ignores number types', { i: 1, n: null }, [
    [{ $eq: ['$i', 1n] }, true],
    [{ $ne: ['$i', new Double(1)] }, false],
    [{ $eq: ['$missing', null] }, false],
    [{ $lt: ['$missing', null] }, true],
    [{ $gt: ['$i', null] }, true],
    [{ $gte: ['text', '$i'] }, true],
    [{ $lte: [1, 2] }, true],
    [{ $in: ['$i', [3, 1n]] }, true],
    [{ $in: ['x', ['y']] }, false],
  ]),
  evaluates('logic and choice follow truth', { i: 0, s: '' }, [
    [{ $and: [true, '$s'] }, true],
    [{ $and: [true, '$i'] }, false],
    [{ $or: [false, '$i', '$missing'] }, false],
    [{ $not: ['$i'] }, true],
    [{ $cond: ['$i', 'yes', 'no'] }, 'no'],
    // biome-ignore lint/suspicious/noThenProperty: MongoDB names the member so.
    [{ $cond: { if: { $gte: ['$i', 0] }, then: 'yes', else: 'no' } }, 'yes'],
    [{ $ifNull: ['$missing', '$i'] }, 0],
    [{ $ifNull: ['$missing', null, 5] }, 5],
  ]),
  evaluates('texts are joined and values become texts and longs', { i: 5, l: 5n, id: ID, at: AT }, [
    [{ $concat: ['a', { $toString: '$i' }, '-', { $toString: '$l' }] }, 'a5-5'],
    [{ $concat: ['a', '$missing'] }, 'none'],
    [{ $toString: '$id' }, '65a000000000000000000001'],
    [{ $toString: '$at' }, '2026-05-14T13:47:31.250Z'],
    [{ $toString: true }, 'true'],
    [{ $toLong: '$i' }, 5n],
    [{ $toLong: '9007199254740993' }, 9_007_199_254_740_993n],
    [{ $toLong: 2.9 }, 2n],
    [{ $toLong: '$at' }, BigInt(AT.getTime())],
    [{ $toDouble: '$l' }, new Double(5)],
    [{ $toDate: 0n }, new Date(0)],
  ]),
  evaluates(
    'paths read through arrays and documents',
    { a: [{ b: 1 }, { b: 2 }, { c: 3 }], o: { p: 4 } },
    [
      ['$a.b', [1, 2]],
      ['$o.p', 4],
      ['$o.q', 'none'],
      ['$a.0', []],
      [{ x: '$o.p', y: '$missing' }, { x: 4 }],
      [
        ['$o.p', '$missing'],
        [4, null],
      ],
      ['$$ROOT.o.p', 4],
      [{ $literal: { $add: [1, 2] } }, { $add: [1, 2] }],
    ],
  ),
];
