import * as fc from 'fast-check';
import {
  hasFailedTooLong,
  outcomeOf,
  RETRY_DELAYS_MS,
  readRetryAfterMs,
  retryDelayMs,
} from './attempt';
import { createAttemptPermits } from './attempt-permits';
import { checkSettings, completeNewSettings } from './endpoint-settings';
import { createSigningSecret, rotateSecrets, secretsInForce } from './signing-secrets';
import { addDenial, type Denial, type DenialRun, EMPTY_RUN } from './sustained-denials';

const HOUR_MS = 3_600_000;
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

test.each([
  ['seconds', '120', 120_000],
  ['a date', 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['a date that is past', 'Thu, 01 Jan 2015 00:01:00 GMT', 0],
  ['more than is honoured', '999999', 24 * HOUR_MS],
  ['nonsense', 'soon', 0],
  ['a negative number', '-5', 0],
  ['nothing', undefined, 0],
])('Retry-After may be %s', (_name, header, expected) => {
  expect(readRetryAfterMs(header, Date.UTC(2026, 0, 1), 24 * HOUR_MS)).toBe(expected);
});

test('Retry-After makes a wait longer, never shorter', () => {
  const long = outcomeOf(answered(503, HOUR_MS), 1, () => 0);
  expect(long).toMatchObject({ kind: 'retry', delayMs: HOUR_MS });
  const short = outcomeOf(answered(503, 1000), 2, () => 0);
  expect(short).toMatchObject({ kind: 'retry', delayMs: 300_000 });
});

test.each([200, 201, 204, 299])('an answer %i is a success', (status) => {
  expect(outcomeOf(answered(status), 1, () => 0)).toEqual({
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
  const outcome = outcomeOf(answered(status), 1, () => 0);
  expect(outcome).toMatchObject({ kind: 'retry', statusCode: status });
  expect(outcome).toHaveProperty('error', expect.stringContaining(text));
});

test('410 is final at the first attempt, other failures at the tenth', () => {
  expect(outcomeOf(answered(410), 1, () => 0)).toMatchObject({ kind: 'failed', gone: true });
  expect(outcomeOf(answered(500), 10, () => 0)).toMatchObject({ kind: 'failed', gone: false });
  const timeout = { kind: 'failed', reason: 'timeout' } as const;
  expect(outcomeOf(timeout, 10, () => 0)).toMatchObject({ kind: 'failed', statusCode: null });
});

test('an attempt that we could not make costs the receiver nothing', () => {
  expect(outcomeOf({ kind: 'not_sent', delayMs: 5 }, 10, () => 0)).toEqual({
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

test('a signing secret is whsec_ and 256 bits, never the same twice', () => {
  const secret = createSigningSecret();
  expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  expect(createSigningSecret()).not.toBe(secret);
});

test('there are never more than two secrets, and the old one ends with its grace period', () => {
  const first = [{ sealed: 'one', expiresAtMs: null }];
  const second = rotateSecrets(first, 'two', 60, 1000);
  expect(secretsInForce(second, 60_999).map(({ sealed }) => sealed)).toEqual(['two', 'one']);
  expect(secretsInForce(second, 61_000).map(({ sealed }) => sealed)).toEqual(['two']);
  const third = rotateSecrets(second, 'three', 60, 2000);
  expect(third.map(({ sealed }) => sealed)).toEqual(['three', 'two']);
  expect(rotateSecrets(third, 'four', 0, 2000)).toHaveLength(1);
  expect(() => rotateSecrets(first, 'two', 604_801, 0)).toThrow(/grace period/);
});

function permitsOf(total: number, perEndpoint: number) {
  const permits = createAttemptPermits({ total, perEndpoint });
  const take = (accountId: string, id: string, consecutiveFailures = 0) =>
    permits.take({ accountId, id, consecutiveFailures });
  return { permits, take };
}

test('no endpoint has more than its permits, and failing ones at most half of all', () => {
  const { permits, take } = permitsOf(8, 2);
  const release = take('A', 'a', 1);
  expect(take('B', 'b', 1)).toBeDefined();
  expect(take('C', 'c', 1)).toBeDefined();
  expect(take('D', 'd', 1)).toBeDefined();
  expect(take('E', 'e', 1)).toBeUndefined();
  expect(permits.failingAreFull).toBe(true);
  expect(take('E', 'f')).toBeDefined();
  release?.();
  release?.();
  expect(permits.taken).toBe(4);
  expect(take('E', 'f')).toBeDefined();
  expect(take('E', 'f')).toBeUndefined();
  expect(permits.saturated().endpoints).toEqual(['f']);
});

test('an account gets at most as many permits as it leaves free, and a newcomer always gets one', () => {
  const { permits, take } = permitsOf(8, 1);
  const taken = (account: string) =>
    Array.from({ length: 20 }, (_, index) => take(account, `${account}${index}`)).filter(
      (release) => release !== undefined,
    );
  const first = taken('A');
  expect(first).toHaveLength(4);
  expect([taken('B').length, taken('C').length, taken('D').length]).toEqual([2, 1, 1]);
  expect(permits.isFull).toBe(true);
  expect(permits.saturated().accounts).toContain('A');
  for (const release of first) release();
  // Who has its share already waits for those who have less.
  expect([taken('E').length, taken('B').length]).toEqual([2, 0]);
});

test.each([
  ['no url', { events: ['balance.low'] }, 'url'],
  ['a url without end', { url: `http://a/${'x'.repeat(2048)}`, events: ['balance.low'] }, 'url'],
  ['no event', { url: 'http://a', events: [] }, 'events'],
  ['an event that does not exist', { url: 'http://a', events: ['balance.high'] }, 'events'],
  [
    'a description without end',
    { url: 'http://a', events: ['balance.low'], description: 'x'.repeat(501) },
    'description',
  ],
  [
    'a status that only we set',
    { url: 'http://a', events: ['balance.low'], status: 'auto_disabled' },
    'status',
  ],
] as const)('settings with %s are refused by field', (_name, settings, param) => {
  let refusal: unknown;
  try {
    completeNewSettings(settings);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', param });
});

test('what a change leaves out keeps its value, and an event counts once', () => {
  const present = completeNewSettings({ url: 'http://a', events: ['balance.low', 'balance.low'] });
  expect(present.events).toEqual(['balance.low']);
  expect(checkSettings(present, { description: 'new' })).toEqual({
    ...present,
    description: 'new',
  });
});

const RULE = { windowsNeeded: 3, quietMs: HOUR_MS };
const newEventId = () => 'evt_1';

function denial(atSeconds: number, over: Partial<Denial> = {}): Denial {
  return {
    id: `den_${atSeconds}`,
    accountId: 'acc_1',
    keyId: null,
    reason: 'rpm',
    count: 2,
    atMs: atSeconds * 1000,
    ...over,
  };
}

const runOf = (denials: readonly Denial[], run: DenialRun = EMPTY_RUN) =>
  denials.reduce((present, one) => addDenial(present, one, RULE, newEventId), run);

test('refusals in three of four successive windows are sustained, in fewer they are not', () => {
  expect(runOf([denial(0), denial(10)]).report).toBeNull();
  expect(runOf([denial(0), denial(10), denial(20)]).report).toMatchObject({
    count: 6,
    atMs: 30_000,
  });
  expect(runOf([denial(0), denial(9.9, { id: 'x' }), denial(20), denial(30)]).report).toMatchObject(
    { count: 8 },
  );
  expect(runOf([denial(0), denial(10), denial(40), denial(70)]).report).toBeNull();
});

test('refusals that come again, in any order, count once', () => {
  const all = [denial(0), denial(10), denial(20), denial(10), denial(0), denial(20)];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: 6, maxLength: 6 }), (shuffled) => {
      expect(runOf(shuffled).report).toMatchObject({ count: 6 });
    }),
  );
});

test('a report is made at most once an hour, and only after the last one was told', () => {
  const first = runOf([denial(0), denial(10), denial(20), denial(30)]);
  expect(first.report).toMatchObject({ count: 6 });
  const told = { ...first, report: null };
  expect(runOf([denial(40), denial(50), denial(60)], told).report).toBeNull();
  const later = [3600, 3610, 3620].map((seconds) => denial(seconds));
  expect(runOf(later, told).report).toMatchObject({ count: 6 });
});
