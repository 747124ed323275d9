import { AppError, silentLogger } from '@tollgate/core';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createDropAnnouncement } from './dropped-announcements';

function startDrops() {
  const clock = createFakeClock();
  const state = { isAway: false, atOnce: 0, atOnceMost: 0, asked: 0, refused: '', broken: '' };
  const dropped: string[] = [];
  const warned: unknown[] = [];
  const dropAnnouncement = createDropAnnouncement({
    clock,
    logger: { ...silentLogger, warn: (fields: unknown) => void warned.push(fields) },
    billing: {
      async dropAnswer({ accountId = '', requestId = '' }) {
        state.asked += 1;
        state.atOnce += 1;
        state.atOnceMost = Math.max(state.atOnceMost, state.atOnce);
        await settlePromises();
        state.atOnce -= 1;
        if (accountId === state.broken) throw new Error('it makes no sense');
        if (state.isAway || requestId === state.refused) throw new AppError('DATABASE_ERROR');
        dropped.push(requestId);
        return {};
      },
    },
  });
  const drop = (number: number, accountId = 'acc_1') =>
    dropAnnouncement({ accountId, requestId: `req_${number}`, traceparent: '' });
  return { clock, state, dropped, warned, drop };
}

/** Lets time pass until nothing of it is left to do. */
async function pass(clock: ReturnType<typeof createFakeClock>, ms: number) {
  for (let passed = 0; passed < ms; passed += 1_000) await clock.advance(1_000);
}

test('after half a minute without the database all announcements are taken back, few at once', async () => {
  const { clock, state, dropped, drop, warned } = startDrops();
  state.isAway = true;
  for (let number = 0; number < 500; number += 1) drop(number);
  await pass(clock, 30_000);
  // Eight at once, each again after ever longer pauses; a call for each announcement were 6,000.
  expect(state.asked).toBeLessThan(120);
  state.isAway = false;
  await pass(clock, 30_000);
  for (let turn = 0; turn < 2_000 && dropped.length < 500; turn += 1) await settlePromises();
  expect(new Set(dropped).size).toBe(500);
  expect([state.atOnceMost, warned]).toEqual([8, []]);
});

test('one that fails for itself holds up none of the others', async () => {
  const { clock, state, dropped, drop } = startDrops();
  state.refused = 'req_0';
  for (let number = 0; number < 100; number += 1) drop(number % 10 === 0 ? 0 : number);
  await pass(clock, 1_000);
  for (let turn = 0; turn < 500 && dropped.length < 90; turn += 1) await settlePromises();
  expect(new Set(dropped).size).toBe(90);
});

test('a thousand of an account that fails by itself hold up others for moments', async () => {
  const { clock, state, dropped, drop } = startDrops();
  state.broken = 'acc_broken';
  for (let number = 0; number < 1_000; number += 1) drop(number, 'acc_broken');
  drop(1_001, 'acc_other');
  await pass(clock, 30_000);
  for (let turn = 0; turn < 100 && dropped.length === 0; turn += 1) await settlePromises();
  expect(dropped).toEqual(['req_1001']);
});

test('what billing never answers is given up after two minutes, and told', async () => {
  const { clock, state, drop, warned } = startDrops();
  state.isAway = true;
  drop(1);
  await pass(clock, 150_000);
  expect(warned).toEqual([expect.objectContaining({ requestId: 'req_1' })]);
  const asked = state.asked;
  await pass(clock, 60_000);
  expect(state.asked).toBe(asked);
});

test('more than can wait are not kept, and told', async () => {
  const { state, drop, warned } = startDrops();
  state.isAway = true;
  // Eight are being asked for.
  for (let number = 0; number < 1_010; number += 1) drop(number);
  expect(warned).toHaveLength(2);
  for (let number = 0; number < 9_005; number += 1) drop(number, `acc_of_${number % 100}`);
  expect(warned).toHaveLength(7);
  await settlePromises();
});
