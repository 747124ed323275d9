import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceName } from '../topologies/instances';
import { SERVICES, serviceOf } from '../topologies/instances';
import type { LoadedAccount } from './accounts';
import type { Attempt } from './attempt';
import type { RequestSums } from './check-requests';
import type { Violation } from './evidence';
import type { FaultSystem } from './fault-system';
import { reconcile } from './reconcile';
import { formatFigures } from './report';
import { isComplete, OFFICIAL_RETRIES, type SteadyLoad, startSteadyLoad } from './steady-load';

export interface RollingOptions {
  /** Open at any time. */
  readonly streams: number;
  report(line: string): void;
}

/** What came of it. */
export interface RollingResult {
  readonly streams: number;
  readonly wholeAnswers: number;
  /** Requests that were turned away at first, before any part of an answer. */
  readonly turnedAway: number;
  /** Of them those that an official client, which asks twice more, reports to its user. */
  readonly refused: number;
  /** Answers that ended in the middle. */
  readonly broken: number;
  /** Questions about accounts, to services that are not asked for a completion. */
  readonly managementCalls: number;
  /** None of them is tried again. */
  readonly managementFailures: number;
  readonly replaced: readonly { readonly name: InstanceName; readonly tookMs: number }[];
  readonly sums: RequestSums;
  readonly violations: readonly Violation[];
}

/** As the product has it: longer than others need to hear that an address leaves. */
export const ROLLING_SETTINGS = { TOLLGATE_SHUTDOWN_WAIT_MS: '3000' } as const;

/** Shorter than what a stopping gateway gives to open answers, and long enough to be met open. */
const STREAM = { stream: true, words: 60, wordIntervalMs: 150 } as const;
const WHOLE = { stream: false, words: 5, wordIntervalMs: 0 } as const;
/** What is measured is whether all are served, so the load leaves CPU free for the restarts. */
const STREAMS_PER_WHOLE_CONNECTION = 50;
const WHOLE_PAUSE_MS = 100;
const MANAGEMENT_PAUSE_MS = 100;
/** The order in which services are replaced, as `SERVICES` has them: gateways last. */
const ORDER = [...SERVICES].filter((service) => service !== 'simulator');

/** Replaces every replica of every service, one at a time, while streams are open. */
export async function runRollingRestart(
  system: FaultSystem,
  accounts: readonly LoadedAccount[],
  { streams, report }: RollingOptions,
): Promise<RollingResult> {
  const open = startSteadyLoad(system, accounts, {
    connections: streams,
    tagPrefix: 'stream/',
    shapeOf: () => STREAM,
    retriesMax: OFFICIAL_RETRIES,
  });
  const whole = startSteadyLoad(system, accounts, {
    connections: Math.ceil(streams / STREAMS_PER_WHOLE_CONNECTION),
    tagPrefix: 'whole/',
    shapeOf: () => WHOLE,
    pauseMs: WHOLE_PAUSE_MS,
    retriesMax: OFFICIAL_RETRIES,
  });
  const management = startManagement(system, accounts);
  const replaced: { readonly name: InstanceName; readonly tookMs: number }[] = [];
  const violations: Violation[] = [];
  await delay(STREAM.words * STREAM.wordIntervalMs);
  for (const name of ORDER.flatMap((service) => replicasOf(system, service))) {
    const fromMs = system.elapsedMs();
    const code = await system.replace(name);
    const tookMs = Math.round(system.elapsedMs() - fromMs);
    replaced.push({ name, tookMs });
    report(`${name} was replaced in ${tookMs} ms, exit code ${code}`);
    if (code !== 0) violations.push({ kind: 'unclean stop', text: `${name} ended with ${code}` });
  }
  await Promise.all([open.stop(), whole.stop(), management.stop()]);
  const attempts = [...open.attempts, ...whole.attempts];
  violations.push(...attempts.filter((one) => !isComplete(one)).map(toViolation));
  violations.push(...management.failures.map((text): Violation => ({ kind: 'refused', text })));
  const books = await reconcile(system, accounts, attempts);
  return {
    streams: open.requests.length,
    wholeAnswers: whole.requests.length,
    ...countOutcomes([open, whole]),
    managementCalls: management.calls(),
    managementFailures: management.failures.length,
    replaced,
    sums: books.sums,
    violations: [...violations, ...books.violations],
  };
}

