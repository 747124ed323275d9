import { randomBytes } from 'node:crypto';
import { API_KEY_PREFIX, apiKeyChecksum } from '@tollgate/core';

/** Gives `size` unpredictable bytes. */
export type RandomSource = (size: number) => Buffer;

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const PUBLIC_ID_BYTES = 10;
const SECRET_BYTES = 32;
const PREVIEW_ID_CHARACTERS = 8;

/** A new secret for the public id, as the whole key text. */
export function createKeyText(publicId: string, random: RandomSource = randomBytes): string {
  const body = `${API_KEY_PREFIX}${publicId}_${random(SECRET_BYTES).toString('base64url')}`;
  return `${body}${apiKeyChecksum(body)}`;
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
export function keyPreviewOf(publicId: string): string {
  return `${API_KEY_PREFIX}${publicId.slice(0, PREVIEW_ID_CHARACTERS)}...`;
}
