import { ObjectId } from 'bson';
import {
  answers,
  type ConformanceCase,
  count,
  fails,
  find,
  findsIds,
  holds,
  replies,
  update,
} from '../conformance-case';

/** Inserts, deletes, upserts and findAndModify. */
export const writeCases: readonly ConformanceCase[] = [
  {
    title: 'an ordered batch ends at the first duplicate, an unordered one goes on',
    seed: [{ _id: 2 }],
    steps: [
      {
        command: { insert: 'c', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] },
        expected: { kind: 'writeErrors', errors: [{ index: 1, code: 11000 }], n: 1 },
      },
      findsIds({}, [1, 2]),
      {
        command: {
          insert: 'c',
          documents: [{ _id: 1 }, { _id: 4 }, { _id: 2 }, { _id: 5 }],
          ordered: false,
        },
        expected: {
          kind: 'writeErrors',
          errors: [
            { index: 0, code: 11000 },
            { index: 2, code: 11000 },
          ],
          n: 2,
        },
      },
      findsIds({}, [1, 2, 4, 5]),
    ],
  },
  {
    title: '_id leads a stored document wherever it was given',
    seed: [{ a: 1, _id: 1, b: 2 }],
    steps: [answers(find({}), [{ _id: 1, a: 1, b: 2 }])],
  },
  {
    title: 'an _id that is an array is refused',
    seed: [],
    steps: [
      {
        command: { insert: 'c', documents: [{ _id: [1] }] },
        expected: { kind: 'writeErrors', errors: [{ index: 0, code: 53 }], n: 0 },
      },
    ],
  },
  {
    title: 'delete removes one or all and counts them',
    seed: [
      { _id: 1, g: 1 },
      { _id: 2, g: 1 },
      { _id: 3, g: 1 },
      { _id: 4, g: 2 },
    ],
    steps: [
      replies({ delete: 'c', deletes: [{ q: { g: 1 }, limit: 1 }] }, { n: 1 }),
      replies({ delete: 'c', deletes: [{ q: { g: 1 }, limit: 0 }] }, { n: 2 }),
      replies({ delete: 'c', deletes: [{ q: { g: 9 }, limit: 0 }] }, { n: 0 }),
      findsIds({}, [4]),
    ],
  },
  {
    title: 'an upsert inserts the equalities of its filter and its update',
    seed: [{ _id: 1, k: 'a', n: 1 }],
    steps: [
      replies(
        update(
          { _id: 5, k: 'b', 'd.e': 1, x: { $gt: 4 } },
          { $inc: { n: 1n }, $setOnInsert: { born: true } },
          { upsert: true },
        ),
        { n: 1, nModified: 0, upserted: [{ index: 0, _id: 5 }] },
      ),
      holds(5, { k: 'b', d: { e: 1 }, born: true, n: 1n }),
      replies(
        update({ _id: 5 }, { $inc: { n: 1n }, $setOnInsert: { born: false } }, { upsert: true }),
        { n: 1, nModified: 1 },
      ),
      holds(5, { k: 'b', d: { e: 1 }, born: true, n: 2n }),
      replies(update({ _id: 6 }, { k: 'whole' }, { upsert: true }), { n: 1, nModified: 0 }),
      answers(find({ _id: 6 }), [{ _id: 6, k: 'whole' }]),
    ],
  },
  {
    title: 'an upsert without an id makes one',
    seed: [],
    steps: [
      replies(update({ k: 'a' }, { $set: { n: 1 } }, { upsert: true }), { n: 1, nModified: 0 }),
      answers(count({ _id: { $gt: new ObjectId('000000000000000000000000') }, k: 'a', n: 1 }), [
        { _id: 1, n: 1 },
      ]),
    ],
  },
  {
    title: 'findAndModify answers the document before or after, or nothing',
    seed: [{ _id: 1, n: 1, s: 'x' }],
    steps: [
      replies(
        { findAndModify: 'c', query: { _id: 1 }, update: { $inc: { n: 1 } } },
        { value: { _id: 1, n: 1, s: 'x' }, lastErrorObject: { n: 1, updatedExisting: true } },
      ),
      replies(
        { findAndModify: 'c', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true },
        { value: { _id: 1, n: 3, s: 'x' } },
      ),
      replies(
        { findAndModify: 'c', query: { _id: 9 }, update: { $inc: { n: 1 } } },
        { value: null, lastErrorObject: { n: 0, updatedExisting: false } },
      ),
      replies(
        { findAndModify: 'c', query: { _id: 9 }, update: { $inc: { n: 1 } }, upsert: true },
        { value: null, lastErrorObject: { n: 1, updatedExisting: false, upserted: 9 } },
      ),
      replies(
        {
          findAndModify: 'c',
          query: { _id: 8 },
          update: { $set: { n: 1 } },
          upsert: true,
          new: true,
        },
        { value: { _id: 8, n: 1 } },
      ),
    ],
  },
  {
    title: 'findAndModify takes one match and removes it',
    seed: [
      { _id: 1, at: 3 },
      { _id: 2, at: 1 },
      { _id: 3, at: 2 },
    ],
    steps: [
      replies(
        { findAndModify: 'c', query: { at: { $lt: 2 } }, remove: true },
        { value: { _id: 2, at: 1 }, lastErrorObject: { n: 1 } },
      ),
      findsIds({}, [1, 3]),
      replies({ findAndModify: 'c', query: { at: 77 }, remove: true }, { value: null }),
      fails({ findAndModify: 'c', query: { _id: 1 } }, 9),
    ],
  },
  {
    title: 'commands outside the list do not exist',
    seed: [],
    steps: [fails({ unheardOf: 1 }, 59)],
  },
  {
    title: 'reading what does not exist finds nothing',
    seed: [],
    steps: [
      answers(find({}), []),
      replies(update({ _id: 1 }, { $set: { a: 1 } }), { n: 0, nModified: 0 }),
      replies({ delete: 'c', deletes: [{ q: {}, limit: 0 }] }, { n: 0 }),
      fails({ listIndexes: 'c' }, 26),
      answers(count({}), []),
    ],
  },
];
