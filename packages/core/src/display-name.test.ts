import { AppError } from './app-error';
import { parseDisplayName, toDisplayName } from './display-name';

describe('names', () => {
  test.each(['Ada', '名', 'می\u200cخواهم', '👩\u200d💻', '❤\ufe0f', 'آدا', 'x'.repeat(100)])(
    '%s is one',
    (name) => {
      expect(parseDisplayName('name', ` ${name} `)).toBe(name);
      expect(toDisplayName(` ${name} `)).toBe(name);
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
      expect(() => parseDisplayName('display_name', name)).toThrow(
        expect.objectContaining(refusal) as Error,
      );
      expect(toDisplayName(name)).toBe('ab');
    },
  );

  test('of which nothing is seen is refused, and a long one from outside is cut', () => {
    expect(() => parseDisplayName('name', '\u200b')).toThrow(AppError);
    expect(toDisplayName('\u202e')).toBe('');
    expect(toDisplayName(`${'x'.repeat(99)}💻`)).toHaveLength(100);
    expect(toDisplayName(`${'x'.repeat(99)}💻`).isWellFormed()).toBe(true);
  });
});
