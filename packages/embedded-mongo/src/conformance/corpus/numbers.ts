import { Double } from 'bson';
import {
  answers,
  type ConformanceCase,
  changes,
  find,
  findsIds,
  refusesUpdate,
} from '../conformance-case';

const BEYOND_DOUBLE = 9_007_199_254_740_993n;

const numbers = [
  { _id: 1, v: 1 },
  { _id: 2, v: 1n },
  { _id: 3, v: new Double(1) },
  { _id: 4, v: new Double(1.5) },
  { _id: 5, v: BEYOND_DOUBLE },
  { _id: 6, v: BEYOND_DOUBLE - 1n },
  { _id: 7, v: new Double(9_007_199_254_740_992) },
  { _id: 8, v: new Double(-0.5) },
  { _id: 9, v: new Double(1e300) },
  { _id: 10, v: -9_223_372_036_854_775_808n },
];

/** Numbers of three types, exact beyond 2^53. */
export const numberCases: readonly ConformanceCase[] = [
  {
    title: 'numbers are equal by value, whatever their type',
    seed: numbers,
    steps: [
      findsIds({ v: 1 }, [1, 2, 3]),
      findsIds({ v: new Double(1) }, [1, 2, 3]),
      findsIds({ v: { $in: [1n, new Double(1.5)] } }, [1, 2, 3, 4]),
    ],
  },
  {
    title: 'neighbours beyond 2^53 are told apart, also against doubles',
    seed: numbers,
    steps: [
      findsIds({ v: BEYOND_DOUBLE }, [5]),
      findsIds({ v: new Double(9_007_199_254_740_992) }, [6, 7]),
      findsIds({ v: { $gt: new Double(9_007_199_254_740_992), $lt: 1e18 } }, [5]),
      findsIds({ v: { $gte: BEYOND_DOUBLE } }, [5, 9]),
      findsIds({ v: { $lt: 0 } }, [8, 10]),
      answers(
        find({ _id: { $gte: 4 } }, { sort: { v: 1, _id: 1 }, projection: { _id: 1 } }),
        [10, 8, 4, 6, 7, 5, 9].map((_id) => ({ _id })),
      ),
    ],
  },
  {
    title: 'types of numbers survive storage',
    seed: [{ _id: 1, i: 1, l: 1n, d: new Double(1) }],
    steps: [answers(find({ _id: 1 }), [{ _id: 1, i: 1, l: 1n, d: new Double(1) }])],
  },
  {
    title: '$inc is exact on int64',
    seed: [{ _id: 1, v: BEYOND_DOUBLE }],
    steps: [
      ...changes({ $inc: { v: 1n } }, { _id: 1, v: BEYOND_DOUBLE + 1n }),
      ...changes({ $inc: { v: -3 } }, { _id: 1, v: BEYOND_DOUBLE - 2n }),
    ],
  },
  {
    title: '$inc of int32 grows to int64 instead of wrapping',
    seed: [{ _id: 1, v: 2_147_483_647 }],
    steps: [...changes({ $inc: { v: 1 } }, { _id: 1, v: 2_147_483_648n })],
  },
  {
    title: '$inc past int64 is an error and changes nothing',
    seed: [{ _id: 1, v: 9_223_372_036_854_775_807n }],
    steps: [
      refusesUpdate({ $inc: { v: 1 } }, 2),
      answers(find({ _id: 1 }), [{ _id: 1, v: 9_223_372_036_854_775_807n }]),
    ],
  },
  {
    title: '$inc mixes types as MongoDB does',
    seed: [{ _id: 1, i: 1, l: 1n, d: new Double(0.5) }],
    steps: [
      ...changes(
        { $inc: { i: 1n, l: new Double(0.25), d: 1, created: 5n } },
        { _id: 1, i: 2n, l: new Double(1.25), d: new Double(1.5), created: 5n },
      ),
    ],
  },
  {
    title: '$min and $max compare across number types and types',
    seed: [{ _id: 1, lo: 5n, hi: 5n, mixed: 'text' }],
    steps: [
      ...changes(
        { $min: { lo: new Double(4.5), mixed: 7 }, $max: { hi: 6, fresh: 1n } },
        { _id: 1, lo: new Double(4.5), hi: 6, mixed: 7, fresh: 1n },
      ),
    ],
  },
];
