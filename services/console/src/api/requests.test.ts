import { ApiError } from './api-error';
import { isAwaited, isToCome, TRIES_MAX, toNoStory } from './requests';

const NEW = 'Nothing is known of this request yet, which is 3 s old: … Ask again.';
const RUNNING = 'This request has not ended: it runs since 2026-02-03T10:00:00.000Z, …';
const NAMED = 'req_1, the newest of that name, has not ended: it runs since …';
const PERHAPS = 'Either it was refused and is not kept; or it is one that has not ended.';
const NOT_KEPT = 'Nothing is kept of this request, which was made at …';
const failure = (status: number) => new ApiError({ status, code: 'OF_A_TEST', message: 'No.' });

/** What is known after the API answered with each of these sentences, one after the other. */
const afterAll = (messages: readonly string[], awaited = false) =>
  messages.reduce<ReturnType<typeof toNoStory> | undefined>(
    (before, message) => toNoStory(message, before, awaited),
    undefined,
  );
const times = (count: number, message: string) => Array.from({ length: count }, () => message);

test.each([NEW, RUNNING, NAMED])('is asked for as long as the API says: %s', (message) => {
  expect(isToCome(afterAll(times(TRIES_MAX * 3, message)))).toBe(true);
});

test('a story that may come is asked for some times, and another is not', () => {
  expect(isToCome(afterAll([PERHAPS]))).toBe(true);
  expect(isToCome(afterAll(times(TRIES_MAX, PERHAPS)))).toBe(true);
  expect(isToCome(afterAll(times(TRIES_MAX + 1, PERHAPS)))).toBe(false);
  expect(isToCome(afterAll([NOT_KEPT]))).toBe(false);
  expect(isToCome(undefined)).toBe(false);
});

test('between the end of a request and its charge its story is asked for on', () => {
  expect(isToCome(afterAll([RUNNING, NOT_KEPT]))).toBe(true);
  expect(isToCome(afterAll([RUNNING, ...times(TRIES_MAX, NOT_KEPT)]))).toBe(false);
});

test('the story of an answer that is there is asked for some times whatever the API says', () => {
  expect(isToCome(afterAll(times(TRIES_MAX, NOT_KEPT), true))).toBe(true);
  expect(isToCome(afterAll(times(TRIES_MAX + 1, NOT_KEPT), true))).toBe(false);
});

test('a charge is awaited while its story is to come, and nobody says that it will not', () => {
  expect(isAwaited({ data: undefined, error: null })).toBe(true);
  expect(isAwaited({ data: afterAll([NEW]), error: null })).toBe(true);
  // The service is away for a moment, and asked again.
  expect(isAwaited({ data: undefined, error: failure(503) })).toBe(true);
  expect(isAwaited({ data: undefined, error: failure(500) })).toBe(false);
  expect(isAwaited({ data: afterAll([NOT_KEPT]), error: null })).toBe(false);
});
