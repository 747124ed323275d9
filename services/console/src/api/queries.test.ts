import { ApiError } from './api-error';
import { LIVE_MS, liveIn } from './queries';

const failure = (status: number) => new ApiError({ status, code: 'OF_A_TEST', message: 'No.' });

test('what is open is asked for again as often as the list behind it', () => {
  expect(liveIn({ data: undefined, error: null })).toBe(LIVE_MS);
  expect(liveIn({ data: { id: 'key_1' }, error: null })).toBe(LIVE_MS);
  // What was there before stays while a try fails, and the next may work.
  expect(liveIn({ data: { id: 'key_1' }, error: failure(500) })).toBe(LIVE_MS);
});

test('what is not there, or no more, is not asked for again, and what nothing answered is', () => {
  expect(liveIn({ data: undefined, error: failure(404) })).toBe(false);
  expect(liveIn({ data: { id: 'key_1' }, error: failure(404) })).toBe(false);
  expect(liveIn({ data: undefined, error: failure(503) })).toBeGreaterThan(0);
});
