import { randomBytes } from 'node:crypto';
import { apiKeyChecksum } from '@tollgate/core';
import fc from 'fast-check';
import { bearerShapeOf, publicIdIn, publicPartOf, refusalOfBearer } from './bearer';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const publicId = fc
  .array(fc.nat(31), { minLength: 16, maxLength: 16 })
  .map((digits) => digits.map((digit) => CROCKFORD[digit]).join(''));
const wholeKey = publicId.map((id) => {
  const body = `tg_live_${id}_${randomBytes(32).toString('base64url')}`;
  return `${body}${apiKeyChecksum(body)}`;
});

test('a well-formed key is known by its text alone', () => {
  fc.assert(fc.property(wholeKey, (key) => expect(bearerShapeOf(key)).toBe('api_key')));
});

test('a key with any one character changed is refused before any look-up', () => {
  fc.assert(
    fc.property(wholeKey, fc.nat(), fc.constantFrom(...'aZ09_-'), (key, place, letter) => {
      const index = 8 + (place % (key.length - 8));
      fc.pre(key[index] !== letter);
      const changed = `${key.slice(0, index)}${letter}${key.slice(index + 1)}`;
      expect(bearerShapeOf(changed)).toBe('broken_api_key');
    }),
  );
});

test.each([
  ['tg_live_', 'broken_api_key'],
  ['tg_live_short_x', 'broken_api_key'],
  ['aaa.bbb.ccc', 'access_token'],
  ['sk-an-older-key', 'other'],
  ['a.b', 'other'],
])('%s is taken for: %s', (text, shape) => expect(bearerShapeOf(text)).toBe(shape));

test('the checksum is the CRC32 in six base62 digits', () => {
  expect(apiKeyChecksum('')).toBe('000000');
  // CRC32 of this text is 0xcbf43926, the check value of the algorithm.
  expect(apiKeyChecksum('123456789')).toBe(base62(0xcbf43926));
});

function base62(value: number): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) {
    text = `${digits[rest % 62]}${text}`;
  }
  return text;
}

const ID = '0123456789abcdef';
const SECRET = 's'.repeat(43);
const WHOLE = `tg_live_${ID}_${SECRET}abcdef`;

test.each([
  ['quotation marks', `Bearer "${WHOLE}"`, 'quotation marks', ID],
  ['quotation marks around all', `"Bearer ${WHOLE}"`, 'quotation marks', ID],
  ['Bearer twice', `Bearer Bearer ${WHOLE}`, 'twice', ID],
  ['no Bearer', WHOLE, 'Bearer is missing', ID],
  ['a variable', 'Bearer $TOLLGATE_API_KEY', 'variable', undefined],
  ['a variable in braces', 'Bearer {{TOLLGATE_API_KEY}}', 'variable', undefined],
  ['a place to be filled in', 'Bearer <your key>', 'variable', undefined],
  ['an empty variable', 'Bearer', 'is empty', undefined],
  ['a preview', `Bearer tg_live_${ID.slice(0, 8)}...`, 'preview', ID.slice(0, 8)],
  ['the first part alone', `Bearer tg_live_${ID}`, 'cut off', ID],
  ['the first part and its end', `Bearer tg_live_${ID}_`, 'cut off', ID],
  ['a space within', `Bearer tg_live_${ID}_${SECRET} abcdef`, 'a space', ID],
])(
  '%s is known by its shape, tells its sender nothing, keeps no secret',
  (_what, sent, told, id) => {
    const { details, message, publicMessage } = refusalOfBearer('malformed', sent);
    expect(details.slip).toContain(told);
    expect(publicMessage).toBe(refusalOfBearer('unknown').publicMessage);
    expect(publicIdIn(details.presented)).toBe(id);
    expect(`${message}${details.slip}${details.presented}`).not.toMatch(/sss|TOLLGATE|your/);
  },
);

test.each([
  ['mistyped', `Bearer ${WHOLE.replace('abcdef_', 'abcdxf_')}`],
  ['a character short', `Bearer ${WHOLE.replace('abcdef_', 'abcdf_')}`],
  ['no key at all', 'sk-0123456789abcdef'],
])('what is %s has no shape that is known', (_what, sent) => {
  const { details, publicMessage } = refusalOfBearer('malformed', sent);
  expect(details.slip).toBeUndefined();
  expect(publicMessage).toBe(refusalOfBearer('unknown').publicMessage);
});

test.each([
  [`tg_live_${'s'.repeat(60)}`, ''],
  [`tg_live_${ID}${SECRET}`, ''],
  [`tg_live_${ID}.${SECRET}`, ''],
  [`"tg_live_${ID}_${SECRET}`, `tg_live_${ID}…`],
])('the public part of %s ends before what could be a secret', (sent, shown) => {
  expect(publicPartOf(sent).replace('tg_…', '')).toBe(shown);
});
