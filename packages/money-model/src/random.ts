import { seededRandom } from '@tollgate/core';

/** A source of choices that a seed fully determines. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

// Globals are looked up slowly inside of a test runner's realm, and this runs millions of times.
const { floor, imul } = Math;

export function createRandom(seed: number): Random {
  // Neighbouring seeds must not begin alike.
  const next = seededRandom(imul(seed + 1, 0x9e3779b1));
  return {
    next,
    int: (min, max) => min + floor(next() * (max - min + 1)),
    chance: (probability) => probability > 0 && next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to choose from');
      return items[floor(next() * items.length)] as (typeof items)[number];
    },
  };
}
