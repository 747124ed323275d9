import { HOUR_MS } from '@tollgate/core';
import * as fc from 'fast-check';
import { attemptOutcomeOf, hasFailedTooLong, RETRY_DELAYS_MS, retryDelayMs } from './attempt';

const answered = (status: number, retryAfterMs = 0) =>
  ({ kind: 'answered', status, retryAfterMs }) as const;

test('a delivery is tried ten times: at once and after nine waits', () => {
  const waits: (number | undefined)[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) waits.push(retryDelayMs(attempt, () => 0));
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  expect(waits).toEqual([...minutes.map((minute) => minute * 60_000), undefined]);
});

test('jitter makes a wait at most a fifth longer and never shorter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, random) => {
        const wait = retryDelayMs(attempt, () => random) ?? 0;
        const plain = RETRY_DELAYS_MS[attempt - 1] ?? 0;
        expect(wait).toBeGreaterThanOrEqual(plain);
        expect(wait).toBeLessThanOrEqual(plain * 1.2 + 1);
      },
    ),
  );
});

test('Retry-After makes a wait longer, never shorter', () => {
  const long = attemptOutcomeOf(answered(503, HOUR_MS), 1, () => 0);
  expect(long).toMatchObject({ kind: 'retry', delayMs: HOUR_MS });
  const short = attemptOutcomeOf(answered(503, 1000), 2, () => 0);
  expect(short).toMatchObject({ kind: 'retry', delayMs: 300_000 });
});

test.each([200, 201, 204, 299])('an answer %i is a success', (status) => {
  expect(attemptOutcomeOf(answered(status), 1, () => 0)).toEqual({
    kind: 'succeeded',
    statusCode: status,
  });
});

test.each([
  [301, 'redirect'],
  [302, 'redirect'],
  [400, 'HTTP status 400'],
  [429, 'HTTP status 429'],
  [500, 'HTTP status 500'],
])('an answer %i is a failure that is tried again', (status, text) => {
  const outcome = attemptOutcomeOf(answered(status), 1, () => 0);
  expect(outcome).toMatchObject({ kind: 'retry', statusCode: status });
  expect(outcome).toHaveProperty('error', expect.stringContaining(text));
});

test('410 is final at the first attempt, other failures at the tenth', () => {
  expect(attemptOutcomeOf(answered(410), 1, () => 0)).toMatchObject({ kind: 'failed', gone: true });
  expect(attemptOutcomeOf(answered(500), 10, () => 0)).toMatchObject({
    kind: 'failed',
    gone: false,
  });
  const timeout = { kind: 'unanswered', reason: 'timeout' } as const;
  expect(attemptOutcomeOf(timeout, 10, () => 0)).toMatchObject({
    kind: 'failed',
    statusCode: null,
  });
});

test('an attempt that we could not make costs the receiver nothing', () => {
  expect(attemptOutcomeOf({ kind: 'not_sent', delayMs: 5 }, 10, () => 0)).toEqual({
    kind: 'postponed',
    delayMs: 5,
  });
});

test('an endpoint has failed too long after the whole time without a success, not before', () => {
  const limitMs = 5 * 24 * HOUR_MS;
  expect(hasFailedTooLong(null, limitMs * 9, limitMs)).toBe(false);
  expect(hasFailedTooLong(1000, limitMs + 999, limitMs)).toBe(false);
  expect(hasFailedTooLong(1000, limitMs + 1000, limitMs)).toBe(true);
});
