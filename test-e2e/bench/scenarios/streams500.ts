import { createKey, openAccount } from '../../support/accounts';
import { type ClientResult, runClient } from '../load/client';
import { warmUp } from '../load/warm-up';
import { cpuByProcess, totalCpuSince } from '../processes';
import { count, formatTable, milliseconds } from '../report/table';
import type { BenchSystem } from '../systems/system';
import { startSeparateTollgate } from '../systems/tollgate-separate';
import { pacedBody, type Scenario, type TestBed } from '../test-bed';

const STREAMS = 500;
const EVENTS = 200;
const EVERY_MS = 20;
/** An account of the largest plan may run 200 requests at once. */
const ACCOUNTS = 3;
const CREDIT = '1000.00';

interface StreamsFound {
  readonly name: string;
  readonly result: ClientResult;
  readonly cpuUs: number;
}

/** Many slow streams at once, as chats are. */
export const streams500: Scenario = {
  about: `${STREAMS} streams of ${EVENTS} events at ${EVERY_MS} ms each`,
  async run(testBed) {
    const { vendorAlone, passThrough, portkey } = testBed.contenders;
    const found: StreamsFound[] = [];
    for (const contender of [vendorAlone, passThrough, portkey]) {
      const system = await contender.start();
      found.push(await measureStreams(contender.name, system, undefined, testBed));
    }
    const system = await startSeparateTollgate(testBed.vendorUrl);
    const keys = await openAccounts(system.operator).catch(async (error: unknown) => {
      await system.stop();
      throw error;
    });
    found.push(await measureStreams('Tollgate', system, keys, testBed));
    const how =
      `${STREAMS} streams begin at once and carry ${EVENTS} events each, one every ${EVERY_MS} ms: ` +
      `${count((STREAMS * 1000) / EVERY_MS)} events a second are offered. Lag is from an event's ` +
      'leaving the vendor to its arrival; vendor and reader share one core.';
    return { title: `${STREAMS} streams`, markdown: `${how}\n\n${formatStreams(found)}` };
  },
};

async function openAccounts(
  operator: Parameters<typeof openAccount>[0],
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const { owner } = await openAccount(operator, { plan: 'enterprise', credit: CREDIT });
    keys.push((await createKey(owner.api)).secret);
  }
  return keys;
}

async function measureStreams(
  name: string,
  system: BenchSystem,
  keys: readonly string[] | undefined,
  { options, progress }: TestBed,
): Promise<StreamsFound> {
  try {
    if (system.processes.length > 0) await warmUp(system, options.warmUpSeconds);
    const before = cpuByProcess(system);
    const result = await runClient({
      url: system.url,
      headers: system.headers,
      bodies: [pacedBody(EVENTS, EVERY_MS)],
      ...(keys === undefined ? {} : { keys }),
      connections: STREAMS,
      requestsMax: STREAMS,
      expected: [200],
      lags: true,
      seconds: options.longSeconds,
    });
    const cpuUs = totalCpuSince(system, before);
    progress(`${name}: ${JSON.stringify(result.statuses)}, lag p99 ${result.lag.p99Us} µs`);
    return { name, result, cpuUs };
  } finally {
    await system.stop();
  }
}

function formatStreams(found: readonly StreamsFound[]): string {
  const rows = found.map(({ name, result, cpuUs }) => {
    const { firstToken, lag, seconds, statuses, unfinished } = result;
    return [
      name,
      count(statuses['200']),
      count(unfinished),
      count(lag.count / seconds),
      milliseconds(lag.p50Us),
      milliseconds(lag.p99Us),
      milliseconds(firstToken.p99Us),
      cpuUs === 0 ? '–' : (cpuUs / Math.max(1, lag.count)).toFixed(1),
    ];
  });
  const heads = [
    'system',
    'streams',
    'cut',
    'events/s',
    'lag p50 ms',
    'lag p99 ms',
    'first event p99 ms',
    'CPU µs an event',
  ];
  return formatTable(heads, rows);
}
