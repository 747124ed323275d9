import { AppError } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { createSharedAnswers, type SharedAnswers } from './shared-answers';

let clock: FakeClock;
let ask: SharedAnswers<number>;
let made: number;

beforeEach(() => {
  clock = createFakeClock();
  ask = createSharedAnswers({ clock, atOnceMax: 1, waitingMax: 2 });
  made = 0;
});

/** Takes the time, and answers how many were made until then. */
const taking = (durationMs: number) => async () => {
  await new Promise<void>((resolve) => clock.schedule(durationMs, resolve));
  made += 1;
  return made;
};

test('who asks the same meanwhile gets the same answer', async () => {
  const answers = [1, 2, 3].map(() => ask('all', taking(100)));
  await clock.advance(100);
  expect(await Promise.all(answers)).toEqual([1, 1, 1]);
});

test('an answer is kept for ten times as long as it took', async () => {
  const first = ask('all', taking(100));
  await clock.advance(100);
  await first;
  await clock.advance(999);
  expect(await ask('all', taking(0))).toBe(1);
  await clock.advance(1);
  const next = ask('all', taking(0));
  await clock.advance(0);
  expect(await next).toBe(2);
});

test('a failure that took long is kept as an answer is', async () => {
  const failing = async () => {
    await taking(100)();
    throw new Error('too much');
  };
  const first = expect(ask('all', failing)).rejects.toThrow('too much');
  await clock.advance(100);
  await first;
  await expect(ask('all', failing)).rejects.toThrow('too much');
  expect(made).toBe(1);
});

test.each([
  { tookMs: 5_000, keptMs: 1_000, title: 'a quick failure that may pass is kept for a second' },
  { tookMs: 20_000, keptMs: 30_000, title: 'one that took long, for half a minute' },
])('$title', async ({ tookMs, keptMs }) => {
  const away = async () => {
    await taking(tookMs)();
    throw new AppError('SERVICE_UNAVAILABLE');
  };
  const first = expect(ask('all', away)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.advance(tookMs);
  await first;
  await clock.advance(keptMs - 1);
  await expect(ask('all', taking(0))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.advance(1);
  const next = ask('all', taking(0));
  await clock.advance(0);
  expect(await next).toBe(2);
});

test('different questions take turns, and more than may wait are refused', async () => {
  const answers = ['a', 'b', 'c'].map((question) => ask(question, taking(100)));
  await expect(ask('d', taking(100))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await clock.advance(100);
  expect(made).toBe(1);
  await clock.advance(200);
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  const again = ask('d', taking(100));
  await clock.advance(100);
  expect(await again).toBe(4);
});
