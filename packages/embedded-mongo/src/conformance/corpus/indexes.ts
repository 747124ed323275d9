import {
  answers,
  answersSet,
  type ConformanceCase,
  fails,
  findsIds,
  type Members,
  refusesUpdate,
  replies,
  update,
} from '../conformance-case';

function createIndex(key: Members, options: Members = {}): Members {
  const name = Object.entries(key)
    .map(([field, order]) => `${field}_${String(order)}`)
    .join('_');
  return { createIndexes: 'c', indexes: [{ key, name, ...options }] };
}

function changeExpiry(name: string, expireAfterSeconds: number): Members {
  return { collMod: 'c', index: { name, expireAfterSeconds } };
}

function insert(...documents: readonly Members[]): Members {
  return { insert: 'c', documents };
}

const duplicate = {
  kind: 'writeErrors',
  errors: [{ index: 0, code: 11000 }],
  n: 0,
} as const;

/** Indexes: what they forbid, and that they change no answer. */
export const indexCases: readonly ConformanceCase[] = [
  {
    title: 'a unique index refuses a second document with the key, by insert and by update',
    seed: [
      { _id: 1, k: 'a' },
      { _id: 2, k: 'b' },
    ],
    steps: [
      replies(createIndex({ k: 1 }, { unique: true }), { numIndexesBefore: 1, numIndexesAfter: 2 }),
      { command: insert({ _id: 3, k: 'a' }), expected: duplicate },
      refusesUpdate({ $set: { k: 'b' } }, 11000),
      replies(update({ _id: 1 }, { $set: { k: 'c' } }), { n: 1, nModified: 1 }),
      replies(insert({ _id: 3, k: 'a' }), { n: 1 }),
      findsIds({ k: 'a' }, [3]),
      findsIds({ k: 'c' }, [1]),
    ],
  },
  {
    title: 'a unique index counts missing as null, a sparse or partial one does not count it',
    seed: [{ _id: 1, s: 1, p: 1 }],
    steps: [
      replies(createIndex({ k: 1 }, { unique: true }), { numIndexesAfter: 2 }),
      { command: insert({ _id: 2 }), expected: duplicate },
      replies({ dropIndexes: 'c', index: 'k_1' }, { nIndexesWas: 2 }),
      replies(createIndex({ s: 1 }, { unique: true, sparse: true }), { numIndexesAfter: 2 }),
      replies(createIndex({ p: 1 }, { unique: true, partialFilterExpression: { active: true } }), {
        numIndexesAfter: 3,
      }),
      replies(insert({ _id: 2 }, { _id: 3 }), { n: 2 }),
      { command: insert({ _id: 4, s: 1 }), expected: duplicate },
      replies(insert({ _id: 4, p: 1, active: true }, { _id: 5, p: 1 }), { n: 2 }),
      { command: insert({ _id: 6, p: 1, active: true }), expected: duplicate },
      replies(update({ _id: 4 }, { $set: { active: false } }), { n: 1, nModified: 1 }),
      replies(insert({ _id: 6, p: 1, active: true }), { n: 1 }),
      findsIds({ s: null }, [2, 3, 4, 5, 6]),
      findsIds({ p: 1 }, [1, 4, 5, 6]),
      findsIds({ p: 1, active: true }, [6]),
    ],
  },
  {
    title: 'a unique index over an array forbids shared elements, not repeated ones',
    seed: [{ _id: 1, t: ['a', 'b', 'a'] }],
    steps: [
      replies(createIndex({ t: 1 }, { unique: true }), { numIndexesAfter: 2 }),
      { command: insert({ _id: 2, t: ['c', 'b'] }), expected: duplicate },
      replies(insert({ _id: 2, t: ['c'] }), { n: 1 }),
    ],
  },
  {
    title: 'a unique index is not made over documents that already share a key',
    seed: [
      { _id: 1, k: 1 },
      { _id: 2, k: 1n },
    ],
    steps: [
      fails(createIndex({ k: 1 }, { unique: true }), 11000),
      answers({ listIndexes: 'c' }, [{ v: 2, key: { _id: 1 }, name: '_id_' }]),
      replies(insert({ _id: 3, k: 1 }), { n: 1 }),
    ],
  },
  {
    title: 'a compound unique index takes all its fields together',
    seed: [{ _id: 1, a: 1, b: 1 }],
    steps: [
      replies(createIndex({ a: 1, b: -1 }, { unique: true }), { numIndexesAfter: 2 }),
      replies(insert({ _id: 2, a: 1, b: 2 }), { n: 1 }),
      { command: insert({ _id: 3, a: 1, b: 1 }), expected: duplicate },
    ],
  },
  {
    title: 'declaring the same index twice is harmless and another under its name is not',
    seed: [],
    steps: [
      replies(createIndex({ a: 1 }), { numIndexesBefore: 1, numIndexesAfter: 2 }),
      replies(createIndex({ a: 1 }), { numIndexesBefore: 2, numIndexesAfter: 2 }),
      fails({ createIndexes: 'c', indexes: [{ key: { b: 1 }, name: 'a_1' }] }, 86),
      fails(createIndex({ a: 1 }, { unique: true }), 86),
      fails({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'other' }] }, 85),
      fails({ dropIndexes: 'c', index: 'unheardOf' }, 27),
    ],
  },
  {
    title: 'listIndexes shows what was declared',
    seed: [],
    steps: [
      replies(createIndex({ at: 1 }, { expireAfterSeconds: 60 }), {
        createdCollectionAutomatically: true,
      }),
      replies(createIndex({ a: 1, b: -1 }, { unique: true }), { numIndexesAfter: 3 }),
      answersSet({ listIndexes: 'c' }, [
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 },
        { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1', unique: true },
      ]),
      replies({ dropIndexes: 'c', index: 'at_1' }, { nIndexesWas: 3 }),
      answersSet({ listIndexes: 'c' }, [
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1', unique: true },
      ]),
    ],
  },
  {
    title: 'collMod changes after how long documents expire',
    seed: [],
    steps: [
      replies(createIndex({ at: 1 }, { expireAfterSeconds: 60 }), { numIndexesAfter: 2 }),
      replies(changeExpiry('at_1', 90), {}),
      answersSet({ listIndexes: 'c' }, [
        { v: 2, key: { _id: 1 }, name: '_id_' },
        { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 90 },
      ]),
      fails(changeExpiry('unheardOf', 90), 27),
    ],
  },
  {
    title: 'an index over an array finds what two elements satisfy together, once each',
    seed: [
      { _id: 1, a: [1, 10], d: [{ k: 1 }, {}] },
      { _id: 2, a: [5, 5.5], d: [] },
      { _id: 3, a: 5, d: [7] },
      { _id: 4, a: [], d: { k: null } },
    ],
    steps: [
      replies(createIndex({ a: 1 }), { numIndexesAfter: 2 }),
      replies(createIndex({ 'd.k': 1 }), { numIndexesAfter: 3 }),
      findsIds({ a: { $gt: 4, $lt: 6 } }, [1, 2, 3]),
      findsIds({ a: { $in: [1, 5, 5.5, 10] } }, [1, 2, 3]),
      findsIds({ a: { $gte: 1 } }, [1, 2, 3]),
      findsIds({ 'd.k': null }, [1, 4]),
    ],
  },
  {
    title: 'two arrays in one index are refused',
    seed: [],
    steps: [
      replies(createIndex({ a: 1, b: 1 }), { numIndexesAfter: 2 }),
      {
        command: insert({ _id: 1, a: [1], b: [2] }),
        expected: { kind: 'writeErrors', errors: [{ index: 0, code: 171 }], n: 0 },
      },
    ],
  },
];
