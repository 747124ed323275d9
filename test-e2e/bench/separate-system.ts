import { join } from 'node:path';
import type { RunningEngine, StartOptions } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { startRedis } from '../engines/redis';
import { createKey, signIn } from '../support/accounts';
import { REPOSITORY } from '../support/repository';
import { startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import { SERVICES, startSeparate } from '../topologies/separate';
import { LOAD_CORE, STACK_CORE } from './processes';
import { type BenchSystem, benchVendor } from './systems';

const RPC_SERVICES = ['completion', 'identity', 'routing', 'billing', 'webhook', 'stats'] as const;

/**
 * Every service as a process of its own, all on the core of the stack, the store among them. Kafka
 * and Redis are engines that others share: they run beside the vendor and are not counted.
 */
export async function startSeparateTollgate(vendorUrl: string): Promise<BenchSystem> {
  const options: StartOptions = { report: () => undefined, detached: false };
  const [kafka, redis] = await Promise.all([startKafka(options), startRedis(options)]);
  for (const { pid } of [kafka, redis]) await pin(pid, LOAD_CORE);
  const sockets = makeDirectory();
  const tollgate = await startSeparate(
    { kafkaBrokers: kafka.url, redisUrl: redis.url },
    { ...benchVendor(vendorUrl), ...socketAddresses(sockets.path), LOG_LEVEL: 'info' },
  );
  const processes = [tollgate.process('store'), ...SERVICES.map(tollgate.process)];
  for (const { pid } of processes) await pin(pid, STACK_CORE);
  const { operatorEmail, operatorPassword, baseUrl } = tollgate;
  const operator = await signIn(baseUrl, operatorEmail, operatorPassword);
  const { secret } = await createKey(operator.api);
  return {
    url: `${baseUrl}/v1/chat/completions`,
    headers: { authorization: `Bearer ${secret}` },
    processes,
    async stop() {
      await tollgate.stop();
      await Promise.all([kafka, redis].map((engine: RunningEngine) => engine.stop()));
      sockets.remove();
    },
  };
}

/** Unix sockets between the services, as pods of one node would use them. */
function socketAddresses(directory: string): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of RPC_SERVICES) {
    const address = `unix:${join(directory, `${name}.sock`)}`;
    environment[`${name.toUpperCase()}_LISTEN`] = address;
    environment[`${name.toUpperCase()}_ADDRESS`] = address;
    if (name === 'completion') environment.TOLLGATE_COMPLETION_ADVERTISED_ADDRESS = address;
  }
  return environment;
}

/** Moves all threads of a process that runs already. */
async function pin(pid: number, core: string): Promise<void> {
  const args = ['--all-tasks', '--cpu-list', '--pid', core, String(pid)];
  const moved = startProcess('taskset', args, { directory: REPOSITORY, environment: {} });
  if ((await moved.exited) !== 0) throw new Error(moved.output());
}
