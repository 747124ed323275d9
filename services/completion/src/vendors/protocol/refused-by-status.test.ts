import { refusedByStatus } from './failures';

const BOUNDS = { lineBytesMax: 1000, retryAfterMsMax: 60_000 };
const refusal = (status: number, headers = {}) => ({ status, headers, body: Buffer.alloc(0) });
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

it.each([
  [400, 'VALIDATION_ERROR', 'request_refused', false],
  [401, 'UPSTREAM_ERROR', 'credential_refused', true],
  [403, 'UPSTREAM_ERROR', 'credential_refused', false],
  [404, 'UPSTREAM_ERROR', 'failure', true],
  [413, 'VALIDATION_ERROR', 'request_refused', false],
  [422, 'VALIDATION_ERROR', 'request_refused', false],
  [429, 'SERVICE_UNAVAILABLE', 'rate_limited', true],
  [500, 'UPSTREAM_ERROR', 'failure', true],
  [503, 'UPSTREAM_ERROR', 'failure', true],
  [504, 'UPSTREAM_TIMEOUT', 'timeout', true],
  [302, 'UPSTREAM_ERROR', 'failure', true],
])('a vendor’s %s is our %s', (status, code, outcome, retryElsewhere) => {
  const failure = refusedByStatus(refusal(status), BOUNDS, NOW_MS);
  expect(failure).toMatchObject({ error: { code }, outcome, retryElsewhere });
});

it.each([
  ['2', 2_000],
  ['31536000', 60_000],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 1_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Fri, 01 Jan 2027 00:00:00 GMT', 60_000],
  ['-5', 1_000],
  [undefined, 1_000],
])('passes a Retry-After of %s on as %s ms', (header, retryAfterMs) => {
  const headers = header === undefined ? {} : { 'retry-after': header };
  expect(refusedByStatus(refusal(429, headers), BOUNDS, NOW_MS).error.retryAfterMs).toBe(
    retryAfterMs,
  );
});

it('takes an account without credit for refused and not for limited: waiting does not help', () => {
  const error = { type: 'insufficient_quota', message: 'You exceeded your current quota.' };
  const body = Buffer.from(JSON.stringify({ error }));
  expect(refusedByStatus({ status: 429, headers: {}, body }, BOUNDS, NOW_MS)).toMatchObject({
    outcome: 'credential_refused',
    retryElsewhere: true,
    error: {
      code: 'UPSTREAM_ERROR',
      retryable: false,
      publicMessage: expect.stringContaining('trying again shortly does not help') as string,
      message: expect.stringContaining('out of credit') as string,
    },
  });
});

it.each([
  ["Unsupported value: 'temperature' does not support 0.2 with this model.", 'temperature'],
  ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens'],
  ["Roles must alternate between 'user' and 'assistant'.", undefined],
  ["Use 'top_p' or 'temperature', not both.", undefined],
])('a 400 without a param has the member that its sentence quotes: %s', (message, param) => {
  const body = Buffer.from(JSON.stringify({ error: { message } }));
  const { error } = refusedByStatus({ status: 400, headers: {}, body }, BOUNDS, NOW_MS);
  expect(error.param).toBe(param);
});
