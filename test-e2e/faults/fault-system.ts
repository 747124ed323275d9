import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningEngine, type StartOptions, signalProcess } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { startMongodb, startMongodbReplicaSet } from '../engines/mongodb';
import { startRedis } from '../engines/redis';
import { type Api, createApi } from '../support/api';
import { untilAnswered } from '../support/eventually';
import { readCounter } from '../support/running-process';
import { type Delivery, listDeliveries } from '../support/vendors/simulator';
import {
  type InstanceName,
  type ProcessName,
  type Replicas,
  type ServiceName,
  serviceOf,
} from '../topologies/instances';
import type { PlacementOptions } from '../topologies/placement';
import { type SeparateTollgate, startSeparate } from '../topologies/separate';
import type { Fault, FaultTarget } from './fault-plan';
import { type Crash, createSupervisor, type Supervisor, startUntilUp } from './supervisor';

/** When something was away, by the clock that also times the requests. */
export interface Outage extends Pick<Fault, 'kind' | 'target'> {
  readonly fromMs: number;
  /** When it ran again. */
  readonly untilMs: number;
}

/** All services as processes on real engines, and what injects faults into them. */
export interface FaultSystem extends FaultInjector {
  readonly baseUrl: string;
  readonly operatorEmail: string;
  readonly operatorPassword: string;
  readonly kafkaBrokers: string;
  readonly replicas: Replicas;
  /** Every process of the services. */
  readonly instances: readonly InstanceName[];
  /** Of the server that takes writes now; rejects on the embedded store. */
  findMongodbPort(): Promise<number>;
  /** Milliseconds since the system was started. */
  elapsedMs(): number;
  crashes(): readonly Crash[];
  /**
   * Of the billings that run now: writes of an account, and those of them that found it changed by
   * another replica and were made again.
   */
  guardedWrites(): Promise<{ readonly writes: number; readonly misses: number }>;
  /** All that every process has printed. */
  logs(): Readonly<Record<string, string>>;
  /** The operator's session, renewed when it ran out. */
  operator(): Promise<Api>;
  /** What the vendor delivered, all of it. */
  deliveries(): Promise<readonly Delivery[]>;
  /** Settles the spool of the completion service, which must be away, by the command for that. */
  drainSpool(): Promise<{ readonly code: number | string; readonly output: string }>;
  /** Ends everything in order; answers the exit codes. */
  stop(): Promise<Readonly<Record<string, number | string>>>;
}

/**
 * Which document store is under the services: a MongoDB server, three of them as a replica set, or
 * ours over TCP.
 */
export type StoreKind = 'mongodb' | 'mongodb-set' | 'embedded';

export interface FaultSystemOptions extends PlacementOptions {
  readonly store: StoreKind;
  report(line: string): void;
  readonly overrides?: Readonly<Record<string, string>>;
}

const GUARD_MISSES = 'tollgate_billing_guard_misses_total';
const ACCOUNT_WRITES = [
  'tollgate_billing_store_commands_total',
  'store="accounts",operation="(?:create|replace)"',
] as const;

/** Starts engines of its own, so that they can be killed, and every service on them. */
export async function startFaultSystem({
  store,
  report,
  overrides,
  ...surroundings
}: FaultSystemOptions): Promise<FaultSystem> {
  const options: StartOptions = { report: () => undefined, detached: false, isKilled: true };
  const [kafka, redis, mongodb] = await Promise.all([
    startKafka(options),
    startRedis(options),
    startStore(store, options),
  ]);
  const tollgate = await startSeparate(
    {
      kafkaBrokers: kafka.url,
      redisUrl: redis.url,
      ...(mongodb === undefined ? {} : { mongodbUrl: mongodb.url }),
    },
    { TOLLGATE_SIMULATOR_DELIVERIES_MAX: '1000000', ...overrides },
    surroundings,
  );
  const beganMs = performance.now();
  const elapsedMs = () => performance.now() - beganMs;
  const supervisor = createSupervisor(tollgate, report);
  const engines: EngineTable = { kafka, redis, store: mongodb };
  return {
    ...createFaultInjector({ tollgate, engines, supervisor, report, elapsedMs }),
    baseUrl: tollgate.baseUrl,
    operatorEmail: tollgate.operatorEmail,
    operatorPassword: tollgate.operatorPassword,
    kafkaBrokers: kafka.url,
    replicas: surroundings.replicas ?? {},
    instances: tollgate.instances,
    async findMongodbPort() {
      if (mongodb === undefined) throw new Error('this needs a MongoDB server under the services');
      return mongodb.findPort();
    },
    elapsedMs,
    crashes: supervisor.crashes,
    logs: () => Object.fromEntries(tollgate.processes.map((name) => [name, tollgate.output(name)])),
    async guardedWrites() {
      const billings = tollgate.instances.filter((name) => serviceOf(name) === 'billing');
      const sum = async (metric: string, labels?: string) => {
        const read = (name: InstanceName) => readCounter(tollgate.process(name), metric, labels);
        return (await Promise.all(billings.map(read))).reduce((total, one) => total + one, 0);
      };
      return { writes: await sum(...ACCOUNT_WRITES), misses: await sum(GUARD_MISSES) };
    },
    operator: createOperator(tollgate),
    deliveries: () => listDeliveries(tollgate.simulatorUrl),
    drainSpool() {
      const spool = join(tollgate.dataDirectory('completion'), 'spool');
      return tollgate.runCommand('completion', ['spool', 'drain', spool]);
    },
    async stop() {
      supervisor.release();
      const codes = await tollgate.stop();
      await Promise.all([kafka.stop(), redis.stop(), mongodb?.stop()]);
      return codes;
    },
  };
}

