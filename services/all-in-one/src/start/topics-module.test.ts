import { silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createFakeClock } from '@tollgate/testkit';
import { createTopicsModule } from './topics-module';

function setUp(migrate: () => Promise<unknown>) {
  const clock = createFakeClock();
  const host = { clock, logger: silentLogger, metrics: createMetrics() };
  return { clock, module: createTopicsModule({ host, migrate }) };
}

const away = () => Promise.reject(new Error('no broker'));

test('services start after the topics exist', async () => {
  const migration = Promise.withResolvers<void>();
  const { module } = setUp(() => migration.promise);
  let started = false;
  const starting = module.start().then(() => {
    started = true;
  });
  await Promise.resolve();
  expect(started).toBe(false);
  migration.resolve();
  await starting;
  await module.stop();
});

test('with the brokers away a start goes on, and the topics are made when they return', async () => {
  let attempts = 0;
  let isAway = true;
  const { clock, module } = setUp(async () => {
    attempts += 1;
    if (isAway) await away();
  });
  const starting = module.start();
  await clock.advance(10_000);
  await starting;
  expect(attempts).toBeGreaterThan(1);
  isAway = false;
  await clock.advance(15_000);
  const done = attempts;
  await clock.advance(60_000);
  expect(attempts).toBe(done);
  await module.stop();
});

test('a stop ends the attempts', async () => {
  let attempts = 0;
  const { clock, module } = setUp(() => {
    attempts += 1;
    return away();
  });
  const starting = module.start();
  await clock.advance(10_000);
  await starting;
  await module.stop();
  const before = attempts;
  await clock.advance(60_000);
  expect(attempts).toBe(before);
});
