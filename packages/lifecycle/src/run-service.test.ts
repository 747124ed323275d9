import { defineConfig, parseConfig } from '@tollgate/config';
import type { Logger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createFakeClock } from '@tollgate/testkit';
import { hostConfigSchema, runService } from './index';
import type { ProcessControl, StopSignal } from './run-service';
import { createFakeModule, type FakeModuleOptions } from './testing/fake-module';

const WAIT_MS = 3_000;
const DRAIN_MS = 10_000;

function setUp(module: FakeModuleOptions = {}) {
  const clock = createFakeClock(0);
  const journal: string[] = [];
  const log: string[] = [];
  const write = (_fields: unknown, message: string) => void log.push(message);
  const logger: Logger = {
    debug() {},
    info: write,
    warn: write,
    error: write,
    child: () => logger,
  };
  const config = parseConfig(defineConfig(hostConfigSchema.settings), {
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_SHUTDOWN_WAIT_MS: String(WAIT_MS),
    TOLLGATE_DRAIN_TIMEOUT_MS: String(DRAIN_MS),
  });
  const host = { clock, logger, metrics: createMetrics(), config };
  let onSignal: (signal: StopSignal) => void = () => {};
  let onFatal: (error: unknown) => void = () => {};
  const exits: number[] = [];
  const exited = Promise.withResolvers<number>();
  const control: ProcessControl = {
    onSignal: (listener) => {
      onSignal = listener;
    },
    onFatal: (listener) => {
      onFatal = listener;
    },
    exit: (code) => {
      exits.push(code);
      exited.resolve(code);
    },
  };
  let adminPort = 0;
  const run = () =>
    runService(host, createFakeModule('billing', journal, module), {
      control,
      onStarted: (started) => {
        adminPort = started.adminPort;
      },
      onStopped: () => void journal.push('cleaned up'),
    });
  return {
    clock,
    journal,
    log,
    exits,
    exited: exited.promise,
    run,
    signal: (signal: StopSignal = 'SIGTERM') => onSignal(signal),
    fail: (error: unknown) => onFatal(error),
    ready: async () => (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status,
  };
}

test('at SIGTERM a process leaves first, waits, drains, stops and exits 0', async () => {
  const runner = setUp();
  await runner.run();
  expect(await runner.ready()).toBe(200);
  runner.signal();
  expect(await runner.ready()).toBe(503);
  expect(runner.journal).toEqual(['start billing']);
  await runner.clock.advance(WAIT_MS);
  expect(await runner.exited).toBe(0);
  expect(runner.journal).toEqual(['start billing', 'drain billing', 'stop billing', 'cleaned up']);
});

test('work that cannot be finished in time exits non-zero with a line that says so', async () => {
  const runner = setUp({ drain: () => new Promise(() => {}) });
  await runner.run();
  runner.signal('SIGINT');
  await runner.clock.advance(WAIT_MS + DRAIN_MS);
  expect(await runner.exited).toBe(3);
  expect(runner.journal).toContain('stop billing');
  expect(runner.log.join('\n')).toContain('work was left unfinished');
});

test('a module that fails to stop exits non-zero', async () => {
  const runner = setUp({ stop: () => Promise.reject(new Error('stuck')) });
  await runner.run();
  runner.signal();
  await runner.clock.advance(WAIT_MS);
  expect(await runner.exited).toBe(1);
});

test('a second signal exits at once, non-zero', async () => {
  const runner = setUp();
  await runner.run();
  runner.signal('SIGINT');
  await runner.clock.advance(1_000);
  expect(runner.exits).toEqual([]);
  runner.signal('SIGINT');
  expect(runner.exits).toEqual([1]);
  await runner.clock.advance(WAIT_MS);
});

test('the echo of a signal, from a parent that forwards it, is not a second signal', async () => {
  const runner = setUp();
  await runner.run();
  runner.signal('SIGINT');
  await runner.clock.advance(999);
  runner.signal('SIGINT');
  expect(runner.exits).toEqual([]);
  await runner.clock.advance(WAIT_MS);
  expect(await runner.exited).toBe(0);
});

test('a start that fails stops what started and exits non-zero', async () => {
  const runner = setUp({ start: () => Promise.reject(new Error('no store')) });
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await runner.run();
  expect(stderr).toHaveBeenCalledWith('billing could not start: no store\n');
  stderr.mockRestore();
  expect(await runner.exited).toBe(1);
  expect(runner.journal).toEqual(['start billing', 'stop billing', 'cleaned up']);
});

test('a signal during the start lets the module finish starting, then stops it', async () => {
  const begun = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const runner = setUp({
    start: () => {
      begun.resolve();
      return opened.promise;
    },
  });
  const running = runner.run();
  await begun.promise;
  runner.signal();
  opened.resolve();
  await running;
  await runner.clock.advance(WAIT_MS);
  expect(await runner.exited).toBe(0);
  expect(runner.journal).toEqual(['start billing', 'drain billing', 'stop billing', 'cleaned up']);
});

test('a failure that nobody handled is logged and ends the process non-zero', async () => {
  const runner = setUp();
  await runner.run();
  runner.fail(new Error('surprise'));
  expect(runner.exits).toEqual([1]);
  expect(runner.log).toContain('unhandled failure: exiting');
  runner.signal();
  await runner.clock.advance(WAIT_MS);
});
