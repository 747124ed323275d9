import { randomBytes } from 'node:crypto';
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

/** Gives `size` unpredictable bytes. */
export type RandomSource = (size: number) => Buffer;

const PREFIX = 'tg_live_';
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_BYTES = 10;
const SECRET_BYTES = 32;
const CHECKSUM_DIGITS = 6;
const SHAPE = /^(tg_live_([0-9a-hjkmnp-tv-z]{16})_[A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/;
const PREVIEW_ID_CHARACTERS = 8;

/** True for text that claims to be a key of this shape, well-formed or not. */
export function claimsKeyShape(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Reads a key; undefined when its shape or its checksum is wrong. */
export function parseKey(text: string): ParsedKey | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [, body = '', publicId = '', checksum] = match;
  return checksumOf(body) === checksum ? { publicId, text } : undefined;
}

/** A new secret for the public id, as the whole key text. */
export function createKeyText(publicId: string, random: RandomSource = randomBytes): string {
  const body = `${PREFIX}${publicId}_${random(SECRET_BYTES).toString('base64url')}`;
  return `${body}${checksumOf(body)}`;
}

/** A new public id: five bits a character, most significant first. */
export function createPublicId(random: RandomSource = randomBytes): string {
  let bits = BigInt(`0x${random(PUBLIC_ID_BYTES).toString('hex')}`);
  let text = '';
  for (let index = 0; index < (PUBLIC_ID_BYTES * 8) / 5; index += 1) {
    text = `${CROCKFORD[Number(bits & 31n)]}${text}`;
    bits >>= 5n;
  }
  return text;
}

/** Enough of a key to recognise it in a list, nothing that helps to guess it. */
export function previewOf(publicId: string): string {
  return `${PREFIX}${publicId.slice(0, PREVIEW_ID_CHARACTERS)}...`;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_DIGITS; index += 1) {
    text = `${BASE62[rest % 62]}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}
