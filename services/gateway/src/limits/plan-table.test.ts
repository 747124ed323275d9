import { silentLogger } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { type AccountPlan, createPlanTable, type PlanTable } from './plan-table';

const FREE: AccountPlan = { limits: {}, groups: [], models: [], keepAnswers: true };

let clock: FakeClock;
let known: Map<string, AccountPlan>;
let loads: number;
let table: PlanTable;

beforeEach(() => {
  clock = createFakeClock();
  known = new Map([['free', FREE]]);
  loads = 0;
  table = createPlanTable({
    async load() {
      loads += 1;
      return new Map(known);
    },
    refreshIntervalMs: 5_000,
    retryIntervalMs: 500,
    clock,
    logger: silentLogger,
  });
});

afterEach(() => table.stop());

const refusal = { code: 'SERVICE_UNAVAILABLE' };

test('a plan that billing does not know is asked for once a second, however many requests come', async () => {
  await expect(table.planOf('gone')).rejects.toMatchObject(refusal);
  for (let request = 0; request < 100; request += 1) {
    await expect(table.planOf('gone')).rejects.toMatchObject(refusal);
  }
  expect(loads).toBe(1);
  await clock.advance(1_000);
  await expect(table.planOf('gone')).rejects.toMatchObject(refusal);
  expect(loads).toBe(2);
});

test('a plan that is new is known to the first request that names it', async () => {
  table.start();
  await clock.advance(0);
  expect(table.planOf('free')).toBe(FREE);
  known.set('new', FREE);
  expect(await table.planOf('new')).toBe(FREE);
});

test('a plan that a replica could not read stays as it is known', async () => {
  table.start();
  await clock.advance(0);
  known = new Map([['new', FREE]]);
  await clock.advance(5_000);
  expect(table.planOf('free')).toBe(FREE);
  expect(table.planOf('new')).toBe(FREE);
});
