import { join } from 'node:path';
import { type RunningEngine, type StartOptions, signalProcess } from '../engines/engine-process';
import { startKafka } from '../engines/kafka';
import { startRedis } from '../engines/redis';
import { type Api, createApi } from '../support/api';
import { listDeliveriesAfter, type TaggedDelivery } from '../support/simulator';
import {
  SERVICES,
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

/** Starts engines of its own, so that they can be killed, and every service on them. */
export async function startFaultSystem(
  report: (line: string) => void,
  overrides: Readonly<Record<string, string>> = {},
): Promise<FaultSystem> {
  const options: StartOptions = { report: () => undefined, detached: false };
  const [kafka, redis] = await Promise.all([startKafka(options), startRedis(options)]);
  const tollgate = await startSeparate(
    { kafkaBrokers: kafka.url, redisUrl: redis.url },
    { TOLLGATE_SIMULATOR_DELIVERIES_MAX: '1000000', ...overrides },
  );
  const beganMs = performance.now();
  const nowMs = () => performance.now() - beganMs;
  const supervisor = createSupervisor(tollgate, report);
  const engines = { kafka, redis };
  return {
    ...createHand({ tollgate, engines, supervisor, report, nowMs }),
    baseUrl: tollgate.baseUrl,
    kafkaBrokers: kafka.url,
    nowMs,
    crashes: supervisor.crashes,
    logTails: () =>
      Object.fromEntries(SERVICES.map((name) => [name, lastLines(tollgate.output(name))])),
    operator: createOperator(tollgate),
    deliveries: () => listDeliveriesAfter(tollgate.simulatorUrl, 0),
    drainSpool() {
      const spool = join(tollgate.dataDirectory('completion'), 'spool');
      return tollgate.runCommand('completion', ['spool', 'drain', spool]);
    },
    async stop() {
      supervisor.release();
      const codes = await tollgate.stop();
      await Promise.all([kafka.stop(), redis.stop()]);
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

interface HandOptions {
  readonly tollgate: SeparateTollgate;
  readonly engines: Readonly<Record<'kafka' | 'redis', RunningEngine>>;
  readonly supervisor: Supervisor;
  report(line: string): void;
  nowMs(): number;
}

function createHand({ tollgate, engines, supervisor, report, nowMs }: HandOptions): Hand {
  const outages: Outage[] = [];
  const isEngine = (target: FaultTarget) => target === 'kafka' || target === 'redis';
  const kill = async (target: FaultTarget): Promise<void> => {
    if (isEngine(target)) await engines[target].kill();
    else await supervisor.end(target, 'SIGKILL');
  };
  const bringBack = async (target: FaultTarget): Promise<void> => {
    if (!isEngine(target)) await supervisor.bringUp(target);
    else await startUntilUp(target, () => engines[target].restart(), report);
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
    const { pid } = isEngine(target) ? engines[target] : tollgate.process(target);
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
