import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Environment, parseConfig } from '@tollgate/config';
import { createHost, hostConfigSchema, type RunnableHost } from '@tollgate/lifecycle';
import { createLogger } from '@tollgate/observability';
import { allInOneConfigSchema } from '../../config';
import { DATA_FILES } from '../../start/data-directory';
import { isGiven } from '../../start/embedded-environment';
import { reachEmbeddedStore } from '../../start/embedded-store';

/** The host of a command: what it logs goes to standard error, so that its answer stays alone. */
export function createCommandHost(name: string, environment: Environment): RunnableHost {
  const config = parseConfig(hostConfigSchema, environment);
  const destination = { write: (line: string) => void process.stderr.write(line) };
  const { logLevel: level, logFormat: format } = config;
  const logger = createLogger({ level, format, name, destination });
  return { ...createHost(name, config), logger };
}

/**
 * Runs with MONGODB_URI in the environment: the operator's, or that of the embedded store, which is
 * kept open until `run` has ended, whether the product runs or not. Throws when there is no data yet.
 */
export async function withStore<Result>(
  environment: Environment,
  host: RunnableHost,
  run: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  if (isGiven(environment, 'MONGODB_URI')) return await run(environment);
  const { dataDirectory } = parseConfig(allInOneConfigSchema, environment);
  const store = await reachEmbeddedStore(dataDirectory, host.logger);
  try {
    return await run({ ...environment, MONGODB_URI: store.uri });
  } finally {
    await store.close();
  }
}

/** False where a command has neither MONGODB_URI nor a data directory of a first start. */
export function hasStore(environment: Environment): boolean {
  if (isGiven(environment, 'MONGODB_URI')) return true;
  return existsSync(join(dataDirectoryOf(environment), DATA_FILES.secrets));
}

/** The whole path of the data directory that the environment names. */
export function dataDirectoryOf(environment: Environment): string {
  return resolve(parseConfig(allInOneConfigSchema, environment).dataDirectory);
}

/** An operator's setting wins over what the data directory holds. */
export function withGiven(found: Environment, environment: Environment): Environment {
  const missing = Object.entries(found).filter(([name]) => !isGiven(environment, name));
  return { ...environment, ...Object.fromEntries(missing) };
}
