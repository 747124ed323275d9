import { Double } from 'bson';
import { aggregate, answers, answersSet, type ConformanceCase, fails } from '../conformance-case';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 31, 22, 0, 0);

const usage = [
  { _id: 1, account: 'a', at: new Date(START_MS), model: 'm1', tokens: 9_007_199_254_740_993n },
  { _id: 2, account: 'a', at: new Date(START_MS + 60_000), model: 'm1', tokens: 1n },
  { _id: 3, account: 'a', at: new Date(START_MS + HOUR_MS), model: 'm2', tokens: 5n },
  { _id: 4, account: 'b', at: new Date(START_MS), model: 'm1', tokens: 100n },
  { _id: 5, account: 'a', at: new Date(START_MS + 26 * HOUR_MS), model: 'm1', tokens: 7n },
];

/** Pipelines. */
export const aggregationCases: readonly ConformanceCase[] = [
  {
    title: 'usage of an account groups by time bucket and dimension with exact sums',
    seed: usage,
    steps: [
      answers(
        aggregate(
          {
            $match: {
              account: 'a',
              at: { $gte: new Date(START_MS), $lt: new Date(START_MS + 24 * HOUR_MS) },
            },
          },
          {
            $group: {
              _id: { bucket: { $dateTrunc: { date: '$at', unit: 'hour' } }, model: '$model' },
              tokens: { $sum: '$tokens' },
              requests: { $sum: 1 },
            },
          },
          { $sort: { '_id.bucket': 1, '_id.model': 1 } },
        ),
        [
          {
            _id: { bucket: new Date(START_MS), model: 'm1' },
            tokens: 9_007_199_254_740_994n,
            requests: 2,
          },
          { _id: { bucket: new Date(START_MS + HOUR_MS), model: 'm2' }, tokens: 5n, requests: 1 },
        ],
      ),
    ],
  },
  {
    title: 'accumulators collect over a group in the order of the input',
    seed: [
      { _id: 1, g: 'x', v: 3, t: 'a' },
      { _id: 2, g: 'x', v: 1, t: 'b' },
      { _id: 3, g: 'x', t: 'a' },
      { _id: 4, g: 'y', v: null },
    ],
    steps: [
      answersSet(
        aggregate(
          { $sort: { _id: 1 } },
          {
            $group: {
              _id: '$g',
              sum: { $sum: '$v' },
              average: { $avg: '$v' },
              low: { $min: '$v' },
              high: { $max: '$v' },
              first: { $first: '$v' },
              last: { $last: '$v' },
              all: { $push: '$v' },
            },
          },
        ),
        [
          {
            _id: 'x',
            sum: 4,
            average: new Double(2),
            low: 1,
            high: 3,
            first: 3,
            last: null,
            all: [3, 1],
          },
          {
            _id: 'y',
            sum: 0,
            average: null,
            low: null,
            high: null,
            first: null,
            last: null,
            all: [null],
          },
        ],
      ),
      answers(
        aggregate(
          { $match: { g: 'x' } },
          { $group: { _id: null, tags: { $addToSet: '$t' }, n: { $count: {} } } },
          { $unwind: '$tags' },
          { $sort: { tags: 1 } },
        ),
        [
          { _id: null, tags: 'a', n: 3 },
          { _id: null, tags: 'b', n: 3 },
        ],
      ),
    ],
  },
  {
    title: '$sum grows from int32 to int64 and turns double with a double',
    seed: [
      { _id: 1, i: 2_147_483_647, d: new Double(0.5) },
      { _id: 2, i: 1, d: 2n },
      { _id: 3, i: 'text', d: 'text' },
    ],
    steps: [
      answers(aggregate({ $group: { _id: null, i: { $sum: '$i' }, d: { $sum: '$d' } } }), [
        { _id: null, i: 2_147_483_648n, d: new Double(2.5) },
      ]),
    ],
  },
  {
    title: 'numbers of different types form one group',
    seed: [
      { _id: 1, k: 1 },
      { _id: 2, k: 1n },
      { _id: 3, k: new Double(1) },
    ],
    steps: [answers(aggregate({ $group: { _id: '$k', n: { $sum: 1 } } }), [{ _id: 1, n: 3 }])],
  },
  {
    title: '$count and a group of all count documents, and nothing counts as nothing',
    seed: [{ _id: 1 }, { _id: 2 }],
    steps: [
      answers(aggregate({ $count: 'n' }), [{ n: 2 }]),
      answers(aggregate({ $match: { _id: 9 } }, { $count: 'n' }), []),
      answers(aggregate({ $match: {} }, { $group: { _id: 1, n: { $sum: 1 } } }), [
        { _id: 1, n: 2 },
      ]),
    ],
  },
  {
    title: '$sort, $skip and $limit apply in the order of the pipeline',
    seed: [{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }],
    steps: [
      answers(aggregate({ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 2 }), [
        { _id: 3 },
        { _id: 2 },
      ]),
      answers(aggregate({ $limit: 3 }, { $skip: 1 }, { $sort: { _id: -1 } }), [
        { _id: 3 },
        { _id: 2 },
      ]),
      answers(aggregate({ $sort: { _id: -1 } }, { $limit: 2 }, { $match: { _id: 4 } }), [
        { _id: 4 },
      ]),
    ],
  },
  {
    title: '$unwind takes arrays apart and can keep what has none',
    seed: [
      { _id: 1, t: ['a', 'b'] },
      { _id: 2, t: [] },
      { _id: 3 },
      { _id: 4, t: 'c' },
      { _id: 5, t: null },
    ],
    steps: [
      answers(aggregate({ $sort: { _id: 1 } }, { $unwind: '$t' }), [
        { _id: 1, t: 'a' },
        { _id: 1, t: 'b' },
        { _id: 4, t: 'c' },
      ]),
      answers(
        aggregate(
          { $sort: { _id: 1 } },
          { $unwind: { path: '$t', preserveNullAndEmptyArrays: true, includeArrayIndex: 'at' } },
        ),
        [
          { _id: 1, t: 'a', at: 0n },
          { _id: 1, t: 'b', at: 1n },
          { _id: 2, at: null },
          { _id: 3, at: null },
          { _id: 4, t: 'c', at: null },
          { _id: 5, t: null, at: null },
        ],
      ),
    ],
  },
  {
    title: '$project includes, excludes and computes',
    seed: [{ _id: 1, a: 2, b: { c: 3, d: 4 } }],
    steps: [
      answers(aggregate({ $project: { a: 1 } }), [{ _id: 1, a: 2 }]),
      answers(aggregate({ $project: { _id: 0, 'b.c': 1 } }), [{ b: { c: 3 } }]),
      answers(aggregate({ $project: { a: 0, b: { d: 0 } } }), [{ _id: 1, b: { c: 3 } }]),
      answers(aggregate({ $project: { _id: 0, twice: { $multiply: ['$a', 2] }, copy: '$b.c' } }), [
        { twice: 4, copy: 3 },
      ]),
      answers(aggregate({ $project: { x: '$missing', a: 1 } }), [{ _id: 1, a: 2 }]),
      fails(aggregate({ $project: { a: 1, b: 0 } }), 31254),
    ],
  },
  {
    title: '$addFields puts fields beside or in place of others',
    seed: [{ _id: 1, a: 2, b: { c: 3 } }],
    steps: [
      answers(aggregate({ $addFields: { a: { $add: ['$a', 1] }, 'b.d': '$a', e: 'text' } }), [
        { _id: 1, a: 3, b: { c: 3, d: 2 }, e: 'text' },
      ]),
      answers(aggregate({ $set: { n: { $literal: '$a' } } }), [
        { _id: 1, a: 2, b: { c: 3 }, n: '$a' },
      ]),
    ],
  },
  {
    title: 'stages, accumulators and expressions outside the list are errors',
    seed: [{ _id: 1 }],
    steps: [
      fails(aggregate({ $unheardOf: {} }), 40324),
      fails(aggregate({ $group: { _id: null, n: { $unheardOf: 1 } } }), 15952),
      fails(aggregate({ $group: { n: { $sum: 1 } } }), 15955),
      fails(aggregate({ $project: { n: { $unheardOf: 1 } } }), 31325),
      fails(aggregate({ $addFields: { n: { $unheardOf: 1 } } }), 168),
      fails(aggregate({ $limit: 0 }), 15958),
      fails({ aggregate: 'c', pipeline: [] }, 9),
    ],
  },
];
