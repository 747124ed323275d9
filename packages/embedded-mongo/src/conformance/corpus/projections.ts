import { answers, type ConformanceCase, fails, find } from '../conformance-case';

/** What a projection shows. */
export const projectionCases: readonly ConformanceCase[] = [
  {
    title: 'an inclusion keeps the named fields in the order of the document',
    seed: [{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, 5] }],
    steps: [
      answers(find({}, { projection: { b: 1, a: 1 } }), [{ _id: 1, a: 1, b: { c: 2, d: 3 } }]),
      answers(find({}, { projection: { _id: 0, 'b.d': 1 } }), [{ b: { d: 3 } }]),
      answers(find({}, { projection: { 'e.f': 1 } }), [{ _id: 1, e: [{ f: 1 }] }]),
      answers(find({}, { projection: { missing: 1 } }), [{ _id: 1 }]),
    ],
  },
  {
    title: 'an exclusion keeps everything else',
    seed: [{ _id: 1, a: 1, b: { c: 2, d: 3 }, e: [{ f: 1, g: 2 }, 5] }],
    steps: [
      answers(find({}, { projection: { a: 0, e: 0 } }), [{ _id: 1, b: { c: 2, d: 3 } }]),
      answers(find({}, { projection: { _id: 0, a: 0, 'b.c': 0, 'e.f': 0 } }), [
        { b: { d: 3 }, e: [{ g: 2 }, 5] },
      ]),
      answers(find({}, { projection: { _id: 0, e: 0, b: false } }), [{ a: 1 }]),
    ],
  },
  {
    title: 'a projection does not mix inclusion and exclusion, nor a field and its part',
    seed: [{ _id: 1 }],
    steps: [
      fails(find({}, { projection: { a: 1, b: 0 } }), 31254),
      fails(find({}, { projection: { a: 0, b: 1 } }), 31253),
      fails(find({}, { projection: { a: 1, 'a.b': 1 } }), 31249),
    ],
  },
];
