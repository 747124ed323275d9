import { AppError } from '@tollgate/core';
import { parseCallbackUrl, parseRedirectTo } from './oauth';

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
