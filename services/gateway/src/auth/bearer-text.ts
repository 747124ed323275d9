import { crc32 } from 'node:zlib';

/** RFC 6750 credentials; the scheme is case-insensitive. */
const BEARER = /^bearer +([\w.~+/=-]{1,4096})$/i;

/** The bearer secret of an Authorization header; undefined when absent or malformed. */
export function parseBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : BEARER.exec(header)?.[1];
}

/**
 * The text form of an API key, `tg_live_<public id>_<secret><checksum>`: a public id of 16
 * characters of lowercase Crockford base32, a secret of 43 base64url characters, and the CRC32 of
 * everything before it as 6 base62 digits. The checksum lets a made-up key be refused without any
 * look-up.
 */
const PREFIX = 'tg_live_';
const SHAPE = /^tg_live_[0-9a-hjkmnp-tv-z]{16}_[\w-]{43}[0-9A-Za-z]{6}$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_DIGITS = 6;

/** What a bearer secret can be, judged by its text alone. */
export type BearerShape = 'api_key' | 'broken_api_key' | 'access_token' | 'other';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Sorts a bearer secret; `other` may be a key that was issued before the present shape. */
export function shapeOf(bearer: string): BearerShape {
  if (bearer.startsWith(PREFIX)) return isWholeKey(bearer) ? 'api_key' : 'broken_api_key';
  return TOKEN.test(bearer) ? 'access_token' : 'other';
}

function isWholeKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_DIGITS);
  return text.slice(-CHECKSUM_DIGITS) === checksumOf(body);
}

/** CRC32 of the text as six base62 digits, padded with zeros. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < CHECKSUM_DIGITS; index += 1) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
