import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { findQuietPort } from '../support/network/free-port';
import { PRODUCT_MAIN, REPOSITORY, STORE_MAIN } from '../support/repository';
import { type RunningProcess, STARTED, startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';
import {
  type InstanceName,
  type ProcessName,
  RPC_SERVICES,
  SERVICES,
  type ServiceName,
  serviceOf,
} from './instances';
import { createPlacement, type Placement, type PlacementOptions } from './placement';

/** Of one process; long, because a machine under test may do many things at once. */
const START_TIMEOUT_MS = 180_000;
/** Told at level info. */
const ADMIN_PORT = /"adminPort":(\d+)/;
const EMAIL = 'operator@example.test';
/** Where all services keep their collections unless an installation has one of its own. */
export const DATABASE = 'tollgate';

/** The engines that the services share. */
export interface Engines {
  readonly kafkaBrokers: string;
  readonly redisUrl: string;
  /** Address of a MongoDB server; without it the embedded store runs as a process of its own. */
  readonly mongodbUrl?: string;
  /** Where all services keep their collections; `tollgate` when absent. */
  readonly database?: string;
}

/** The address of an engine that the run names; `npm test` runs without engines and names none. */
export function requireEngine(name: string): string {
  const url = process.env[name];
  if (url === undefined || url === '') throw new Error(`${name} must name a running engine`);
  return url;
}

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
  /** Of the services; all of them but the store. */
  readonly instances: readonly InstanceName[];
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
  /** Resolves once it says of itself that it can do its work. */
  untilReady(name: InstanceName): Promise<void>;
  /**
   * What a cluster does with each replica in an upgrade: tells it to end, meanwhile takes it out of
   * what others find, and starts it at another address on the same disk. Resolves with its exit
   * code once the next one is ready and found. `start` is for who starts more patiently.
   */
  replace(name: InstanceName, start?: () => Promise<void>): Promise<number | string>;
  /** Ends everything, the services in the opposite order; answers the exit codes. */
  stop(): Promise<Readonly<Record<string, number | string>>>;
}

/**
 * Starts the store, then every service, the replicas of one together, each process with only its
 * own environment. The overrides are read at each start of a process.
 */
export async function startSeparate(
  engines: Engines,
  overrides: Readonly<Record<string, string>> = {},
  surroundings: PlacementOptions = {},
): Promise<SeparateTollgate> {
  const directory = makeDirectory();
  const operatorPassword = randomBytes(12).toString('hex');
  const ports = await choosePorts();
  const environment = createEnvironment(engines, ports, operatorPassword);
  const placement = await createPlacement(directory.path, ports, surroundings);
  const processes = createProcessTable(directory.path, ports.store, {
    environmentOf: (name) =>
      withPreloads(withOverrides(environment, overrides), placement.environmentOf(name)),
    programOf: (name) => surroundings.programs?.[name] ?? PRODUCT_MAIN,
  });
  const hasOwnStore = engines.mongodbUrl === undefined;
  const groups = SERVICES.map((service) =>
    placement.names.filter((name) => serviceOf(name) === service),
  );
  const release = () => {
    placement.close();
    directory.remove();
  };

  try {
    if (hasOwnStore) await processes.start('store');
    for (const group of groups) {
      await Promise.all(group.map(processes.start));
      await Promise.all(group.map(placement.announce));
    }
  } catch (error) {
    await processes.killAll();
    release();
    throw error;
  }
  return {
    ...processes,
    instances: placement.names,
    processes: [...(hasOwnStore ? (['store'] as const) : []), ...placement.names],
    baseUrl: placement.baseUrl,
    gatewayUrls: placement.gatewayUrls,
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    operatorEmail: EMAIL,
    operatorPassword,
    replace: (name, start = () => processes.start(name)) =>
      replaceInstance({ processes, placement, start }, name),
    async stop() {
      const codes: Record<string, number | string> = {};
      const end = async (name: ProcessName): Promise<void> => {
        codes[name] = await processes.end(name);
      };
      for (const group of [...groups].reverse()) {
        await Promise.all(group.map(end));
      }
      if (hasOwnStore) await end('store');
      release();
      return codes;
    },
  };
}

/** What everybody else needs to hear that a replica leaves; until then it is still asked. */
const NEWS_MS = 500;

interface Replacing {
  readonly processes: ReturnType<typeof createProcessTable>;
  readonly placement: Placement;
  start(): Promise<void>;
}

async function replaceInstance(
  { processes, placement, start }: Replacing,
  name: InstanceName,
): Promise<number | string> {
  const leaving = processes.end(name);
  await delay(NEWS_MS);
  placement.withdraw(name);
  const code = await leaving;
  placement.move(name);
  await start();
  await processes.untilReady(name);
  await placement.announce(name);
  return code;
}

/** What each instance runs, and what it is told. */
interface Installed {
  environmentOf(name: InstanceName): Readonly<Record<string, string>>;
  programOf(name: InstanceName): string;
}

/** Starts and ends processes by name, and keeps all that they print. */
function createProcessTable(
  directory: string,
  storePort: number,
  { environmentOf, programOf }: Installed,
) {
  const started = new Map<ProcessName, RunningProcess[]>();
  const dataDirectory = (name: InstanceName) => join(directory, name);
  const launchService = (name: InstanceName, args: readonly string[]): RunningProcess =>
    startProcess(process.execPath, [programOf(name), ...args], {
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
      return startProcess(process.execPath, [STORE_MAIN, ...args], {
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
      const ready = name === 'store' ? /"listening"/ : STARTED;
      try {
        await running.waitForOutput(ready, START_TIMEOUT_MS);
      } catch (error) {
        await end(name, 'SIGKILL');
        throw error;
      }
    },
    async untilReady(name: InstanceName) {
      const [, port] = await latest(name).waitForOutput(ADMIN_PORT, START_TIMEOUT_MS);
      const ask = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
      await eventually(ask, (status) => status === 200, START_TIMEOUT_MS);
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

type Ports = Readonly<Record<(typeof PORT_NAMES)[number], number>>;
const PORT_NAMES = ['http', 'store', 'simulator', ...RPC_SERVICES] as const;

async function choosePorts(): Promise<Ports> {
  const chosen: Record<string, number> = {};
  for (const name of PORT_NAMES) chosen[name] = await findQuietPort();
  return chosen as Ports;
}

/** The database of this product, on the server that was given or on the store that is started. */
function storeUri({ mongodbUrl, database = DATABASE }: Engines, storePort: number): string {
  if (mongodbUrl === undefined) {
    return `mongodb://127.0.0.1:${storePort}/${database}?directConnection=true`;
  }
  return mongodbUrl.replace('/?', `/${database}?`);
}

const ALLOWED_HOSTS = 'TOLLGATE_EGRESS_ALLOWED_HOSTS';

/** Whoever allows hosts of their own needs the simulator as well. */
function withOverrides(
  environment: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  const hosts = [environment[ALLOWED_HOSTS], overrides[ALLOWED_HOSTS]].filter(Boolean).join(',');
  return { ...environment, ...overrides, [ALLOWED_HOSTS]: hosts };
}

/** Joins the NODE_OPTIONS of both, so that the preloads of neither are lost. */
function withPreloads(
  environment: Readonly<Record<string, string>>,
  placed: Readonly<Record<string, string>>,
): Record<string, string> {
  const all = { ...environment, ...placed };
  const options = [environment.NODE_OPTIONS, placed.NODE_OPTIONS].filter(Boolean).join(' ');
  return options === '' ? all : { ...all, NODE_OPTIONS: options };
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
