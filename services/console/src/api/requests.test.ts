import { ApiError } from './api-error';
import { isAwaited, isToCome } from './requests';

const unknown = (message: string) => ({ status: 'unknown', message }) as const;
const NEW = unknown('Nothing is known of this request yet, which is 3 s old: … Ask again.');
const RUNNING = unknown('This request has not ended: it runs since 2026-02-03T10:00:00.000Z, …');
const NOT_KEPT = unknown('Nothing is kept of this request, which was made at …');
const failure = (status: number) => new ApiError({ status, code: 'OF_A_TEST', message: 'No.' });

test('the API says of which request the story is still to come', () => {
  expect([NEW, RUNNING].every(isToCome)).toBe(true);
  expect(isToCome(NOT_KEPT)).toBe(false);
  const perhaps = 'Either it was refused and is not kept; or it is one that has not ended.';
  expect(isToCome(unknown(perhaps))).toBe(false);
  expect(isToCome(undefined)).toBe(false);
});

test('a charge is awaited while its story is to come, and nobody says that it will not', () => {
  expect(isAwaited({ data: undefined, error: null })).toBe(true);
  expect(isAwaited({ data: NEW, error: null })).toBe(true);
  // The service is away for a moment, and asked again.
  expect(isAwaited({ data: undefined, error: failure(503) })).toBe(true);
  expect(isAwaited({ data: undefined, error: failure(500) })).toBe(false);
  expect(isAwaited({ data: NOT_KEPT, error: null })).toBe(false);
});
