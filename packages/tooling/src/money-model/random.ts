/** A source of choices that a seed fully determines. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, fast and good enough to choose among interleavings. */
export function createRandom(seed: number): Random {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => probability > 0 && next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to choose from');
      return items[Math.floor(next() * items.length)] as (typeof items)[number];
    },
  };
}
