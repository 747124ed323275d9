import { AppError, toAppError } from './app-error';
import { createBoundedMap } from './bounded-map';
import {
  backoffDelayMs,
  createSystemClock,
  delay,
  fromIsoTime,
  readRetryAfterMs,
  toIsoTime,
} from './clock';
import { ERROR_CODES, isErrorCode } from './error-codes';
import { createId, firstIdAt, idTimeMs, isId } from './ids';
import { pageById, windowOf } from './page';

describe('errors', () => {
  test('what a client reads never holds what only the log may hold', () => {
    const error = new AppError('INTERNAL_ERROR', { internalMessage: 'host db-3 is down' });
    expect(error.publicMessage).toBe(ERROR_CODES.INTERNAL_ERROR.publicMessage);
    expect(error.message).toBe('host db-3 is down');
  });

  test('anything thrown becomes INTERNAL_ERROR, with its cause kept for the log', () => {
    const cause = new TypeError('x is not a function');
    expect(toAppError(cause)).toMatchObject({ code: 'INTERNAL_ERROR', cause });
    expect(toAppError('text')).toMatchObject({ code: 'INTERNAL_ERROR', message: 'text' });
    const known = new AppError('NOT_FOUND');
    expect(toAppError(known)).toBe(known);
  });

  test('a code from the wire is known by the table alone', () => {
    expect(isErrorCode('NOT_FOUND')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
  });

  test('retryable follows the table unless the place that failed knows better', () => {
    expect(new AppError('UPSTREAM_ERROR').retryable).toBe(true);
    expect(new AppError('UPSTREAM_ERROR', { retryable: false }).retryable).toBe(false);
  });
});

describe('ids', () => {
  test('carry their prefix, sort by creation and differ', () => {
    const ids = Array.from({ length: 1000 }, () => createId('request'));
    expect(new Set(ids).size).toBe(1000);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => isId('request', id))).toBe(true);
  });

  test('say when they were made, and go on when the clock stands still for a million of them', () => {
    const epochMs = Date.now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(epochMs);
    let latest = createId('request');
    expect(latest >= firstIdAt('request', epochMs)).toBe(true);
    expect(latest < firstIdAt('request', epochMs + 1)).toBe(true);
    expect(idTimeMs('request', latest)).toBe(epochMs);
    expect(idTimeMs('request', `req_${'Z'.repeat(26)}`)).toBeUndefined();
    let unordered = 0;
    for (let made = 0; made < 1_100_000; made += 1) {
      const next = createId('request');
      if (next <= latest) unordered += 1;
      latest = next;
    }
    clock.mockRestore();
    expect(unordered).toBe(0);
    expect(isId('request', latest)).toBe(true);
    expect(latest < firstIdAt('request', epochMs + 4)).toBe(true);
  });

  test.each([
    '',
    'req_',
    'req_1',
    'key_01M7Z2YTAXJHXTM5HJJACK2ZWJ',
    'req_01m7z2ytaxjhxtm5hjjack2zwj',
  ])('"%s" is no request id', (text) => {
    expect(isId('request', text)).toBe(false);
    expect(idTimeMs('request', text)).toBeUndefined();
  });
});

describe('a bounded map', () => {
  test('forgets the entry that was used longest ago', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([...map.entries()]).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  test('setting an entry again does not push another out', () => {
    const map = createBoundedMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect(map.size).toBe(2);
    expect(map.get('a')).toBe(1);
  });

  test.each([0, -1, 1.5, Number.NaN])('a bound of %s is refused', (bound) => {
    expect(() => createBoundedMap(bound)).toThrow(RangeError);
  });
});

describe('back-off', () => {
  const policy = { initialMs: 100, maxMs: 1000 };

  test('doubles, keeps within half and whole, and stops at its bound', () => {
    expect(backoffDelayMs(policy, 0, () => 0)).toBe(50);
    expect(backoffDelayMs(policy, 0, () => 1)).toBe(100);
    expect(backoffDelayMs(policy, 2, () => 1)).toBe(400);
    expect(backoffDelayMs(policy, 1000, () => 1)).toBe(1000);
  });
});

describe('time', () => {
  test('is written and read as ISO-8601 in UTC', () => {
    expect(toIsoTime(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(fromIsoTime('2026-01-01T00:00:00Z')).toBe(Date.UTC(2026, 0, 1));
    expect(fromIsoTime('yesterday')).toBeUndefined();
  });

  test('a delay ends with its signal’s reason when it is aborted', async () => {
    const clock = createSystemClock();
    const controller = new AbortController();
    const waiting = delay(clock, 3_600_000, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(delay(clock, 1, controller.signal)).rejects.toBe(reason);
  });
});

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
    },
  );

  test('a page holds at most 200 items', () => {
    expect(windowOf({ limit: 201, cursor: '' }).limit).toBe(200);
  });
});

test.each([
  ['seconds', '120', 120_000],
  ['seconds among spaces', ' 1 ', 1_000],
  ['a date', 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['the first of two', ['5', '9'], 5_000],
  ['a date that is past', 'Thu, 01 Jan 2015 00:01:00 GMT', undefined],
  ['a date of another form', '2026-01-01T00:01:00Z', undefined],
  ['nonsense', 'soon', undefined],
  ['a negative number', '-5', undefined],
  ['nothing', undefined, undefined],
])('Retry-After may be %s', (_name, header, expected) => {
  expect(readRetryAfterMs(header, Date.UTC(2026, 0, 1))).toBe(expected);
});
