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

test.each(['short', 'aaaaaaaaaaaa', 'ada@example.com', 'x'.repeat(1025)])(
  'the password %j is refused',
  (password) => {
    expect(() => checkPassword('password', password, 'ada@example.com')).toThrow(AppError);
  },
);
