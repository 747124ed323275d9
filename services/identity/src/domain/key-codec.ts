import { API_KEY_PREFIX, apiKeyChecksum, CROCKFORD_DIGITS } from '@tollgate/core';
import type { RandomSource } from './secret-text';

const DIGITS = CROCKFORD_DIGITS.toLowerCase();
const PUBLIC_ID_BYTES = 10;
const SECRET_BYTES = 32;
const PUBLIC_ID_CHARACTERS = (PUBLIC_ID_BYTES * 8) / 5;
const PREVIEW_ID_CHARACTERS = 8;

/** A new secret for the public id, as the whole key text. */
export function createKeyText(publicId: string, random: RandomSource): string {
  const body = `${API_KEY_PREFIX}${publicId}_${random(SECRET_BYTES).toString('base64url')}`;
  return `${body}${apiKeyChecksum(body)}`;
}

/** A new public id: five bits a character, most significant first. */
export function createPublicId(random: RandomSource): string {
  let bits = BigInt(`0x${random(PUBLIC_ID_BYTES).toString('hex')}`);
  let text = '';
  for (let index = 0; index < PUBLIC_ID_CHARACTERS; index += 1) {
    text = `${DIGITS[Number(bits & 31n)]}${text}`;
    bits >>= 5n;
  }
  return text;
}

/** Enough of a key to recognise it in a list, nothing that helps to guess it. */
export function keyPreviewOf(publicId: string): string {
  return `${API_KEY_PREFIX}${publicId.slice(0, PREVIEW_ID_CHARACTERS)}...`;
}

/**
 * Every public id from which this text differs by one slip: a character replaced, left out, doubled
 * or added, or two of them swapped. Some five hundred at most, so that they are looked up by name.
 */
export function listNearPublicIds(text: string): readonly string[] {
  const near = new Set<string>();
  const places = Array.from({ length: text.length + 1 }, (_, place) => place);
  const splitAt = (place: number) => [text.slice(0, place), text.slice(place)] as const;
  switch (text.length - PUBLIC_ID_CHARACTERS) {
    case 0:
      for (const [before, [first = '', second = '', ...rest]] of places.map(splitAt)) {
        for (const letter of DIGITS) near.add(`${before}${letter}${second}${rest.join('')}`);
        near.add(`${before}${second}${first}${rest.join('')}`);
      }
      break;
    case -1:
      for (const [before, after] of places.map(splitAt)) {
        for (const letter of DIGITS) near.add(`${before}${letter}${after}`);
      }
      break;
    case 1:
      for (const [before, after] of places.map(splitAt)) near.add(`${before}${after.slice(1)}`);
      break;
  }
  return [...near].filter((id) => id !== text && id.length === PUBLIC_ID_CHARACTERS);
}
