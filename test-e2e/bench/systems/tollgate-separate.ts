import { join } from 'node:path';
import type { RunningEngine, StartOptions } from '../../engines/engine-process';
import { startKafka } from '../../engines/kafka';
import { mongodbObstacle, startMongodb } from '../../engines/mongodb';
import { startRedis } from '../../engines/redis';
import { createKey, signIn } from '../../support/accounts';
import type { Api } from '../../support/api';
import { makeDirectory } from '../../support/temporary-directory';
import { type Replicas, RPC_SERVICES } from '../../topologies/instances';
import { startSeparate } from '../../topologies/separate';
import { LOAD_CORE, moveToCore, SYSTEM_CORE } from '../processes';
import { CHAT_PATH } from './system';
import { benchVendor, type TollgateSystem } from './tollgate-in-one';

/** The services that a request costs something; the simulator stands idle. */
const MEASURED = ['gateway', ...RPC_SERVICES] as const;

export interface SeparateOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly replicas?: Replicas;
}

/** The product as processes of its own. */
export interface SeparateSystem extends TollgateSystem {
  /** Where each gateway takes chat completions. */
  readonly gatewayUrls: readonly string[];
}

/** The engines of one deployment, on the core of the load. */
interface BenchEngines {
  readonly kafkaBrokers: string;
  readonly redisUrl: string;
  /** Absent where no MongoDB can be had: the embedded store serves then, on the same core. */
  readonly mongodbUrl?: string;
  stop(): Promise<void>;
}

/** Starts Kafka, Redis and MongoDB beside the vendor: others share them, so they are not counted. */
async function startEngines(): Promise<BenchEngines> {
  const options: StartOptions = { report: () => undefined, detached: false };
  const hasMongodb = mongodbObstacle() === undefined;
  const [kafka, redis, mongodb] = await Promise.all([
    startKafka(options),
    startRedis(options),
    hasMongodb ? startMongodb(options) : undefined,
  ]);
  const engines = [kafka, redis, mongodb].filter((one): one is RunningEngine => one !== undefined);
  for (const { pid } of engines) await moveToCore(pid, LOAD_CORE);
  return {
    kafkaBrokers: kafka.url,
    redisUrl: redis.url,
    ...(mongodb === undefined ? {} : { mongodbUrl: mongodb.url }),
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()));
    },
  };
}

/** Every service as a process of its own, all on the core of the system. */
export async function startSeparateTollgate(
  vendorUrl: string,
  { environment = {}, replicas = {} }: SeparateOptions = {},
): Promise<SeparateSystem> {
  const engines = await startEngines();
  const sockets = makeDirectory();
  const stopEngines = async () => {
    await engines.stop();
    sockets.remove();
  };
  try {
    const overrides = {
      ...benchVendor(vendorUrl),
      ...socketAddresses(sockets.path),
      LOG_LEVEL: 'info',
      ...environment,
    };
    const tollgate = await startSeparate(engines, overrides, { replicas });
    for (const name of tollgate.processes) {
      const core = name === 'store' ? LOAD_CORE : SYSTEM_CORE;
      await moveToCore(tollgate.process(name).pid, core);
    }
    const { operatorEmail, operatorPassword, baseUrl } = tollgate;
    const operator = await signIn(baseUrl, operatorEmail, operatorPassword);
    const { secret } = await createKey(operator.api);
    await liftConcurrency(operator.api);
    return {
      baseUrl,
      operator: operator.api,
      url: `${baseUrl}${CHAT_PATH}`,
      gatewayUrls: tollgate.gatewayUrls.map((each) => `${each}${CHAT_PATH}`),
      headers: { authorization: `Bearer ${secret}` },
      processes: tollgate.processes
        .filter((name) => MEASURED.some((service) => name.startsWith(service)))
        .map((name) => ({ name, process: tollgate.process(name) })),
      async stop() {
        await tollgate.stop();
        await stopEngines();
      },
    };
  } catch (error) {
    await stopEngines();
    throw error;
  }
}

/** A fixed rate piles up while a process waits for its core: more at once than the plan allows. */
async function liftConcurrency(operator: Api): Promise<void> {
  const { items } = await operator.get('/v1/admin/accounts');
  const overrides = { limits: { concurrent_requests: 10_000 } };
  for (const { id } of items as { readonly id: string }[]) {
    const answer = await operator.request('PATCH', `/v1/admin/accounts/${id}`, {
      body: { overrides },
    });
    if (answer.status !== 200) throw new Error(`the limit stays: ${answer.text}`);
  }
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
