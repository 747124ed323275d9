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

/** Whether a module can do its work now, and if not, why, in words for an operator. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** A part of the process that starts, serves and stops. */
export interface ServiceModule {
  readonly name: string;
  /** Modules that must have started before it. Who composes a process knows them, no service does. */
  readonly dependsOn?: readonly string[];
  /** Opens connections and starts serving. Called once. */
  start(): Promise<void>;
  /**
   * Called at once when the process was told to end, while it still serves: whoever comes is asked
   * to go to another replica next time.
   */
  leave?(): void;
  /** Takes no new work and finishes what runs; rejects when that was not possible in time. */
  drain?(deadlineMs: number): Promise<void>;
  /** The work that a drain still waits for, in words for an operator: "2 open answers". */
  waitsFor?(): string | undefined;
  /** Closes everything. Called once after a start, even one that failed half way. */
  stop(): Promise<void>;
  readiness(): Readiness;
}

export const READY: Readiness = Object.freeze({ ready: true, reasons: [] });

/** Ready when no reason against it is given. */
export function readinessFrom(reasons: readonly string[]): Readiness {
  return reasons.length === 0 ? READY : { ready: false, reasons };
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
