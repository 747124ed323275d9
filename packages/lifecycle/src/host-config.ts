import { type ConfigOf, defineConfig, integer, shared, text } from '@tollgate/config';

/** What every process reads, whatever services run in it. */
export const hostConfigSchema = defineConfig({
  logLevel: shared.logLevel,
  bind: shared.bind,
  adminPort: shared.adminPort,
  startTimeoutMs: integer('TOLLGATE_START_TIMEOUT_MS', {
    default: 60_000,
    min: 100,
    max: 600_000,
    description: 'The longest that a single service may take to start.',
  }),
  shutdownWaitMs: integer('TOLLGATE_SHUTDOWN_WAIT_MS', {
    default: 3_000,
    min: 0,
    max: 120_000,
    description: 'How long a stopping process still serves after /readyz turned 503.',
  }),
  drainTimeoutMs: integer('TOLLGATE_DRAIN_TIMEOUT_MS', {
    default: 60_000,
    min: 0,
    max: 3_600_000,
    description: 'How long open streams and unsettled records may take to finish at shutdown.',
  }),
  stopTimeoutMs: integer('TOLLGATE_STOP_TIMEOUT_MS', {
    default: 10_000,
    min: 100,
    max: 120_000,
    description: 'The longest that a single service may take to close its connections.',
  }),
  otlpEndpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT', {
    optional: true,
    pattern: /^https?:\/\/.+/,
    patternMeaning: 'an http or https URL',
    description: 'OTLP collector that traces are sent to; no traces when absent.',
  }),
});

export type HostConfig = ConfigOf<typeof hostConfigSchema>;
