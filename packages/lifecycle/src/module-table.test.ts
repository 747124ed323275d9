import { silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import { createModuleTable, type ServiceModule } from './index';
import { createFakeModule } from './testing/fake-module';

function setUp(modules: readonly ServiceModule[]) {
  const clock = createFakeClock(0);
  const options = { clock, logger: silentLogger, startTimeoutMs: 1_000, stopTimeoutMs: 500 };
  return { clock, table: createModuleTable(modules, options) };
}

const never = () => new Promise<void>(() => {});

test('modules start after those they depend on and stop in reverse', async () => {
  const journal: string[] = [];
  const { table } = setUp([
    createFakeModule('gateway', journal, { dependsOn: ['billing', 'completion'] }),
    createFakeModule('completion', journal, { dependsOn: ['billing'] }),
    createFakeModule('billing', journal),
  ]);
  await table.start();
  await table.drain(1_000);
  await table.stop();
  expect(journal).toEqual([
    'start billing',
    'start completion',
    'start gateway',
    'drain gateway',
    'drain completion',
    'drain billing',
    'stop gateway',
    'stop completion',
    'stop billing',
  ]);
});

test('a dependency that runs in another process does not count', async () => {
  const journal: string[] = [];
  const { table } = setUp([createFakeModule('gateway', journal, { dependsOn: ['billing'] })]);
  await table.start();
  expect(journal).toEqual(['start gateway']);
});

test('modules that depend on each other are refused by name', () => {
  const a = createFakeModule('a', [], { dependsOn: ['b'] });
  const b = createFakeModule('b', [], { dependsOn: ['a'] });
  expect(() => setUp([a, b])).toThrow('a -> b -> a');
});

test('a module that cannot start stops those that had started, itself included', async () => {
  const journal: string[] = [];
  const { table } = setUp([
    createFakeModule('billing', journal),
    createFakeModule('gateway', journal, {
      start: async () => {
        throw new Error('port taken');
      },
    }),
    createFakeModule('stats', journal),
  ]);
  await expect(table.start()).rejects.toThrow('gateway could not start: port taken');
  expect(journal).toEqual(['start billing', 'start gateway', 'stop gateway', 'stop billing']);
  expect(table.readiness().ready).toBe(false);
});

test('a module that hangs at start is given up after the limit', async () => {
  const journal: string[] = [];
  const { clock, table } = setUp([createFakeModule('billing', journal, { start: never })]);
  const starting = expect(table.start()).rejects.toThrow('start of billing did not end within');
  await clock.advance(1_000);
  await starting;
  expect(journal).toEqual(['start billing', 'stop billing']);
});

test('readiness is false before the start ended and says which module is not ready', async () => {
  let reasons: readonly string[] = [];
  const { table } = setUp([
    createFakeModule('routing', [], {
      readiness: () => ({ ready: reasons.length === 0, reasons }),
    }),
    createFakeModule('stats', []),
  ]);
  expect(table.readiness()).toMatchObject({ ready: false });
  await table.start();
  expect(table.readiness().ready).toBe(true);
  reasons = ['no route table yet'];
  expect(table.readiness()).toEqual({
    ready: false,
    modules: {
      routing: { ready: false, reasons: ['no route table yet'] },
      stats: { ready: true, reasons: [] },
    },
  });
});

test('readiness stays false once a shutdown began', async () => {
  const { table } = setUp([createFakeModule('stats', [])]);
  await table.start();
  table.leave('stopping');
  expect(table.readiness()).toEqual({
    ready: false,
    modules: { stats: { ready: false, reasons: ['stopping'] } },
  });
});

test('those that have started hear once that the process leaves, before they drain', async () => {
  const journal: string[] = [];
  const leave = () => void journal.push('leave gateway');
  const { table } = setUp([{ ...createFakeModule('gateway', journal), leave }]);
  table.leave('stopping');
  expect(journal).toEqual([]);
  const { table: serving } = setUp([{ ...createFakeModule('gateway', journal), leave }]);
  await serving.start();
  serving.leave('stopping');
  serving.leave('stopping');
  await serving.drain(1_000);
  expect(journal).toEqual(['start gateway', 'leave gateway', 'drain gateway']);
});

test('the modules share one deadline when they drain, and a late one fails the drain', async () => {
  const journal: string[] = [];
  const left: number[] = [];
  const { clock, table } = setUp([
    createFakeModule('billing', journal, {
      drain: async (deadlineMs) => void left.push(deadlineMs),
    }),
    createFakeModule('completion', journal, { dependsOn: ['billing'], drain: never }),
  ]);
  await table.start();
  const draining = expect(table.drain(300)).rejects.toThrow('work was left unfinished');
  await clock.advance(300);
  await draining;
  expect(journal.slice(-2)).toEqual(['drain completion', 'drain billing']);
  expect(left).toEqual([0]);
});

test('a drain says every two seconds what it waits for', async () => {
  const clock = createFakeClock(0);
  const told: unknown[] = [];
  const logger = { ...silentLogger, info: (fields: object) => void told.push(fields) };
  const gateway = { ...createFakeModule('gateway', [], { drain: never }), waitsFor: () => 'two' };
  const table = createModuleTable([gateway], {
    clock,
    logger,
    startTimeoutMs: 1_000,
    stopTimeoutMs: 500,
  });
  await table.start();
  const draining = expect(table.drain(5_000)).rejects.toThrow('work was left unfinished');
  await clock.advance(10_000);
  await draining;
  expect(told).toEqual(Array(2).fill({ module: 'gateway', waitsFor: 'two' }));
});

test('a module that does not stop in time does not keep the others from stopping', async () => {
  const journal: string[] = [];
  const { clock, table } = setUp([
    createFakeModule('billing', journal),
    createFakeModule('gateway', journal, { dependsOn: ['billing'], stop: never }),
  ]);
  await table.start();
  const stopping = expect(table.stop()).rejects.toThrow('modules did not stop cleanly');
  await clock.advance(500);
  await stopping;
  expect(journal.slice(-2)).toEqual(['stop gateway', 'stop billing']);
});
