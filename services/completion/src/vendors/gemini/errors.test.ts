import { checkHead } from '../protocol/answer-head';
import { toFailure } from './errors';

const BOUNDS = { lineBytesMax: 1000, retryAfterMsMax: 60_000 };
const refusal = (code: number, status: string, details: readonly unknown[] = []) => ({
  status: code,
  headers: {},
  body: Buffer.from(JSON.stringify({ error: { code, status, message: 'words', details } })),
});
const JSON_HEAD = { 'content-type': 'application/json' };

it.each([
  [200, 'good'],
  [400, 'explained'],
  [403, 'explained'],
  [429, 'explained'],
  [503, 'bad'],
])('judges the status %s as %s', (status, verdict) => {
  expect(checkHead(status, JSON_HEAD, false)).toBe(verdict);
});

it.each([
  [refusal(400, 'INVALID_ARGUMENT'), 'VALIDATION_ERROR', 'request_refused', false],
  [
    refusal(400, 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]),
    'UPSTREAM_ERROR',
    'credential_refused',
    true,
  ],
  [refusal(400, 'FAILED_PRECONDITION'), 'UPSTREAM_ERROR', 'failure', true],
  [refusal(403, 'PERMISSION_DENIED'), 'UPSTREAM_ERROR', 'credential_refused', true],
  [refusal(404, 'NOT_FOUND'), 'UPSTREAM_ERROR', 'failure', true],
  [refusal(429, 'RESOURCE_EXHAUSTED'), 'SERVICE_UNAVAILABLE', 'rate_limited', true],
  [
    refusal(403, 'PERMISSION_DENIED', [{ reason: 'BILLING_DISABLED' }]),
    'UPSTREAM_ERROR',
    'credential_refused',
    true,
  ],
  [refusal(503, 'UNAVAILABLE'), 'UPSTREAM_ERROR', 'failure', true],
  [refusal(504, 'DEADLINE_EXCEEDED'), 'UPSTREAM_TIMEOUT', 'timeout', true],
  [
    { status: 400, headers: {}, body: Buffer.from('<html>') },
    'VALIDATION_ERROR',
    'request_refused',
    false,
  ],
])('%j is our %s', (refused, code, outcome, retryElsewhere) => {
  expect(toFailure(refused, BOUNDS, 0)).toMatchObject({ outcome, retryElsewhere, error: { code } });
});

it.each([
  ['37s', 37_000],
  ['1.5s', 1_500],
  ['86400s', 60_000],
  ['soon', 1_000],
])('leaves a vendor that asks for %s alone for %s ms', (retryDelay, retryAfterMs) => {
  const limited = refusal(429, 'RESOURCE_EXHAUSTED', [{ reason: 'x' }, { retryDelay }]);
  expect(toFailure(limited, BOUNDS, 0).error.retryAfterMs).toBe(retryAfterMs);
});
