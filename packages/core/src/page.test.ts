import { AppError } from './app-error';
import { idPageOf, pageById, windowOf } from './page';

describe('pages', () => {
  const id = (letter: string) => `key_01JAAAAAAAAAAAAAAAAAAAAAA${letter}`;

  test('a cursor leads to the item after the last one shown', () => {
    const found = ['C', 'B', 'A'].map((letter) => ({ id: id(letter) }));
    const first = pageById(found, windowOf({ limit: 2, cursor: '' }));
    expect(first.items).toHaveLength(2);
    expect(windowOf({ limit: 2, cursor: first.nextCursor }).beforeId).toBe(id('B'));
    expect(pageById(found.slice(2), windowOf({ limit: 2, cursor: '' })).nextCursor).toBe('');
  });

  test.each(['!', 'eyIkbmUiOjF9', Buffer.from('{"$ne":1}').toString('base64url')])(
    'the cursor %j is refused',
    (cursor) => {
      expect(() => windowOf({ limit: 2, cursor })).toThrow(AppError);
      expect(() => idPageOf('apiKey', { limit: 2, cursor })).toThrow(AppError);
    },
  );

  test('a page holds at most 200 items', () => {
    expect(windowOf({ limit: 201, cursor: '' }).limit).toBe(200);
  });

  test('a list by ascending ids goes on after an id of its kind', () => {
    expect(idPageOf('apiKey', { limit: 0, cursor: '' })).toEqual({ limit: 50, after: undefined });
    expect(idPageOf('apiKey', { limit: 2, cursor: id('A') })).toEqual({ limit: 2, after: id('A') });
    expect(() => idPageOf('channel', { limit: 2, cursor: id('A') })).toThrow(AppError);
  });
});