/** What can be killed and frozen of an engine. */
type FaultyEngine = Pick<RunningEngine, 'kill' | 'restart' | 'thaw'> & {
  freeze(): void | Promise<void>;
};

interface Store extends FaultyEngine {
  readonly url: string;
  findPort(): Promise<number>;
  stop(): Promise<void>;
}

/** Undefined for the embedded store, which is a process of the installation. */
async function startStore(kind: StoreKind, options: StartOptions): Promise<Store | undefined> {
  if (kind === 'embedded') return undefined;
  if (kind === 'mongodb') {
    const server = await startMongodb(options);
    return { ...server, findPort: async () => Number(new URL(server.url).port) };
  }
  const set = await startMongodbReplicaSet(options);
  // What is hit is the member that takes writes at that moment.
  let hit: RunningEngine | undefined;
  const findVictim = async () => {
    hit = await set.findPrimary();
    return hit;
  };
  return {
    ...set,
    kill: async () => (await findVictim()).kill(),
    freeze: async () => (await findVictim()).freeze(),
    thaw: () => hit?.thaw(),
    restart: async () => hit?.restart(),
    findPort: async () => Number(new URL((await set.findPrimary()).url).port),
  };
}

/** What can be done to processes and engines. */
interface FaultInjector {
  /** Does what the fault says; resolves when its target runs again. */
  apply(fault: Fault): Promise<void>;
  /** Works while the target is killed, and brings it back whatever comes of the work. */
  whileAway<Result>(target: FaultTarget, work: () => Promise<Result>): Promise<Result>;
  /** Works while the services are stopped in order. */
  whileStopped(names: readonly ServiceName[], work: () => Promise<void>): Promise<void>;
  /** Ends a replica in order and starts the next in its place; answers its exit code. */
  replace(name: InstanceName): Promise<number | string>;
  /** Everything that was done so far. */
  outages(): readonly Outage[];
}

/** Targets that are engines; the embedded store is a process of the installation. */
type EngineTable = Readonly<Partial<Record<FaultTarget, FaultyEngine | undefined>>>;

interface FaultInjectorOptions {
  readonly tollgate: SeparateTollgate;
  readonly engines: EngineTable;
  readonly supervisor: Supervisor;
  report(line: string): void;
  elapsedMs(): number;
}

function createFaultInjector({
  tollgate,
  engines,
  supervisor,
  report,
  elapsedMs,
}: FaultInjectorOptions): FaultInjector {
  const outages: Outage[] = [];
  const kill = async (target: FaultTarget): Promise<void> => {
    const engine = engines[target];
    if (engine !== undefined) await engine.kill();
    else await supervisor.end(nameOf(target), 'SIGKILL');
  };
  const bringBack = async (target: FaultTarget): Promise<void> => {
    const engine = engines[target];
    if (engine === undefined) await supervisor.bringUp(nameOf(target));
    else await startUntilUp(target, () => engine.restart(), report);
  };
  const whileAway: FaultInjector['whileAway'] = async (target, work) => {
    const fromMs = elapsedMs();
    await kill(target);
    try {
      return await work();
    } finally {
      await bringBack(target);
      outages.push({ kind: 'kill', target, fromMs, untilMs: elapsedMs() });
    }
  };
  const freeze = async (target: FaultTarget, timeMs: number): Promise<void> => {
    const fromMs = elapsedMs();
    const engine = engines[target] ?? processAsEngine(tollgate.process(nameOf(target)).pid);
    await engine.freeze();
    await delay(timeMs);
    engine.thaw();
    outages.push({ kind: 'freeze', target, fromMs, untilMs: elapsedMs() });
  };
  return {
    whileAway,
    apply: ({ kind, target, awayMs }) =>
      kind === 'kill' ? whileAway(target, () => delay(awayMs)) : freeze(target, awayMs),
    async whileStopped(names, work) {
      for (const name of names) await supervisor.end(name, 'SIGTERM');
      try {
        await work();
      } finally {
        for (const name of [...names].reverse()) await supervisor.bringUp(name);
      }
    },
    replace: supervisor.replace,
    outages: () => outages,
  };
}

function processAsEngine(pid: number): Pick<FaultyEngine, 'freeze' | 'thaw'> {
  return {
    freeze: () => void signalProcess(pid, 'SIGSTOP'),
    thaw: () => void signalProcess(pid, 'SIGCONT'),
  };
}

/** The process that a target without an engine of its own is. */
function nameOf(target: FaultTarget): ProcessName {
  if (target === 'kafka' || target === 'redis') throw new Error(`${target} is no process`);
  return target;
}

/** Logs in again when the session ran out; asks until somebody answers. */
function createOperator(tollgate: SeparateTollgate): () => Promise<Api> {
  let session: Api | undefined;
  const logIn = async (): Promise<Api> => {
    const { baseUrl, operatorEmail: email, operatorPassword: password } = tollgate;
    const api = createApi(baseUrl, undefined);
    const { access_token } = await api.post('/v1/users/login', { email, password });
    return createApi(baseUrl, String(access_token));
  };
  return () =>
    untilAnswered('the operator', async () => {
      session ??= await logIn();
      const { status } = await session.request('GET', '/v1/users/me');
      if (status === 401) session = undefined;
      if (status !== 200 || session === undefined) throw new Error(`answered ${status}`);
      return session;
    });
}
