import { createHash } from 'node:crypto';

// Globals are looked up slowly inside of a test runner's realm, and the model check draws millions.
const { imul } = Math;

/** FNV-1a of the UTF-16 units, an unsigned 32-bit integer: fast, the same everywhere, no secret. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** SHA-256 as lowercase hex. Of what somebody could guess it is no protection. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

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
