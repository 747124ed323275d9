import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findQuietPort } from '../support/free-port';
import { REPOSITORY } from '../support/repository';
import { type RunningProcess, startProcess } from '../support/running-process';
import { startTcpBalancer, type TcpBalancer } from '../support/tcp-balancer';
import { makeDirectory } from '../support/temporary-directory';

const MAIN = join(REPOSITORY, 'services/all-in-one/dist/main.js');
const STORE = join(REPOSITORY, 'packages/embedded-mongo/dist/main.js');
const START_TIMEOUT_MS = 60_000;
const EMAIL = 'operator@example.test';
/** Where all services keep their collections. */
export const DATABASE = 'tollgate';

/** Every service that runs as a process of its own, in the order they start. */
export const SERVICES = [
  'simulator',
  'billing',
  'routing',
  'identity',
  'completion',
  'stats',
  'webhook',
  'gateway',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A service's first process bears its name, each further one a number as well. */
export type InstanceName = ServiceName | `${ServiceName}-${number}`;
export type ProcessName = InstanceName | 'store';

/** The engines that the services share. */
export interface Engines {
  readonly kafkaBrokers: string;
  readonly redisUrl: string;
  /** Address of a MongoDB server; without it the embedded store runs as a process of its own. */
  readonly mongodbUrl?: string;
}

/**
 * How many processes of a service share its address; one when absent. Each gateway has an address of
 * its own.
 */
export type Replicas = Readonly<Partial<Record<RpcServiceName | 'gateway', number>>>;

/** The services as separate processes. */
export interface SeparateTollgate {
  readonly baseUrl: string;
  /** All gateways, the one of `baseUrl` first. */
  readonly gatewayUrls: readonly string[];
  readonly simulatorUrl: string;
  readonly operatorEmail: string;
  readonly operatorPassword: string;
  /** Every process that was started, in the order of their start. */
  readonly processes: readonly ProcessName[];
  /** The latest process of that name. */
  process(name: ProcessName): RunningProcess;
  /** What all processes of that name have printed, the oldest first. */
  output(name: ProcessName): string;
  /** kill -9 of one process; it stays away until `start`. */
  kill(name: ProcessName): Promise<void>;
  /** Where a service keeps what is on its disk. */
  dataDirectory(name: InstanceName): string;
  /** Runs the command line with the configuration of a service, to its end. */
  runCommand(
    name: ServiceName,
    args: readonly string[],
  ): Promise<{ readonly code: number | string; readonly output: string }>;
  /** Resolves once it runs; one that does not come up is ended before this rejects. */
  start(name: ProcessName): Promise<void>;
  /** Ends everything in order; answers the exit codes. */
  stop(): Promise<Readonly<Record<string, number | string>>>;
}

/** Starts the store, then every service, each with only its own environment. */
export async function startSeparate(
  engines: Engines,
  overrides: Readonly<Record<string, string>> = {},
  replicas: Replicas = {},
): Promise<SeparateTollgate> {
  const directory = makeDirectory();
  const operatorPassword = randomBytes(12).toString('hex');
  const ports = await choosePorts();
  const environment = { ...createEnvironment(engines, ports, operatorPassword), ...overrides };
  const instances = await placeInstances(ports, replicas);
  const processes = createProcessTable(directory.path, ports.store, {
    environmentOf: (name) => ({ ...environment, ...instances.environmentOf(name) }),
  });
  const names: readonly ProcessName[] = [
    ...(engines.mongodbUrl === undefined ? (['store'] as const) : []),
    ...instances.names,
  ];

  try {
    for (const name of names) await processes.start(name);
  } catch (error) {
    await processes.killAll();
    instances.close();
    directory.remove();
    throw error;
  }
  return {
    ...processes,
    processes: names,
    baseUrl: `http://127.0.0.1:${ports.http}`,
    gatewayUrls: [ports.http, ...instances.furtherGateways].map(
      (port) => `http://127.0.0.1:${port}`,
    ),
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    operatorEmail: EMAIL,
    operatorPassword,
    async stop() {
      const codes: Record<string, number | string> = {};
      for (const name of [...names].reverse()) codes[name] = await processes.end(name);
      instances.close();
      directory.remove();
      return codes;
    },
  };
}

/** Which processes there are; those that share an address stand behind a balancer. */
async function placeInstances(ports: Ports, replicas: Replicas) {
  const names: InstanceName[] = [];
  const listens = new Map<InstanceName, Readonly<Record<string, string>>>();
  const addresses: Record<string, string> = {};
  const balancers: TcpBalancer[] = [];
  const furtherGateways: number[] = [];
  for (const service of SERVICES) {
    names.push(service);
    const count = service === 'simulator' ? 1 : (replicas[service] ?? 1);
    for (let number = 2; service === 'gateway' && number <= count; number += 1) {
      const port = await findQuietPort();
      furtherGateways.push(port);
      names.push(`gateway-${number}`);
      listens.set(`gateway-${number}`, { TOLLGATE_HTTP_PORT: String(port) });
    }
    if (!isRpcService(service) || count === 1) continue;
    const targets = [ports[service]];
    for (let number = 2; number <= count; number += 1) {
      const port = await findQuietPort();
      targets.push(port);
      const name: InstanceName = `${service}-${number}`;
      names.push(name);
      listens.set(name, { [`${service.toUpperCase()}_LISTEN`]: `127.0.0.1:${port}` });
    }
    const balancer = await startTcpBalancer(targets);
    balancers.push(balancer);
    addresses[`${service.toUpperCase()}_ADDRESS`] = `127.0.0.1:${balancer.port}`;
  }
  return {
    names,
    furtherGateways,
    environmentOf: (name: InstanceName) => ({ ...addresses, ...listens.get(name) }),
    close() {
      for (const balancer of balancers) balancer.close();
    },
  };
}

/** Starts and ends processes by name, and keeps all that they print. */
function createProcessTable(
  directory: string,
  storePort: number,
  { environmentOf }: { environmentOf(name: InstanceName): Readonly<Record<string, string>> },
) {
  const started = new Map<ProcessName, RunningProcess[]>();
  const dataDirectory = (name: InstanceName) => join(directory, name);
  const launchService = (name: InstanceName, args: readonly string[]): RunningProcess =>
    startProcess(process.execPath, [MAIN, ...args], {
      directory: REPOSITORY,
      environment: {
        ...environmentOf(name),
        TARGET: serviceOf(name),
        TOLLGATE_ADMIN_PORT: '0',
        TOLLGATE_DATA_DIR: dataDirectory(name),
      },
    });
  const launch = (name: ProcessName): RunningProcess => {
    if (name === 'store') {
      const args = ['--host', '127.0.0.1', '--port', String(storePort), '--data', directory];
      return startProcess(process.execPath, [STORE, ...args], {
        directory: REPOSITORY,
        environment: {},
      });
    }
    return launchService(name, []);
  };
  const latest = (name: ProcessName): RunningProcess => {
    const found = started.get(name)?.at(-1);
    if (found === undefined) throw new Error(`${name} was never started`);
    return found;
  };
  const end = async (name: ProcessName, signal: NodeJS.Signals) => {
    latest(name).signal(signal);
    return await latest(name).exited;
  };
  return {
    process: latest,
    dataDirectory,
    async runCommand(name: ServiceName, args: readonly string[]) {
      const running = launchService(name, args);
      const code = await running.exited;
      return { code, output: running.output() };
    },
    output: (name: ProcessName) => (started.get(name) ?? []).map((one) => one.output()).join(''),
    async start(name: ProcessName) {
      const running = launch(name);
      started.set(name, [...(started.get(name) ?? []), running]);
      const ready = name === 'store' ? /"listening"/ : /"(msg|message)":"started"/;
      try {
        await running.waitForOutput(ready, START_TIMEOUT_MS);
      } catch (error) {
        await end(name, 'SIGKILL');
        throw error;
      }
    },
    async kill(name: ProcessName) {
      await end(name, 'SIGKILL');
    },
    end: (name: ProcessName) => end(name, 'SIGTERM'),
    async killAll() {
      for (const name of started.keys()) await end(name, 'SIGKILL');
    },
  };
}

const RPC_SERVICES = ['completion', 'identity', 'routing', 'billing', 'webhook', 'stats'] as const;
type RpcServiceName = (typeof RPC_SERVICES)[number];

function isRpcService(name: ServiceName): name is RpcServiceName {
  return RPC_SERVICES.some((service) => service === name);
}

function serviceOf(name: InstanceName): ServiceName {
  const found = SERVICES.find((service) => name === service || name.startsWith(`${service}-`));
  if (found === undefined) throw new Error(`${name} is no service`);
  return found;
}

type Ports = Readonly<Record<(typeof PORT_NAMES)[number], number>>;
const PORT_NAMES = ['http', 'store', 'simulator', ...RPC_SERVICES] as const;

async function choosePorts(): Promise<Ports> {
  const chosen: Record<string, number> = {};
  for (const name of PORT_NAMES) chosen[name] = await findQuietPort();
  return chosen as Ports;
}

/** The database of this product, on the server that was given or on the store that is started. */
function storeUri({ mongodbUrl }: Engines, storePort: number): string {
  if (mongodbUrl === undefined) {
    return `mongodb://127.0.0.1:${storePort}/${DATABASE}?directConnection=true`;
  }
  return mongodbUrl.replace('/?', `/${DATABASE}?`);
}

function createEnvironment(
  engines: Engines,
  ports: Ports,
  operatorPassword: string,
): Record<string, string> {
  const simulator = `http://127.0.0.1:${ports.simulator}/v1`;
  const environment: Record<string, string> = {
    LOG_LEVEL: 'info',
    // Idle credit comes back soon, so that a test can see that nothing stays reserved.
    TOLLGATE_COMPLETION_LEASE_IDLE_RICH_MS: '1000',
    TOLLGATE_SHUTDOWN_WAIT_MS: '0',
    KAFKA_BROKERS: engines.kafkaBrokers,
    REDIS_URL: engines.redisUrl,
    MONGODB_URI: storeUri(engines, ports.store),
    TOLLGATE_HTTP_PORT: String(ports.http),
    TOLLGATE_RPC_PLAINTEXT: 'true',
    TOLLGATE_SERVICE_SECRET: randomBytes(32).toString('hex'),
    TOLLGATE_SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    TOLLGATE_KEY_PEPPERS: `p1:${randomBytes(32).toString('base64')}`,
    TOLLGATE_INIT_OPERATOR_EMAIL: EMAIL,
    TOLLGATE_INIT_OPERATOR_PASSWORD: operatorPassword,
    TOLLGATE_INIT_CREDIT: '1000.00',
    TOLLGATE_INIT_PLAN: 'enterprise',
    TOLLGATE_INIT_CHANNEL_TYPE: 'simulator',
    TOLLGATE_INIT_CHANNEL_BASE_URL: simulator,
    TOLLGATE_INIT_CHANNEL_MODELS: 'sim-small:0.10:0.40',
    TOLLGATE_EGRESS_ALLOWED_HOSTS: `127.0.0.1:${ports.simulator}`,
    TOLLGATE_SIMULATOR_PORT: String(ports.simulator),
    TOLLGATE_COMPLETION_ADVERTISED_ADDRESS: `127.0.0.1:${ports.completion}`,
  };
  for (const name of RPC_SERVICES) {
    environment[`${name.toUpperCase()}_LISTEN`] = `127.0.0.1:${ports[name]}`;
    environment[`${name.toUpperCase()}_ADDRESS`] = `127.0.0.1:${ports[name]}`;
  }
  return environment;
}
