import { createMeter, type LoopTicks } from '../../support/process-meter';
import { type ClientResult, runClient, type Spread } from '../load/client';
import { readTicks } from '../load/ticks';
import { warmUp } from '../load/warm-up';
import { offer } from '../load/wrk';
import { count, formatTable, formatTargets, milliseconds } from '../report/table';
import { formatTicks } from '../report/ticks';
import type { Contender, SystemName } from '../systems/system';
import { type Scenario, type TestBed, WHOLE } from '../test-bed';

interface Tail {
  readonly name: SystemName;
  readonly perSecond: number;
  readonly latency: Spread;
  /** What came too late to be waited for, broke, or was answered otherwise. */
  readonly lost: string;
  readonly ticks: ReadonlyMap<string, LoopTicks>;
}

const CONNECTIONS_MAX = 512;
/** Without anything in between there is no capacity that would mean something: P's is taken. */
const DIRECT_PER_SECOND = 400;

/** Times at half of what each system can do, and what holds its event loops. */
export const tails: Scenario = {
  about: 'p50, p99 and p99.9 at half of the capacity, and the longest tick of each event loop',
  async run(testBed) {
    const { vendorAlone, passThrough, portkey, separate } = testBed.contenders;
    const found: Tail[] = [];
    for (const contender of testBed.random.shuffle([vendorAlone, passThrough, portkey, separate])) {
      found.push(await measureTail(contender, contender === vendorAlone, testBed));
    }
    const how =
      'Whole answers at a fixed rate of half of what the same system served to 16 callers just ' +
      `before, for ${testBed.options.longSeconds} s; each request timed from when it was due. Ticks are of ` +
      'the event loop and count the wait for the core that all processes of a system share; work is the ' +
      'CPU time of the thread itself, and collecting garbage is part of it.';
    return {
      title: 'Tails at half of the capacity',
      markdown: [how, formatTails(found), formatTicks(found), formatGoals(found)].join('\n\n'),
    };
  },
};

async function measureTail(
  contender: Contender,
  isVendorAlone: boolean,
  testBed: TestBed,
): Promise<Tail> {
  const { longSeconds, seconds, warmUpSeconds } = testBed.options;
  const meter = createMeter();
  const system = await contender.start(meter.environment);
  try {
    const { url, headers } = system;
    await warmUp(system, isVendorAlone ? 1 : warmUpSeconds);
    const full = { url, headers, body: WHOLE, connections: 16, seconds };
    const perSecond = isVendorAlone ? DIRECT_PER_SECOND : (await offer(full)).perSecond / 2;
    await readTicks(system, meter);
    const result = await runClient({
      url,
      headers,
      bodies: [WHOLE],
      connections: CONNECTIONS_MAX,
      perSecond,
      seconds: longSeconds,
      expected: [200],
    });
    const ticks = await readTicks(system, meter);
    const { latency } = result;
    testBed.progress(`${contender.name}: p99 ${latency.p99Us} µs at ${Math.round(perSecond)}/s`);
    return { name: contender.name, perSecond, latency, lost: describeLost(result), ticks };
  } finally {
    await system.stop();
    meter.remove();
  }
}

function describeLost({ failures, statuses, unfinished }: ClientResult): string {
  const others = Object.entries(statuses).filter(([status]) => status !== '200');
  const lost = [...others, ['broken', failures] as const, ['unfinished', unfinished] as const];
  const told = lost.filter(([, times]) => times > 0).map(([what, times]) => `${times} ${what}`);
  return told.length === 0 ? '0' : told.join(', ');
}

function formatTails(found: readonly Tail[]): string {
  const rows = found.map(({ name, perSecond, latency, lost }) => [
    name,
    count(perSecond),
    milliseconds(latency.p50Us),
    milliseconds(latency.p99Us),
    milliseconds(latency.p999Us),
    milliseconds(latency.maxUs),
    lost,
  ]);
  const heads = ['system', 'requests/s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'longest ms', 'lost'];
  return formatTable(heads, rows);
}

function formatGoals(found: readonly Tail[]): string {
  const tailOf = (wanted: SystemName) => found.find(({ name }) => name === wanted);
  const p99 = (wanted: SystemName) => tailOf(wanted)?.latency.p99Us ?? Number.NaN;
  const added = (wanted: SystemName) => p99(wanted) - p99('vendor alone');
  const ticks = [...(tailOf('Tollgate')?.ticks.values() ?? [])];
  const most = (measure: (ticks: LoopTicks) => number) => Math.max(...ticks.map(measure));
  return formatTargets([
    {
      about: 'tails',
      what: 'added p99 ÷ P',
      atMost: 0.5,
      stretch: 0.3,
      value: added('Tollgate') / added('P'),
    },
    {
      about: 'tails',
      what: 'longest tick of any process, ms',
      atMost: 20,
      stretch: 5,
      value: most(({ longestMs }) => longestMs),
    },
    {
      about: 'tails',
      what: 'most work of any process in a tick, ms',
      atMost: 20,
      stretch: 5,
      value: most(({ mostWork }) => mostWork.workMs),
    },
  ]);
}
