import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, serviceOf } from '../topologies/instances';
import type { LoadedAccount } from './accounts';
import type { Attempt } from './attempt';
import type { RequestSums } from './check-requests';
import type { Violation } from './evidence';
import type { Fault, FaultTarget } from './fault-plan';
import type { FaultSystem, Outage } from './fault-system';
import { reconcile } from './reconcile';
import { isComplete, OFFICIAL_RETRIES, startSteadyLoad } from './steady-load';

/** One fault at a time, so that it can be said what clients see of each. */
export interface SingleFaultsOptions {
  /** By name, as `listFaults` has them. */
  readonly faults: readonly string[];
  /** How long Kafka is away, milliseconds. */
  readonly kafkaAwayMs: number;
  readonly connections: number;
  report(line: string): void;
}

/** What clients saw while one thing was away, and until a while after. */
export interface SeenOfFault {
  readonly name: string;
  readonly requests: number;
  /** Answered to the end at the first try. */
  readonly complete: number;
  /** Answered to the end after an official client's retries. */
  readonly completeAfterRetries: number;
  /** Cut in the middle of a stream. */
  readonly cut: number;
  /** What the last try of the others got, by status and code. */
  readonly refused: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

export interface SingleFaultsResult {
  readonly seen: readonly SeenOfFault[];
  readonly sums: RequestSums;
  readonly violations: readonly Violation[];
  readonly settledMs: number;
}

type UntimedFault = Omit<Fault, 'afterMs'>;

/** A dead replica is started again this much later; what is frozen answers no sooner. */
const AWAY_MS = 5_000;
const REDIS_AWAY_MS = 10_000;
/** Longer than the others take to elect another primary, and drivers to notice. */
const STORE_FROZEN_MS = 30_000;
/** Load without a fault: at first, and after each of them. */
const QUIET_MS = 10_000;
const WORDS = 20;
const WORD_MS = 50;
const STREAM_EVERY = 2;
const PAUSE_MS = 100;

/** Everything that can be asked for, in the order in which it is done. */
export function listFaults(
  { instances }: Pick<FaultSystem, 'instances'>,
  kafkaAwayMs: number,
): ReadonlyMap<string, UntimedFault> {
  const kill = (target: FaultTarget, awayMs = AWAY_MS): [string, UntimedFault] => [
    `${target}-killed`,
    { kind: 'kill', target, awayMs },
  ];
  const freeze = (target: FaultTarget, awayMs = AWAY_MS): [string, UntimedFault] => [
    `${target}-frozen`,
    { kind: 'freeze', target, awayMs },
  ];
  const firsts = SERVICES.flatMap((service) =>
    service === 'simulator' || !instances.some((name) => serviceOf(name) === service)
      ? []
      : [service],
  );
  return new Map<string, UntimedFault>([
    ...firsts.flatMap((service) => [kill(service), freeze(service)]),
    kill('store'),
    freeze('store', STORE_FROZEN_MS),
    // It keeps nothing on disk: who is back has been flushed.
    ['redis-flushed', { kind: 'kill', target: 'redis', awayMs: 0 }],
    ['redis-away', { kind: 'kill', target: 'redis', awayMs: REDIS_AWAY_MS }],
    ['kafka-away', { kind: 'kill', target: 'kafka', awayMs: kafkaAwayMs }],
  ]);
}

/** Does one after the other under load, and compares all books when they are settled. */
export async function runSingleFaults(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  { faults, kafkaAwayMs, connections, report }: SingleFaultsOptions,
): Promise<SingleFaultsResult> {
  const known = listFaults(system, kafkaAwayMs);
  const chosen = faults.map((name) => {
    const fault = known.get(name);
    if (fault === undefined) throw new Error(`${name} is none of ${[...known.keys()].join(', ')}`);
    return { ...fault, name };
  });
  const load = startSteadyLoad(system, accounts, {
    connections,
    tagPrefix: 'single/',
    pauseMs: PAUSE_MS,
    retriesMax: OFFICIAL_RETRIES,
    shapeOf: (number) => ({
      stream: number % STREAM_EVERY === 0,
      words: WORDS,
      wordIntervalMs: WORD_MS,
    }),
  });
  const windows: Window[] = [];
  const during = async (name: string, work: () => Promise<void>): Promise<void> => {
    const fromMs = system.elapsedMs();
    await work();
    await delay(QUIET_MS);
    windows.push({ name, fromMs, untilMs: system.elapsedMs() });
    report(`${name}: ${Math.round(system.elapsedMs() - fromMs)} ms`);
  };
  await during('nothing', () => Promise.resolve());
  for (const { name, ...fault } of chosen) {
    await during(name, () => system.apply({ ...fault, afterMs: 0 }));
  }
  await load.stop();
  const books = await reconcile(system, accounts, load.attempts);
  return {
    seen: windows.map((window) => lookAt(window, load.requests)),
    sums: books.sums,
    violations: books.violations,
    settledMs: books.settledMs,
  };
}

interface Window extends Pick<Outage, 'fromMs' | 'untilMs'> {
  readonly name: string;
}

/** A request belongs to the time in which it was sent first. */
function lookAt(
  { name, fromMs, untilMs }: Window,
  all: readonly (readonly Attempt[])[],
): SeenOfFault {
  const requests = all.filter(
    ([first]) => first !== undefined && first.fromMs >= fromMs && first.fromMs < untilMs,
  );
  const lasts = requests.flatMap((made) => made.slice(-1));
  const refused: Record<string, number> = {};
  for (const { status, errorCode } of lasts.filter((one) => one.status !== 200)) {
    const code = `${status ?? 'no answer'} ${errorCode ?? ''}`.trim();
    refused[code] = (refused[code] ?? 0) + 1;
  }
  const tookMs = requests.map((made) => (made.at(-1)?.untilMs ?? 0) - (made[0]?.fromMs ?? 0));
  return {
    name,
    requests: requests.length,
    complete: requests.filter(([first]) => first !== undefined && isComplete(first)).length,
    completeAfterRetries: lasts.filter(isComplete).length,
    cut: lasts.filter((one) => one.status === 200 && !one.finished).length,
    refused,
    slowestMs: Math.round(Math.max(0, ...tookMs)),
  };
}

/** A line for each fault. */
export function formatSingleFaults({ seen, violations, settledMs }: SingleFaultsResult): string {
  const rows = seen.map((one) => {
    const refused = Object.entries(one.refused).map(([code, times]) => `${times} × ${code}`);
    const cells = [
      one.name,
      one.requests,
      one.complete,
      one.completeAfterRetries,
      one.cut,
      refused.join(', ') || 'none',
      one.slowestMs,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const count = (kind: Violation['kind']) => violations.filter((one) => one.kind === kind).length;
  return [
    '',
    '| what | requests | complete at first | complete after retries | cut | refused | slowest, ms |',
    '|---|--:|--:|--:|--:|---|--:|',
    ...rows,
    '',
    `lost ${count('lost')}, double ${count('double')}, negative ${count('negative')}, ` +
      `drift ${count('drift')}; settled after ${(settledMs / 1000).toFixed(1)} s`,
  ].join('\n');
}
