import { createId, firstIdAt, idTimeMs, isId } from './ids';

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
