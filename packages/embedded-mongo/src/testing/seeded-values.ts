import { Binary, Double, Int32, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import type { Value } from '../values/value';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, choices: readonly T[]): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to pick from');
  return choice;
}

/** Values around every border that an index key or a comparison could get wrong. */
export const BORDER_VALUES: readonly Value[] = [
  new MinKey(),
  null,
  new Double(Number.NaN),
  new Double(Number.NEGATIVE_INFINITY),
  new Double(-1e300),
  new Double(-(2 ** 63)),
  -(2n ** 63n),
  -9_007_199_254_740_993n,
  new Double(-9_007_199_254_740_992),
  new Int32(-2_147_483_648),
  new Double(-1.5),
  new Int32(-1),
  new Double(-1e-300),
  new Double(-0),
  0n,
  new Double(5e-324),
  new Double(0.1),
  new Double(0.5),
  new Int32(1),
  1n,
  new Double(1),
  new Double(1.0000000000000002),
  new Int32(256),
  new Double(9_007_199_254_740_992),
  9_007_199_254_740_993n,
  2n ** 63n - 1n,
  new Double(2 ** 63),
  new Double(Number.POSITIVE_INFINITY),
  '',
  '\0',
  '\0\0',
  'a',
  'a\0',
  'a\0b',
  'aa',
  'b',
  'é',
  '\uffee',
  '\u{1f600}',
  new Map(),
  new Map([['a', new Int32(1)]]),
  new Map<string, Value>([
    ['a', new Int32(1)],
    ['b', null],
  ]),
  new Map([['a', 'x']]),
  new Map([['b', new Int32(1)]]),
  [],
  [null],
  [new Int32(1)],
  [new Int32(1), 'x'],
  [[]],
  new Binary(Buffer.alloc(0)),
  new Binary(Buffer.from([0])),
  new Binary(Buffer.from([255]), 4),
  new ObjectId('000000000000000000000000'),
  new ObjectId('65a0000000000000000000ff'),
  false,
  true,
  new Date(-8_640_000_000_000_000),
  new Date(-1),
  new Date(0),
  new Date(1),
  new Timestamp(1n),
  new Timestamp(2n ** 64n - 1n),
  new MaxKey(),
];
