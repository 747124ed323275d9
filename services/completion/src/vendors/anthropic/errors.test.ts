import { toFailure } from './errors';

const BOUNDS = { lineBytesMax: 1000, retryAfterMsMax: 60_000 };

it.each([
  [400, 'VALIDATION_ERROR', 'request_refused', false],
  [401, 'UPSTREAM_ERROR', 'credential_refused', true],
  [402, 'UPSTREAM_ERROR', 'failure', true],
  [403, 'UPSTREAM_ERROR', 'credential_refused', false],
  [404, 'UPSTREAM_ERROR', 'failure', true],
  [413, 'VALIDATION_ERROR', 'request_refused', false],
  [429, 'SERVICE_UNAVAILABLE', 'rate_limited', true],
  [500, 'UPSTREAM_ERROR', 'failure', true],
  [504, 'UPSTREAM_TIMEOUT', 'timeout', true],
  [529, 'UPSTREAM_ERROR', 'failure', true],
])('a %s is our %s', (status, code, outcome, retryElsewhere) => {
  const refusal = { status, headers: {}, body: Buffer.alloc(0) };
  expect(toFailure(refusal, BOUNDS, 0)).toMatchObject({ outcome, retryElsewhere, error: { code } });
});

it('leaves a vendor at its limit alone for as long as it asks', () => {
  const refusal = { status: 429, headers: { 'retry-after': '7' }, body: Buffer.alloc(0) };
  expect(toFailure(refusal, BOUNDS, 0).error.retryAfterMs).toBe(7_000);
});
