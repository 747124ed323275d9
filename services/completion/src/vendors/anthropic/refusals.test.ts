import { refusedByStatus } from '../protocol/failures';

const BOUNDS = { lineBytesMax: 1000, retryAfterMsMax: 60_000 };

it.each([
  [400, 'VALIDATION_ERROR', 'request_refused', false],
  [401, 'UPSTREAM_ERROR', 'credential_refused', true],
  [402, 'UPSTREAM_ERROR', 'credential_refused', true],
  [403, 'UPSTREAM_ERROR', 'credential_refused', false],
  [404, 'UPSTREAM_ERROR', 'failure', true],
  [413, 'VALIDATION_ERROR', 'request_refused', false],
  [429, 'SERVICE_UNAVAILABLE', 'rate_limited', true],
  [500, 'UPSTREAM_ERROR', 'failure', true],
  [504, 'UPSTREAM_TIMEOUT', 'timeout', true],
  [529, 'UPSTREAM_ERROR', 'failure', true],
])('a %s is our %s', (status, code, outcome, retryElsewhere) => {
  const refusal = { status, headers: {}, body: Buffer.alloc(0) };
  expect(refusedByStatus(refusal, BOUNDS, 0)).toMatchObject({
    outcome,
    retryElsewhere,
    error: { code },
  });
});

it('leaves a vendor at its limit alone for as long as it asks', () => {
  const refusal = { status: 429, headers: { 'retry-after': '7' }, body: Buffer.alloc(0) };
  expect(refusedByStatus(refusal, BOUNDS, 0).error.retryAfterMs).toBe(7_000);
});

it('answers a request like a bad one where its account has no credit, and is not believed', () => {
  const message = 'Your credit balance is too low to access the Anthropic API.';
  const body = Buffer.from(JSON.stringify({ error: { type: 'invalid_request_error', message } }));
  expect(refusedByStatus({ status: 400, headers: {}, body }, BOUNDS, 0)).toMatchObject({
    outcome: 'credential_refused',
    retryElsewhere: true,
  });
});
