import { type ConfigOf, choice, defineConfig, integer, shared, url } from '@tollgate/config';
import { type Clock, createSystemClock, type Logger } from '@tollgate/core';
import {
  createLogger,
  createMetrics,
  createTracing,
  type Metrics,
  type Tracing,
} from '@tollgate/observability';

/** The parts that the process gives every service. */
export interface ServiceHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Absent means off. */
  readonly tracing?: Tracing;
}

/** The settings of every process, whatever services run in it. */
export const hostConfigSchema = defineConfig({
  logLevel: choice('LOG_LEVEL', {
    choices: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'The least severe level that is logged.',
  }),
  logFormat: choice('LOG_FORMAT', {
    choices: ['auto', 'json', 'pretty'],
    default: 'auto',
    description: 'JSON lines, or lines for people; auto writes the latter to a terminal only.',
  }),
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
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    optional: true,
    description: 'OTLP collector that traces are sent to; no traces when absent.',
  }),
});

export type HostConfig = ConfigOf<typeof hostConfigSchema>;

/** A host that knows how its process starts and stops. */
export interface RunnableHost extends ServiceHost {
  readonly config: HostConfig;
}

/** The host of a process called `name`. */
export function createHost(name: string, config: HostConfig): RunnableHost {
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, name });
  const tracing = createTracing({
    serviceName: `tollgate-${name}`,
    endpoint: config.otlpEndpoint,
    logger,
  });
  const metrics = createMetrics({ processMetrics: true });
  return { clock: createSystemClock(), logger, metrics, tracing, config };
}
