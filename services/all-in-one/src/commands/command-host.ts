import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, hostConfigSchema, type RunnableHost } from '@tollgate/lifecycle';
import { createLogger } from '@tollgate/observability';

/** The host of a command: what it logs goes to standard error, so that its answer stays alone. */
export function createCommandHost(name: string, environment: Environment): RunnableHost {
  const config = parseConfig(hostConfigSchema, environment);
  const destination = { write: (line: string) => void process.stderr.write(line) };
  const { logLevel: level, logFormat: format } = config;
  const logger = createLogger({ level, format, name, destination });
  return { ...createHost(name, config), logger };
}
