import { AppError } from '@tollgate/core';
import { activeKey, type SigningKeyRecord, verifyingKeys } from './access-token';
import { parseName, toName } from './account';
import { pairRule } from './login-throttle';
import { parseCallbackUrl, parseRedirectTo } from './oauth';
import { checkPassword, normaliseEmail } from './user';

describe('redirects after a login', () => {
  test.each(['/', '/console/keys?tab=1', '/console/#top'])('%s stays on our origin', (path) => {
    expect(parseRedirectTo(path)).toBe(path);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'console',
    '/a b',
    '/a\n',
    '/a\\b',
    `/${'x'.repeat(2048)}`,
  ])('%j is refused', (path) => {
    expect(() => parseRedirectTo(path)).toThrow(AppError);
  });

  test('the callback address loses its query and must be http or https', () => {
    const callback = 'https://gate.example/v1/oauth/callback';
    expect(parseCallbackUrl(`${callback}?code=1#x`)).toBe(callback);
    expect(() => parseCallbackUrl('ftp://gate.example/')).toThrow(AppError);
    expect(() => parseCallbackUrl('https://user:pass@gate.example/')).toThrow(AppError);
    expect(() => parseCallbackUrl('nonsense')).toThrow(AppError);
  });
});

describe('names', () => {
  test.each(['Ada', '名', 'می\u200cخواهم', '👩\u200d💻', '❤\ufe0f', 'آدا', 'x'.repeat(100)])(
    '%s is one',
    (name) => {
      expect(parseName('name', ` ${name} `)).toBe(name);
      expect(toName(` ${name} `)).toBe(name);
    },
  );

  test.each([
    ['turns what follows', 'a\u202eb'],
    ['isolates a direction', 'a\u2066b'],
    ['marks a direction', 'a\u200fb'],
    ['takes no room', 'a\u200bb'],
    ['is a soft hyphen', 'a\u00adb'],
    ['is a mark of the order of bytes', 'a\ufeffb'],
    ['ends a line', 'a\u2028b'],
    ['is a control of the second set', 'a\u0085b'],
    ['fills Hangul', 'a\u3164b'],
  ])(
    'one with a character that %s is refused, and taken from outside without it',
    (_what, name) => {
      const refusal = { code: 'VALIDATION_ERROR', param: 'display_name' };
      expect(() => parseName('display_name', name)).toThrow(
        expect.objectContaining(refusal) as Error,
      );
      expect(toName(name)).toBe('ab');
    },
  );

  test('of which nothing is seen is refused, and a long one from outside is cut', () => {
    expect(() => parseName('name', '\u200b')).toThrow(AppError);
    expect(toName('\u202e')).toBe('');
    expect(toName(`${'x'.repeat(99)}💻`)).toHaveLength(100);
    expect(toName(`${'x'.repeat(99)}💻`).isWellFormed()).toBe(true);
  });
});

describe('people', () => {
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

  test('addresses of one IPv6 network count as one address', () => {
    const rule = (address: string) => pairRule('ada@example.com', address).key;
    expect(rule('2001:db8:1:2::1')).toBe(rule('2001:0db8:0001:0002:ffff::9'));
    expect(rule('2001:db8:1:3::1')).not.toBe(rule('2001:db8:1:2::1'));
    expect(rule('::1')).toBe(rule('0:0:0:0:0:0:0:1'));
    expect(rule('10.0.0.1')).not.toBe(rule('10.0.0.2'));
  });
});

describe('signing keys', () => {
  const HOUR_MS = 3_600_000;
  const key = (generation: number, activeFrom: number): SigningKeyRecord => ({
    kid: `kid-${generation}`,
    publicKeyPem: '',
    sealedPrivateKey: '',
    generation,
    createdAt: activeFrom,
    activeFrom,
  });

  test('a successor is published before it signs', () => {
    const keys = [key(1, 0), key(2, HOUR_MS)];
    expect(activeKey(keys, HOUR_MS - 1)?.kid).toBe('kid-1');
    expect(verifyingKeys(keys, HOUR_MS - 1)).toHaveLength(2);
    expect(activeKey(keys, HOUR_MS)?.kid).toBe('kid-2');
  });

  test('a key verifies until the last token it signed has expired', () => {
    const keys = [key(1, 0), key(2, HOUR_MS)];
    expect(verifyingKeys(keys, 2 * HOUR_MS)).toHaveLength(2);
    expect(verifyingKeys(keys, 3 * HOUR_MS).map(({ kid }) => kid)).toEqual(['kid-2']);
  });
});
