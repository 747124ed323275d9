import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 6;

/** The text of a key with the checksum that is right for it, as anybody can compute one. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < DIGITS; index += 1) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return `${body}${digits}`;
}
