import { randomBytes } from 'node:crypto';
import { hasApiKeyPrefix, parseApiKey } from '@tollgate/core';
import { createKeyText, createPublicId, keyPreviewOf, listNearPublicIds } from './key-codec';

/**
 * The same three vectors stand in the gateway's tests: both codecs must agree to the last digit.
 * None of them has ever been issued.
 */
const VECTORS = [
  {
    publicId: '0000000000000000',
    text: `tg_live_0000000000000000_${'A'.repeat(43)}41VwgT`,
  },
  {
    publicId: 'zzzzzzzzzzzzzzzz',
    text: `tg_live_zzzzzzzzzzzzzzzz_${'_'.repeat(43)}1O4P8d`,
  },
  {
    publicId: '0123456789abcdef',
    text: 'tg_live_0123456789abcdef_not-a-real-secret-00000000000000000000000004MHKnb',
  },
] as const;

const GOOD = VECTORS[2].text;

test.each(VECTORS)('the key with public id $publicId is read', ({ publicId, text }) => {
  expect(parseApiKey(text)).toEqual({ publicId, text });
});

test('a generated key is read back and shows its public id in the preview', () => {
  const publicId = createPublicId(randomBytes);
  const text = createKeyText(publicId, randomBytes);
  expect(publicId).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  expect(text).toHaveLength(74);
  expect(parseApiKey(text)).toEqual({ publicId, text });
  expect(keyPreviewOf(publicId)).toBe(`tg_live_${publicId.slice(0, 8)}...`);
});

test('public id and secret come from the random source bit by bit', () => {
  const zeroes = (size: number) => Buffer.alloc(size);
  const ones = (size: number) => Buffer.alloc(size, 0xff);
  expect(createKeyText(createPublicId(zeroes), zeroes)).toBe(VECTORS[0].text);
  expect(createPublicId(ones)).toBe('zzzzzzzzzzzzzzzz');
});

test.each([
  ['nothing', ''],
  ['the prefix alone', 'tg_live_'],
  ['another environment', GOOD.replace('tg_live_', 'tg_test_')],
  ['a changed character of the secret', GOOD.replace('real', 'reel')],
  ['a changed public id', GOOD.replace('0123', '1123')],
  ['a changed checksum', `${GOOD.slice(0, -1)}c`],
  ['two characters swapped', GOOD.replace('secret', 'secrte')],
  ['a missing character', GOOD.slice(0, -1)],
  ['one more character', `${GOOD}0`],
  ['a line break at the end', `${GOOD}\n`],
  ['a space in front', ` ${GOOD}`],
  ['a letter that base32 leaves out', GOOD.replace('abcdef', 'abcdeu')],
  ['capital letters in the public id', GOOD.replace('abcdef', 'ABCDEF')],
])('%s is refused before any look-up', (_name, text) => {
  expect(parseApiKey(text)).toBeUndefined();
});

test('every single wrong character in the body is caught by the checksum', () => {
  const bodyLength = GOOD.length - 6;
  for (let index = 'tg_live_'.length; index < bodyLength; index += 1) {
    const wrong = GOOD[index] === '0' ? '1' : '0';
    const text = `${GOOD.slice(0, index)}${wrong}${GOOD.slice(index + 1)}`;
    expect(parseApiKey(text)).toBeUndefined();
  }
});

test('keys of other shapes are told apart by their prefix', () => {
  expect(hasApiKeyPrefix('tg_live_broken')).toBe(true);
  expect(hasApiKeyPrefix('sk-issued-before-v1')).toBe(false);
});

test('one slip in a public id, of whatever kind, has the right one among the near ones', () => {
  const right = '0123456789abcdef';
  const slips = [
    ['replaced', '0123x56789abcdef'],
    ['replaced at the end', '0123456789abcdeg'],
    ['no letter of ours', '0123456789abcdeo'],
    ['swapped', '0123465789abcdef'],
    ['left out', '012345678abcdef'],
    ['doubled', '01234556789abcdef'],
    ['added at the end', '0123456789abcdef0'],
  ];
  for (const [what = '', text = ''] of slips) {
    const near = listNearPublicIds(text);
    expect([what, near.includes(right), near.length <= 600]).toEqual([what, true, true]);
    expect(near.includes(text)).toBe(false);
  }
  expect(listNearPublicIds('0123')).toEqual([]);
  expect(listNearPublicIds('0123xx6789abcdef')).not.toContain(right);
});
