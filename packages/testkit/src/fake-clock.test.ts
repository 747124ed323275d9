import { delay } from '@tollgate/core';
import { createFakeClock } from './fake-clock';

it('runs timers in the order in which they are due, those included that timers set', async () => {
  const clock = createFakeClock();
  const fired: string[] = [];
  clock.schedule(30, () => fired.push(`c at ${clock.monotonicMs()}`));
  clock.schedule(10, () => {
    fired.push(`a at ${clock.monotonicMs()}`);
    clock.schedule(10, () => fired.push(`b at ${clock.monotonicMs()}`));
  });
  clock.schedule(31, () => fired.push('too early'));
  await clock.advance(30);
  expect(fired).toEqual(['a at 10', 'b at 20', 'c at 30']);
  expect(clock.pendingTimers).toBe(1);
});

it('lets a loop of waits run as it would over real time', async () => {
  const clock = createFakeClock();
  let rounds = 0;
  const loop = (async () => {
    while (rounds < 5) {
      await delay(clock, 100);
      rounds += 1;
    }
  })();
  await clock.advance(499);
  expect(rounds).toBe(4);
  await clock.advance(1);
  await loop;
  expect(rounds).toBe(5);
});

it('forgets a timer that was cancelled, and stands still otherwise', async () => {
  const clock = createFakeClock(5_000);
  const timer = clock.schedule(1, () => {
    throw new Error('was cancelled');
  });
  timer.cancel();
  timer.cancel();
  expect(clock.now()).toBe(5_000);
  await clock.advance(10);
  expect(clock.now()).toBe(5_010);
});

it('jumps the wall clock alone: monotonic time and timers know nothing of it', async () => {
  const clock = createFakeClock(0);
  let fired = false;
  clock.schedule(1_000, () => {
    fired = true;
  });
  clock.jumpWallClock(3_600_000);
  await clock.advance(999);
  expect(fired).toBe(false);
  expect(clock.now()).toBe(3_600_999);
  expect(clock.monotonicMs()).toBe(999);
});

it('says how far the first timer is, also to one who asks before there is any', async () => {
  const clock = createFakeClock();
  const asked = clock.untilNextTimer();
  clock.schedule(40, () => {});
  expect(await asked).toBe(40);
  await clock.advance(15);
  expect(await clock.untilNextTimer()).toBe(25);
});
