import { join } from 'node:path';
import { type RunningEngine, type StartOptions, signalProcess } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { startMongodb } from '../engines/mongodb';
import { startRedis } from '../engines/redis';
import { type Api, createApi } from '../support/api';
import { listDeliveriesAfter, type TaggedDelivery } from '../support/simulator';
import {
  type ProcessName,
  type Replicas,
  type SeparateTollgate,
  type ServiceName,
  startSeparate,
} from '../topologies/separate';
import type { Fault, FaultTarget } from './fault-plan';
import {
  type Crash,
  createSupervisor,
  lastLines,
  type Supervisor,
  startUntilUp,
} from './supervisor';
import { pause, untilAnswered } from './until-answered';

/** When something was away, by the clock that also times the requests. */
export interface Outage extends Pick<Fault, 'kind' | 'target'> {
  readonly fromMs: number;
  /** When it ran again. */
  readonly untilMs: number;
}

/** All services as processes on real engines, and the hand that hits them. */
export interface FaultSystem extends Hand {
  readonly baseUrl: string;
  readonly kafkaBrokers: string;
  /** Undefined on the embedded store. */
  readonly mongodbPort: number | undefined;
  /** Milliseconds since the system was started. */
  nowMs(): number;
  crashes(): readonly Crash[];
  /** The last lines of every service. */
  logTails(): Readonly<Record<string, string>>;
  /** The operator's session, renewed when it ran out. */
  operator(): Promise<Api>;
  /** What the vendor delivered, all of it. */
  deliveries(): Promise<readonly TaggedDelivery[]>;
  /** Settles the spool of the completion service, which must be away, by the command for that. */
  drainSpool(): Promise<{ readonly code: number | string; readonly output: string }>;
  /** Ends everything in order; answers the exit codes. */
  stop(): Promise<Readonly<Record<string, number | string>>>;
}

/** Which document store is under the services: a MongoDB server, or ours over TCP. */
export type StoreKind = 'mongodb' | 'embedded';

export interface FaultSystemOptions {
  readonly store: StoreKind;
  report(line: string): void;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly replicas?: Replicas;
}

/** Starts engines of its own, so that they can be killed, and every service on them. */
export async function startFaultSystem({
  store,
  report,
  overrides,
  replicas,
}: FaultSystemOptions): Promise<FaultSystem> {
  const options: StartOptions = { report: () => undefined, detached: false };
  const [kafka, redis, mongodb] = await Promise.all([
    startKafka(options),
    startRedis(options),
    store === 'mongodb' ? startMongodb(options) : undefined,
  ]);
  const tollgate = await startSeparate(
    {
      kafkaBrokers: kafka.url,
      redisUrl: redis.url,
      ...(mongodb === undefined ? {} : { mongodbUrl: mongodb.url }),
    },
    { TOLLGATE_SIMULATOR_DELIVERIES_MAX: '1000000', ...overrides },
    replicas,
  );
  const beganMs = performance.now();
  const nowMs = () => performance.now() - beganMs;
  const supervisor = createSupervisor(tollgate, report);
  const engines: EngineTable = { kafka, redis, store: mongodb };
  return {
    ...createHand({ tollgate, engines, supervisor, report, nowMs }),
    baseUrl: tollgate.baseUrl,
    kafkaBrokers: kafka.url,
    mongodbPort: mongodb === undefined ? undefined : Number(new URL(mongodb.url).port),
    nowMs,
    crashes: supervisor.crashes,
    logTails: () =>
      Object.fromEntries(
        tollgate.processes.map((name) => [name, lastLines(tollgate.output(name))]),
      ),
    operator: createOperator(tollgate),
    deliveries: () => listDeliveriesAfter(tollgate.simulatorUrl, 0),
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

/** What can be done to processes and engines. */
interface Hand {
  /** Does what the fault says; resolves when its target runs again. */
  apply(fault: Fault): Promise<void>;
  /** Works while the target is killed, and brings it back whatever comes of the work. */
  whileAway<Result>(target: FaultTarget, work: () => Promise<Result>): Promise<Result>;
  /** Works while the services are stopped in order. */
  whileStopped(names: readonly ServiceName[], work: () => Promise<void>): Promise<void>;
  /** Everything that was done so far. */
  outages(): readonly Outage[];
}

/** Targets that are engines; the embedded store is a process of the installation. */
type EngineTable = Readonly<Partial<Record<FaultTarget, RunningEngine | undefined>>>;

interface HandOptions {
  readonly tollgate: SeparateTollgate;
  readonly engines: EngineTable;
  readonly supervisor: Supervisor;
  report(line: string): void;
  nowMs(): number;
}

function createHand({ tollgate, engines, supervisor, report, nowMs }: HandOptions): Hand {
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
  const whileAway: Hand['whileAway'] = async (target, work) => {
    const fromMs = nowMs();
    await kill(target);
    try {
      return await work();
    } finally {
      await bringBack(target);
      outages.push({ kind: 'kill', target, fromMs, untilMs: nowMs() });
    }
  };
  const freeze = async (target: FaultTarget, timeMs: number): Promise<void> => {
    const fromMs = nowMs();
    const { pid } = engines[target] ?? tollgate.process(nameOf(target));
    signalProcess(pid, 'SIGSTOP');
    await pause(timeMs);
    signalProcess(pid, 'SIGCONT');
    outages.push({ kind: 'freeze', target, fromMs, untilMs: nowMs() });
  };
  return {
    whileAway,
    apply: ({ kind, target, awayMs }) =>
      kind === 'kill' ? whileAway(target, () => pause(awayMs)) : freeze(target, awayMs),
    async whileStopped(names, work) {
      for (const name of names) await supervisor.end(name, 'SIGTERM');
      try {
        await work();
      } finally {
        for (const name of [...names].reverse()) await supervisor.bringUp(name);
      }
    },
    outages: () => outages,
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
