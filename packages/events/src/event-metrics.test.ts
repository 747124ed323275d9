import { silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { createFakeClock } from '@tollgate/testkit';
import { createEventMetrics } from './event-metrics';
import { createInProcessBus } from './in-process/in-process-bus';
import { ACCOUNT, usageOf } from './testing/events';

it('counts what was published, handled, retried, skipped and sent to the dead letters', async () => {
  const clock = createFakeClock();
  const metrics = createMetrics();
  const observer = createEventMetrics(metrics);
  const bus = createInProcessBus({ clock, logger: silentLogger, observer });
  let failuresLeft = 1;
  await bus.subscribe({
    group: 'billing',
    topics: ['tollgate.usage.v1'],
    handle: async () => {
      if (failuresLeft-- > 0) throw new Error('once');
    },
  });
  const good = usageOf(clock, ACCOUNT, 1);
  const unusable = usageOf(clock, ACCOUNT, 0);
  // A type that only a newer version has.
  const unknown = { ...good, event: { ...good.event, type: 'usage.corrected' } as never };
  const published = bus.publish([good, unusable, unknown], { timeoutMs: 5_000 });
  await clock.advance(1_000);
  await published;
  const text = await metrics.expose();
  const labels = 'topic="tollgate.usage.v1",group="billing"';
  expect(text).toContain('tollgate_events_published_total{topic="tollgate.usage.v1"} 3');
  expect(text).toContain(`tollgate_events_handled_total{${labels}} 1`);
  expect(text).toContain(`tollgate_events_handler_failed_total{${labels}} 1`);
  expect(text).toContain(`tollgate_events_skipped_total{${labels}} 1`);
  expect(text).toContain(
    `tollgate_events_dead_lettered_total{${labels},cause="schema_mismatch"} 1`,
  );
});
