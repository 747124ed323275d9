import {
  answers,
  type ConformanceCase,
  changes,
  fails,
  find,
  refusesUpdate,
  replies,
  update,
} from '../conformance-case';

/** Updates of fields and of whole documents. */
const fieldCases: readonly ConformanceCase[] = [
  {
    title: '$set and $unset reach dotted paths and make what is missing on the way',
    seed: [{ _id: 1, a: { b: 1, c: 2 } }],
    steps: [
      ...changes(
        { $set: { 'a.b': 9, 'x.y.z': 1 } },
        { _id: 1, a: { b: 9, c: 2 }, x: { y: { z: 1 } } },
      ),
      ...changes({ $unset: { 'a.b': '', x: 1 } }, { _id: 1, a: { c: 2 } }),
      replies(update({ _id: 1 }, { $unset: { 'q.r': 1 } }), { n: 1, nModified: 0 }),
    ],
  },
  {
    title: 'maps with names that look like numbers are changed field by field',
    seed: [{ _id: 1, leases: {} }],
    steps: [
      ...changes({ $set: { 'leases.1': { n: 1n } } }, { _id: 1, leases: { 1: { n: 1n } } }),
      ...changes(
        { $set: { 'leases.1.n': 2n }, $inc: { 'leases.2.n': 1n } },
        { _id: 1, leases: { 1: { n: 2n }, 2: { n: 1n } } },
      ),
      ...changes({ $unset: { 'leases.1': '' } }, { _id: 1, leases: { 2: { n: 1n } } }),
    ],
  },
  {
    title: 'array positions are set, padded with null and unset to null',
    seed: [{ _id: 1, a: [1, 2] }],
    steps: [
      ...changes({ $set: { 'a.0': 9, 'a.3': 4 } }, { _id: 1, a: [9, 2, null, 4] }),
      ...changes({ $unset: { 'a.1': '' } }, { _id: 1, a: [9, null, null, 4] }),
    ],
  },
  {
    title: 'an update that changes nothing reports a match and no modification',
    seed: [{ _id: 1, a: 1, t: ['x'] }],
    steps: [
      replies(update({ _id: 1 }, { $set: { a: 1 } }), { n: 1, nModified: 0 }),
      replies(update({ _id: 1 }, { $max: { a: 0 } }), { n: 1, nModified: 0 }),
      replies(update({ _id: 1 }, { _id: 1, a: 1, t: ['x'] }), { n: 1, nModified: 0 }),
      replies(update({ _id: 2 }, { $set: { a: 1 } }), { n: 0, nModified: 0 }),
    ],
  },
  {
    title: 'new fields appear in the order of their names',
    seed: [{ _id: 1 }],
    steps: [...changes({ $set: { b: 1, a: 2 }, $inc: { aa: 3 } }, { _id: 1, a: 2, aa: 3, b: 1 })],
  },
  {
    title: 'a guard on a revision lets one writer through',
    seed: [{ _id: 1, rev: 1n, v: 'a' }],
    steps: [
      replies(update({ _id: 1, rev: 1n }, { $set: { v: 'b', rev: 2n } }), { n: 1, nModified: 1 }),
      replies(update({ _id: 1, rev: 1n }, { $set: { v: 'c', rev: 2n } }), { n: 0, nModified: 0 }),
      answers(find({}), [{ _id: 1, rev: 2n, v: 'b' }]),
    ],
  },
  {
    title: 'a replacement keeps _id and nothing else',
    seed: [{ _id: 1, a: 1, b: 2 }],
    steps: [...changes({ c: 3 }, { _id: 1, c: 3 }), ...changes({ d: 1, _id: 1 }, { _id: 1, d: 1 })],
  },
  {
    title: 'multi changes every match and one changes the first',
    seed: [
      { _id: 1, g: 1 },
      { _id: 2, g: 1 },
      { _id: 3, g: 2 },
    ],
    steps: [
      replies(update({ g: 1 }, { $set: { x: 1 } }, { multi: true }), { n: 2, nModified: 2 }),
      replies(update({ g: 1 }, { $inc: { g: 1 } }, { multi: true }), { n: 2, nModified: 2 }),
      replies(update({ g: 2 }, { $set: { y: 1 } }), { n: 1, nModified: 1 }),
      fails({ update: 'c', updates: [{ q: {}, u: {} }], unheardOf: 1 }, 40415),
    ],
  },
  {
    title: 'what an update must not do is refused and changes nothing',
    seed: [{ _id: 1, a: 1, s: 'text' }],
    steps: [
      refusesUpdate({ $set: { _id: 2 } }, 66),
      refusesUpdate({ $set: { 'a.b': 1 } }, 28),
      refusesUpdate({ $inc: { s: 1 } }, 14),
      refusesUpdate({ $inc: { a: 'x' } }, 14),
      refusesUpdate({ $set: { a: 1 }, $inc: { a: 1 } }, 40),
      refusesUpdate({ $set: { b: 1, 'b.c': 1 } }, 40),
      refusesUpdate({ $set: { 'b.2.c': 1, 'b.10': 1, 'b.1x': 1, 'b.2': 1 } }, 40),
      refusesUpdate({ $unheardOf: { a: 1 } }, 9),
      refusesUpdate({ $push: { a: 1 } }, 2),
      answers(find({}), [{ _id: 1, a: 1, s: 'text' }]),
    ],
  },
];

/** Updates of arrays. */
const arrayCases: readonly ConformanceCase[] = [
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
    title: '$pull removes the documents of an array that match',
    seed: [{ _id: 1, d: [{ k: 'x', n: 1 }, { k: 'y', n: 2 }, { k: 'y', n: 3 }, 'z'] }],
    steps: [
      ...changes(
        { $pull: { d: { k: 'x' } } },
        { _id: 1, d: [{ k: 'y', n: 2 }, { k: 'y', n: 3 }, 'z'] },
      ),
      ...changes({ $pull: { d: { n: { $in: [2, 5] } } } }, { _id: 1, d: [{ k: 'y', n: 3 }, 'z'] }),
      replies(update({ _id: 1 }, { $pull: { d: { k: 'q' }, missing: { k: 1 } } }), {
        n: 1,
        nModified: 0,
      }),
    ],
  },
  {
    title: 'modifiers that do not exist are refused',
    seed: [{ _id: 1, a: [1] }],
    steps: [
      refusesUpdate({ $push: { a: { $each: 5 } } }, 2),
      refusesUpdate({ $push: { a: { $each: [1], $unheardOf: 1 } } }, 2),
    ],
  },
];

/** Changing documents in place. */
export const updateCases: readonly ConformanceCase[] = [...fieldCases, ...arrayCases];
