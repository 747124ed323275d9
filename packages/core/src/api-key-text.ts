import { crc32 } from 'node:zlib';

/**
 * The text form of an API key: `tg_live_<public id>_<secret><checksum>`.
 *
 * - public id: 16 characters of lowercase Crockford base32 (80 random bits). It names the record,
 *   is shown in previews and stays the same when the key is rotated.
 * - secret: base64url of 32 random bytes, 43 characters.
 * - checksum: CRC32 of everything before it, as 6 base62 digits. It lets a mistyped or made-up key
 *   be refused before any look-up, and lets secret scanners tell real keys from noise.
 */
export interface ParsedKey {
  readonly publicId: string;
  /** The whole key as presented. */
  readonly text: string;
}

/** The beginning of every key. */
export const API_KEY_PREFIX = 'tg_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_DIGITS = 6;
const SHAPE = /^(tg_live_([0-9a-hjkmnp-tv-z]{16})_[A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;

/** True for text that claims to be a key of this shape, well-formed or not. */
export function hasApiKeyPrefix(text: string): boolean {
  return text.startsWith(API_KEY_PREFIX);
}

/** Reads a key; undefined when its shape or its checksum is wrong. */
export function parseApiKey(text: string): ParsedKey | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [, body = '', publicId = '', checksum] = match;
  return apiKeyChecksum(body) === checksum ? { publicId, text } : undefined;
}

/** CRC32 of the text as six base62 digits, padded with zeros. */
export function apiKeyChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < CHECKSUM_DIGITS; index += 1) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
