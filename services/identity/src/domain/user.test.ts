import { AppError } from '@tollgate/core';
import { checkPassword, normaliseEmail } from './user';

test('addresses are compared without case and surrounding blanks', () => {
  expect(normaliseEmail('  Ada@Example.COM ')).toBe('ada@example.com');
});

test.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@c', 'a@b,c@d'])(
  '%j is no address',
  (text) => {
    expect(normaliseEmail(text)).toBeUndefined();
  },
);

test('an address looks like no other one', () => {
  for (const hidden of ['\u0000', '\u007f', '\u00ad', '\u200b', '\u200d', '\u202e', '\ufe0f']) {
    expect(normaliseEmail(`ada${hidden}@example.com`)).toBeUndefined();
    expect(normaliseEmail(`ada@example.com${hidden}`)).toBeUndefined();
  }
  // A ligature, full-width letters and the sign of Kelvin, which would all be folded.
  for (const folded of ['\ufb01ona', '\uff21\uff24\uff21', '\u212aim']) {
    expect(normaliseEmail(`${folded}@example.com`)).toBeUndefined();
  }
  expect(normaliseEmail('Jörg@münchen.example')).toBe('jörg@münchen.example');
});

test.each(['short', 'aaaaaaaaaaaa', 'ada@example.com', 'x'.repeat(1025)])(
  'the password %j is refused',
  (password) => {
    expect(() => checkPassword('password', password, 'ada@example.com')).toThrow(AppError);
  },
);
