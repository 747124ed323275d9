import { createHash, timingSafeEqual } from 'node:crypto';

// Taken out once: a global is looked up slowly inside of a test runner's realm.
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

/** Compares in a time that does not depend on where the texts differ. */
export function equalText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
