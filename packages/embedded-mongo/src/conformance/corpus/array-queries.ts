import { answers, type ConformanceCase, find, findsIds } from '../conformance-case';

/** Filters over arrays and over paths that go through them. */
export const arrayQueryCases: readonly ConformanceCase[] = [
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
      findsIds({ a: { $size: 0 } }, [4]),
      findsIds({ a: { $size: 1 } }, [2, 5]),
      findsIds({ 'a.0': 2 }, [2]),
      findsIds({ 'a.1': { $exists: true } }, [1]),
    ],
  },
  {
    title: 'two bounds may be met by two elements unless $elemMatch ties them to one',
    seed: [
      { _id: 1, a: [1, 10] },
      { _id: 2, a: [5] },
      { _id: 3, a: 5 },
    ],
    steps: [
      findsIds({ a: { $gt: 4, $lt: 6 } }, [1, 2, 3]),
      findsIds({ a: { $elemMatch: { $gt: 4, $lt: 6 } } }, [2]),
    ],
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
      findsIds({ items: { $elemMatch: { k: 'a', n: 2 } } }, [2]),
      findsIds({ items: { $elemMatch: { k: 'b', n: { $gte: 2 } } } }, [1]),
      findsIds({ 'items.1.k': 'b' }, [1]),
      findsIds({ 'items.k': { $exists: false } }, [3, 5]),
      findsIds({ items: { k: 'a', n: 2 } }, [2, 4]),
    ],
  },
  {
    title: '$all wants every value, each from any element',
    seed: [
      { _id: 1, t: ['x', 'y', 'z'] },
      { _id: 2, t: ['x'] },
      { _id: 3, t: 'x' },
      { _id: 4, t: [] },
    ],
    steps: [
      findsIds({ t: { $all: ['x', 'z'] } }, [1]),
      findsIds({ t: { $all: ['x'] } }, [1, 2, 3]),
      findsIds({ t: { $all: [] } }, []),
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
  {
    title: 'distinct lists the elements of arrays once each',
    seed: [
      { _id: 1, t: ['x', 'y'], n: 1 },
      { _id: 2, t: 'x', n: 1 },
      { _id: 3, t: ['z'], n: 2 },
      { _id: 4, n: 2 },
    ],
    steps: [
      {
        command: { distinct: 'c', key: 't', query: { n: 1 } },
        expected: { kind: 'reply', members: { values: ['x', 'y'] } },
      },
      {
        command: { distinct: 'c', key: 'n', query: {} },
        expected: { kind: 'reply', members: { values: [1, 2] } },
      },
    ],
  },
];
