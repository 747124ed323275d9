import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createModuleTable } from '@tollgate/lifecycle';
import { createMetrics } from '@tollgate/observability';
import { composeProcess } from './compose';
import { type PlannedTarget, planProcess } from './plan';
import type { TargetModule } from './target-module';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'compose-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const clock = createSystemClock();
const host = { clock, logger: silentLogger, metrics: createMetrics() };

/** A service that remembers the environment it was made with. */
function planned(name: string, module: Partial<TargetModule>, seen: Map<string, unknown>) {
  const whole: TargetModule = {
    name,
    start: async () => {},
    stop: async () => {},
    readiness: () => ({ ready: true, reasons: [] }),
    ...module,
  };
  const target = { name, description: '', dependsOn: [], engines: [], load: () => loaded };
  const loaded = {
    check: () => [],
    print: () => [],
    variableNames: [],
    create: (environment: unknown) => {
      seen.set(name, environment);
      return whole;
    },
  };
  // A process asks nothing else of a target.
  return { target, loaded } as unknown as PlannedTarget;
}

test.each([
  ['completion', ['billing']],
  ['billing', ['stats', 'webhook']],
  ['identity', ['billing', 'routing', 'webhook']],
  ['routing', ['webhook']],
  ['gateway', ['stats', 'webhook']],
])('in one process, before %s publishes, %j listen to it', (publisher, consumers) => {
  const verdict = planProcess({});
  if (!verdict.ok) throw new Error(verdict.problems.join());
  const { modules } = composeProcess({
    plan: verdict.plan,
    host,
    environment: {},
    store: undefined,
  });
  const before = (name: string): readonly string[] => {
    const direct = modules.find((module) => module.name === name)?.dependsOn ?? [];
    return [...direct, ...direct.flatMap(before)];
  };
  expect(before(publisher)).toEqual(expect.arrayContaining(consumers));
});

test('the simulator starts first, and the others learn its address and may call it', async () => {
  const verdict = planProcess({});
  if (!verdict.ok) throw new Error(verdict.problems.join());
  const seen = new Map<string, Record<string, string>>();
  const baseUrl = () => 'http://127.0.0.1:4242/v1';
  const targets = [planned('routing', {}, seen), planned('simulator', { baseUrl }, seen)];
  const composed = composeProcess({
    plan: { ...verdict.plan, targets },
    host,
    environment: { TOLLGATE_EGRESS_ALLOWED_HOSTS: 'vendor.internal' },
    store: { dataPath: join(directory, 'store.sqlite'), socketPath: join(directory, 's.sock') },
  });
  const options = { clock, logger: silentLogger, startTimeoutMs: 10_000, stopTimeoutMs: 10_000 };
  const table = createModuleTable(composed.modules, options);
  await table.start();
  expect(table.readiness()).toMatchObject({ ready: true, modules: { store: { ready: true } } });
  await table.stop();
  expect([...seen.keys()]).toEqual(['simulator', 'routing']);
  expect(seen.get('routing')).toEqual({
    TOLLGATE_SIMULATOR_BASE_URL: 'http://127.0.0.1:4242/v1',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: 'vendor.internal,127.0.0.1:4242',
  });
});

test('what a service waits for at its stop is told of the service as it runs', async () => {
  const verdict = planProcess({});
  if (!verdict.ok) throw new Error(verdict.problems.join());
  const targets = [planned('gateway', { waitsFor: () => '2 open answers' }, new Map())];
  const plan = { ...verdict.plan, targets };
  const composed = composeProcess({ plan, host, environment: {}, store: undefined });
  const gateway = composed.modules.find(({ name }) => name === 'gateway');
  expect(gateway?.waitsFor?.()).toBeUndefined();
  await gateway?.start();
  expect(gateway?.waitsFor?.()).toBe('2 open answers');
});

test('a process that was told to end lets its services say so while they still serve', async () => {
  const verdict = planProcess({});
  if (!verdict.ok) throw new Error(verdict.problems.join());
  const leave = jest.fn();
  const targets = [planned('gateway', { leave }, new Map())];
  const plan = { ...verdict.plan, targets };
  const composed = composeProcess({ plan, host, environment: {}, store: undefined });
  const options = { clock, logger: silentLogger, startTimeoutMs: 10_000, stopTimeoutMs: 10_000 };
  const table = createModuleTable(composed.modules, options);
  await table.start();
  expect(leave).not.toHaveBeenCalled();
  table.leave('SIGTERM');
  expect(leave).toHaveBeenCalledTimes(1);
  await table.stop();
});
