import {
  ConfigError,
  type ConfigSchema,
  checkConfig,
  describeUnknownName,
  type Environment,
  findUnknownNames,
  readEnvironment,
  sizeThreadPool,
  variableNames,
} from '@tollgate/config';
import { createSystemClock } from '@tollgate/core';
import { createLogger, createMetrics, createTracing } from '@tollgate/observability';
import { type HostConfig, hostConfigSchema } from './host-config';
import type { ServiceHost } from './service-module';

/** A host that knows how its process starts and stops. */
export interface RunnableHost extends ServiceHost {
  readonly config: HostConfig;
}

/** A service's configuration and the host it runs on. */
export interface LoadedService<T> {
  readonly config: T;
  readonly host: RunnableHost;
}

/**
 * Reads the environment for a service that runs alone. What is wrong with it is written to standard
 * error, all at once, and ends the process with code 1.
 */
export function loadHost<T>(name: string, schema: ConfigSchema<T>): LoadedService<T> {
  sizeThreadPool();
  const environment = readEnvironment();
  const service = checkConfig(schema, environment);
  const own = checkConfig(hostConfigSchema, environment);
  if (!service.ok || !own.ok) {
    const problems = [service, own].flatMap((verdict) => (verdict.ok ? [] : verdict.problems));
    process.stderr.write(`${new ConfigError([...new Set(problems)]).message}\n`);
    return process.exit(1);
  }
  const host = createHost(name, own.config);
  warnOfUnknownNames(host, environment, [
    ...variableNames(schema),
    ...variableNames(hostConfigSchema),
  ]);
  return { config: service.config, host };
}

/** The host of a process called `name`. */
export function createHost(name: string, config: HostConfig): RunnableHost {
  const logger = createLogger({ level: config.logLevel, name });
  const tracing = createTracing({
    serviceName: `tollgate-${name}`,
    endpoint: config.otlpEndpoint,
    logger,
  });
  const metrics = createMetrics({ processMetrics: true });
  return { clock: createSystemClock(), logger, metrics, tracing, config };
}

/** A name that nothing reads is most likely a typing error. */
export function warnOfUnknownNames(
  host: ServiceHost,
  environment: Environment,
  knownNames: Iterable<string>,
): void {
  for (const unknown of findUnknownNames(environment, knownNames)) {
    host.logger.warn({ variable: unknown.name }, describeUnknownName(unknown));
  }
}
