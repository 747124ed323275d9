import { type ConformanceCase, changes, refusesUpdate, replies, update } from '../conformance-case';

/** Updates of arrays. */
export const arrayUpdateCases: readonly ConformanceCase[] = [
  {
    title: '$push appends, makes the array, and takes several with $each',
    seed: [{ _id: 1, a: [1] }],
    steps: [
      ...changes({ $push: { a: 2 } }, { _id: 1, a: [1, 2] }),
      ...changes({ $push: { a: [3] } }, { _id: 1, a: [1, 2, [3]] }),
      ...changes({ $push: { b: { $each: [1, 2] } } }, { _id: 1, a: [1, 2, [3]], b: [1, 2] }),
    ],
  },
  {
    title: '$push with $slice keeps the newest, or the oldest, or none',
    seed: [{ _id: 1, a: [1, 2, 3] }],
    steps: [
      ...changes({ $push: { a: { $each: [4, 5], $slice: -3 } } }, { _id: 1, a: [3, 4, 5] }),
      ...changes({ $push: { a: { $each: [6], $slice: 2 } } }, { _id: 1, a: [3, 4] }),
      ...changes({ $push: { a: { $each: [], $slice: 0 } } }, { _id: 1, a: [] }),
    ],
  },
  {
    title: '$push with $position and $sort places elements',
    seed: [{ _id: 1, a: [1, 5], d: [{ k: 2 }, { k: 9 }] }],
    steps: [
      ...changes(
        { $push: { a: { $each: [7], $position: 1 } } },
        { _id: 1, a: [1, 7, 5], d: [{ k: 2 }, { k: 9 }] },
      ),
      ...changes(
        {
          $push: {
            a: { $each: [6], $sort: -1, $slice: 3 },
            d: { $each: [{ k: 5 }], $sort: { k: 1 } },
          },
        },
        { _id: 1, a: [7, 6, 5], d: [{ k: 2 }, { k: 5 }, { k: 9 }] },
      ),
    ],
  },
  {
    title: '$addToSet adds what is not there, by value across number types',
    seed: [{ _id: 1, a: [1, 'x'] }],
    steps: [
      replies(update({ _id: 1 }, { $addToSet: { a: 1n } }), { n: 1, nModified: 0 }),
      ...changes(
        { $addToSet: { a: { $each: ['x', 'y', 'y', { k: 1 }] } } },
        { _id: 1, a: [1, 'x', 'y', { k: 1 }] },
      ),
    ],
  },
  {
    title: '$pull removes by value, by condition and by filter',
    seed: [{ _id: 1, a: [1, 2, 3, 2], d: [{ k: 'x', n: 1 }, { k: 'y', n: 2 }, 'z'] }],
    steps: [
      ...changes(
        { $pull: { a: 2, d: { k: 'x' } } },
        { _id: 1, a: [1, 3], d: [{ k: 'y', n: 2 }, 'z'] },
      ),
      ...changes({ $pull: { a: { $gte: 3 } } }, { _id: 1, a: [1], d: [{ k: 'y', n: 2 }, 'z'] }),
      ...changes({ $pull: { d: { n: { $in: [2, 3] } } } }, { _id: 1, a: [1], d: ['z'] }),
      replies(update({ _id: 1 }, { $pull: { a: 77, missing: 1 } }), { n: 1, nModified: 0 }),
    ],
  },
  {
    title: 'modifiers that do not exist are refused',
    seed: [{ _id: 1, a: [1] }],
    steps: [
      refusesUpdate({ $push: { a: { $each: 5 } } }, 2),
      refusesUpdate({ $push: { a: { $each: [1], $unheardOf: 1 } } }, 2),
      refusesUpdate({ $addToSet: { a: { $each: 5 } } }, 14),
    ],
  },
];
