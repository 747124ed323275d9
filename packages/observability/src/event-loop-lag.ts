import { createHistogram } from 'node:perf_hooks';
import type { Clock } from '@tollgate/core';
import { Gauge, type Registry } from 'prom-client';

/** Milliseconds between two looks at the clock. */
const LOOK_MS = 100;
const NANO_PER_MS = 1e6;
const NANO_PER_SECOND = 1e9;
const NAME = 'nodejs_eventloop_lag';

/**
 * How late the event loop comes to its timers: 0 when nothing holds it. In the place of the client
 * library's gauges of the same names, whose sampler wakes the process a hundred times a second:
 * nine services at rest did hardly anything else.
 */
export function exposeEventLoopLag(registry: Registry, clock: Clock): void {
  const lags = createHistogram();
  const gaugeOf = (name: string, help: string, value: () => number) => {
    registry.removeSingleMetric(name);
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      // The least of an empty histogram is no time at all.
      collect: () => gauge.set(lags.count === 0 ? 0 : value() / NANO_PER_SECOND),
    });
  };
  gaugeOf(`${NAME}_min_seconds`, 'The least lag since the last scrape.', () => lags.min);
  gaugeOf(`${NAME}_max_seconds`, 'The greatest lag since the last scrape.', () => lags.max);
  gaugeOf(`${NAME}_mean_seconds`, 'The mean lag since the last scrape.', () => lags.mean);
  gaugeOf(`${NAME}_stddev_seconds`, 'The standard deviation of the lags.', () => lags.stddev);
  for (const share of [50, 90, 99]) {
    const help = `The ${share}th percentile of the lags since the last scrape.`;
    gaugeOf(`${NAME}_p${share}_seconds`, help, () => lags.percentile(share));
  }
  let newestNano = 0;
  // Collected last, so it is the one that begins anew.
  gaugeOf(`${NAME}_seconds`, 'The newest lag.', () => {
    lags.reset();
    return newestNano;
  });
  const look = () => {
    const dueMs = clock.monotonicMs() + LOOK_MS;
    clock.schedule(LOOK_MS, () => {
      newestNano = Math.max(0, Math.round((clock.monotonicMs() - dueMs) * NANO_PER_MS));
      // A histogram holds nothing below 1.
      lags.record(Math.max(1, newestNano));
      look();
    });
  };
  look();
}
