import {
  backoffDelayMs,
  createSystemClock,
  delay,
  fromIsoTime,
  readRetryAfterMs,
  toIsoTime,
  waitAtMost,
} from './clock';

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

test('waiting ends with the work, the time or the signal, and tells of the work', async () => {
  const clock = createSystemClock();
  const never = new Promise(() => {});
  expect(await waitAtMost(clock, 3_600_000, Promise.resolve())).toBe(true);
  expect(await waitAtMost(clock, 3_600_000, Promise.reject(new Error('failed')))).toBe(true);
  expect(await waitAtMost(clock, 0, never)).toBe(false);
  expect(await waitAtMost(clock, 3_600_000, never, AbortSignal.abort())).toBe(false);
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
