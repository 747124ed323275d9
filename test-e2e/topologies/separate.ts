import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '../support/free-port';
import { type RunningProcess, startProcess } from '../support/running-process';
import { makeDirectory } from '../support/temporary-directory';

const REPOSITORY = join(__dirname, '../..');
const MAIN = join(REPOSITORY, 'services/all-in-one/dist/main.js');
const STORE = join(REPOSITORY, 'packages/embedded-mongo/dist/main.js');
const START_TIMEOUT_MS = 60_000;
const EMAIL = 'operator@example.test';

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

/** The engines that the services share. */
export interface Engines {
  readonly kafkaBrokers: string;
  readonly redisUrl: string;
}

/** The services as separate processes. */
export interface SeparateTollgate {
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  readonly operatorEmail: string;
  readonly operatorPassword: string;
  process(name: ServiceName | 'store'): RunningProcess;
  /** kill -9 of one process; it stays away until `start`. */
  kill(name: ServiceName | 'store'): Promise<void>;
  start(name: ServiceName | 'store'): Promise<void>;
  /** Ends everything in order; answers the exit codes. */
  stop(): Promise<Readonly<Record<string, number | string>>>;
}

/** Starts the store, then every service, each with only its own environment. */
export async function startSeparate(
  engines: Engines,
  overrides: Readonly<Record<string, string>> = {},
): Promise<SeparateTollgate> {
  const directory = makeDirectory();
  const operatorPassword = randomBytes(12).toString('hex');
  const ports = await choosePorts();
  const running = new Map<string, RunningProcess>();
  const environment = { ...createEnvironment(engines, ports, operatorPassword), ...overrides };

  const startStore = async () => {
    const store = startProcess(
      process.execPath,
      [STORE, '--host', '127.0.0.1', '--port', String(ports.store), '--data', directory.path],
      { directory: REPOSITORY, environment: {} },
    );
    running.set('store', store);
    await store.waitForOutput(/"listening"/, START_TIMEOUT_MS);
  };
  const start = async (name: ServiceName | 'store') => {
    if (name === 'store') return startStore();
    const service = startProcess(process.execPath, [MAIN], {
      directory: REPOSITORY,
      environment: {
        ...environment,
        TARGET: name,
        TOLLGATE_ADMIN_PORT: '0',
        TOLLGATE_DATA_DIR: join(directory.path, name),
      },
    });
    running.set(name, service);
    await service.waitForOutput(/"msg":"started"|"message":"started"/, START_TIMEOUT_MS);
  };
  const processOf = (name: string): RunningProcess => {
    const found = running.get(name);
    if (found === undefined) throw new Error(`${name} was never started`);
    return found;
  };

  await startStore();
  for (const name of SERVICES) await start(name);
  return {
    baseUrl: `http://127.0.0.1:${ports.http}`,
    simulatorUrl: `http://127.0.0.1:${ports.simulator}`,
    operatorEmail: EMAIL,
    operatorPassword,
    process: processOf,
    start,
    async kill(name) {
      processOf(name).signal('SIGKILL');
      await processOf(name).exited;
    },
    async stop() {
      const codes: Record<string, number | string> = {};
      for (const name of [...SERVICES].reverse()) {
        processOf(name).signal('SIGTERM');
        codes[name] = await processOf(name).exited;
      }
      processOf('store').signal('SIGTERM');
      codes.store = await processOf('store').exited;
      directory.remove();
      return codes;
    },
  };
}

type Ports = Readonly<Record<(typeof PORT_NAMES)[number], number>>;
const PORT_NAMES = [
  'http',
  'store',
  'simulator',
  'completion',
  'identity',
  'routing',
  'billing',
  'webhook',
  'stats',
] as const;

async function choosePorts(): Promise<Ports> {
  const chosen: Record<string, number> = {};
  for (const name of PORT_NAMES) chosen[name] = await findFreePort();
  return chosen as Ports;
}

function createEnvironment(
  engines: Engines,
  ports: Ports,
  operatorPassword: string,
): Record<string, string> {
  const simulator = `http://127.0.0.1:${ports.simulator}/v1`;
  const environment: Record<string, string> = {
    LOG_LEVEL: 'info',
    KAFKA_BROKERS: engines.kafkaBrokers,
    REDIS_URL: engines.redisUrl,
    MONGODB_URI: `mongodb://127.0.0.1:${ports.store}/tollgate?directConnection=true`,
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
  };
  for (const name of [
    'completion',
    'identity',
    'routing',
    'billing',
    'webhook',
    'stats',
  ] as const) {
    environment[`${name.toUpperCase()}_LISTEN`] = `127.0.0.1:${ports[name]}`;
    environment[`${name.toUpperCase()}_ADDRESS`] = `127.0.0.1:${ports[name]}`;
  }
  return environment;
}
