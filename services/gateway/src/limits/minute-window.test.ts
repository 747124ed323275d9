import fc from 'fast-check';
import { createMinuteWindow } from './minute-window';

/** The same question answered from the full list of times. */
function bruteCount(times: readonly number[], now: number): number {
  const second = Math.floor(now / 1000);
  return times.filter((time) => Math.floor(time / 1000) > second - 60).length;
}

const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.nat(1500), fc.nat(70_000), fc.constantFrom(0, 999, 1000, 59_999, 60_000)),
    requests: fc.nat(5),
  }),
  { maxLength: 60 },
);

test('the window counts what a full list of times counts', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), steps, (startMs, moves) => {
      const window = createMinuteWindow();
      const times: number[] = [];
      let now = startMs;
      for (const { waitMs, requests } of moves) {
        now += waitMs;
        for (let request = 0; request < requests; request += 1) {
          window.add(now);
          times.push(now);
        }
        expect(window.count(now)).toBe(bruteCount(times, now));
      }
    }),
  );
});

test('the wait until the window has room is exact to the millisecond', () => {
  fc.assert(
    fc.property(steps, fc.nat(10), (moves, room) => {
      const window = createMinuteWindow();
      const times: number[] = [];
      let now = 1_000_000;
      for (const { waitMs, requests } of moves) {
        now += waitMs;
        for (let request = 0; request < requests; request += 1) {
          window.add(now);
          times.push(now);
        }
      }
      const waitMs = window.untilAtMostMs(room, now);
      expect(bruteCount(times, now + waitMs)).toBeLessThanOrEqual(room);
      if (waitMs > 0) expect(bruteCount(times, now + waitMs - 1)).toBeGreaterThan(room);
    }),
  );
});

test('a clock that jumps back neither loses nor doubles a request', () => {
  const window = createMinuteWindow();
  window.add(100_000);
  window.add(90_000);
  expect(window.count(95_000)).toBe(2);
  expect(window.count(159_999)).toBe(2);
  expect(window.count(160_000)).toBe(0);
});
