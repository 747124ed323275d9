// Globals are looked up slowly inside of a test runner's realm, and the model check draws millions.
const { imul } = Math;

/**
 * Numbers in [0, 1) that are the same for the same seed (mulberry32): small, fast and good enough
 * for tests and schedules, and no secret.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