function replicasOf(system: FaultSystem, service: (typeof ORDER)[number]): InstanceName[] {
  return system.instances.filter((name) => serviceOf(name) === service);
}

/** Asks for the balance, the statistics and the models of one account after another. */
function startManagement(system: FaultSystem, accounts: readonly LoadedAccount[]) {
  const failures: string[] = [];
  let calls = 0;
  let running = true;
  const ask = async (path: string, secret: string): Promise<void> => {
    calls += 1;
    const fromMs = Math.round(system.elapsedMs());
    try {
      const headers = { authorization: `Bearer ${secret}` };
      const response = await fetch(`${system.baseUrl}${path}`, { headers });
      const body = await response.text();
      if (response.status !== 200) {
        failures.push(`GET ${path} at ${fromMs} ms: ${response.status} ${body}`);
      }
    } catch (error) {
      failures.push(`GET ${path} at ${fromMs} ms: ${error}`);
    }
  };
  const work = async (): Promise<void> => {
    for (let number = 0; running; number += 1) {
      const secret = accounts[number % accounts.length]?.keys[0]?.secret ?? '';
      for (const path of ['/v1/billing/balance', '/v1/stats', '/v1/models']) {
        await ask(path, secret);
      }
      await delay(MANAGEMENT_PAUSE_MS);
    }
  };
  const working = work();
  return {
    failures,
    calls: () => calls,
    async stop() {
      running = false;
      await working;
    },
  };
}

function countOutcomes(
  loads: readonly SteadyLoad[],
): Pick<RollingResult, 'turnedAway' | 'refused' | 'broken'> {
  const requests = loads.flatMap((load) => load.requests);
  const isBroken = (made: Attempt) => made.status === 200 && !made.finished;
  const isRefused = (made: Attempt | undefined) => made?.status !== 200;
  return {
    turnedAway: requests.filter(([first]) => isRefused(first)).length,
    refused: requests.filter((made) => isRefused(made.at(-1))).length,
    broken: requests.filter((made) => made.some(isBroken)).length,
  };
}

function toViolation(made: Attempt): Violation {
  const { tag, status, errorCode, tokens, fromMs, untilMs, requestId } = made;
  const got = `${status ?? 'no answer'} ${errorCode ?? ''} ${requestId ?? ''}, ${tokens} tokens`;
  const when = `from ${Math.round(fromMs)} to ${Math.round(untilMs)} ms`;
  return { kind: 'refused', text: `${tag} ${when}: ${got}` };
}

/** What was measured. */
export function formatRolling(result: RollingResult): string {
  const tookMs = result.replaced.map((one) => one.tookMs);
  return formatFigures([
    ['replicas replaced', result.replaced.length],
    ['slowest, ms', Math.max(...tookMs)],
    ['streams', result.streams],
    ['whole answers', result.wholeAnswers],
    ['management calls', result.managementCalls],
    ['turned away at first', result.turnedAway],
    ['refused, after two retries as official clients make them', result.refused],
    ['broken in the middle', result.broken],
    ['management calls that failed', result.managementFailures],
    ['lost', countOf(result, 'lost')],
    ['double', countOf(result, 'double')],
    ['drift', countOf(result, 'drift')],
    ['tokens charged', result.sums.chargedTokens],
  ]);
}

function countOf({ violations }: RollingResult, kind: Violation['kind']): number {
  return violations.filter((one) => one.kind === kind).length;
}
