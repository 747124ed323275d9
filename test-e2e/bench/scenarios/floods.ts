import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey, openAccount, openAccountWithKey } from '../../support/accounts';
import { withChecksum } from '../../support/forged-credentials';
import { runClient } from '../load/client';
import { measureCost } from '../load/cost';
import { readVendor } from '../load/vendor';
import { warmUp } from '../load/warm-up';
import { cpuByProcess, totalCpuSince } from '../processes';
import { count, formatTable, formatTargets, type Target } from '../report/table';
import type { TollgateSystem } from '../systems/tollgate-in-one';
import { startSeparateTollgate } from '../systems/tollgate-separate';
import { pacedBody, type Scenario, type TestBed, WHOLE } from '../test-bed';

const BAD_KEYS = 1000;
const KEY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Requests of a minute on the free plan, and some more. */
const SPENT = 80;
const STORM_CONNECTIONS = 64;
const STORM_EVENTS = 100;
const STORM_EVERY_MS = 20;
const ABORT_AFTER_MS = 60;
const CALM_LOOK_MS = 20;
const CALM_LOOKS_MAX = 250;

/** What those cost who get nothing: unknown keys, spent limits, readers who leave. */
export const floods: Scenario = {
  about: 'unknown keys, refused requests and a storm of aborts, and what others feel of them',
  async run(testBed) {
    const system = await startSeparateTollgate(testBed.vendorUrl);
    try {
      await warmUp(system, testBed.options.warmUpSeconds);
      const refusals = await measureRefusals(system, testBed);
      const storm = await measureStorm(system, testBed);
      const markdown = [refusals.table, storm.table, formatTargets(refusals.targets)];
      return { title: 'Floods', markdown: markdown.join('\n\n') };
    } finally {
      await system.stop();
    }
  },
};

async function measureRefusals(system: TollgateSystem, { vendorUrl, options }: TestBed) {
  const { seconds } = options;
  const cost = (keys: readonly string[] | undefined, expected: number) =>
    measureCost(system, vendorUrl, {
      bodies: [WHOLE],
      seconds,
      expected,
      ...(keys === undefined ? {} : { keys }),
    });
  const served = await cost(undefined, 200);
  const bad = await cost(makeBadKeys(), 401);
  const limited = await cost([await spendMinute(system)], 429);
  const alone = await besideFlood(system, options.longSeconds / 4, 0);
  const beside = await besideFlood(system, options.longSeconds / 4, bad.perSecond / 4);
  const row = (name: string, { cpuUs, p99Us, perSecond }: typeof served) => [
    name,
    count(perSecond),
    count(cpuUs),
    count(p99Us),
  ];
  const table = formatTable(
    ['16 callers', 'answers/s', 'CPU µs', 'p99 µs'],
    [row('served', served), row('unknown keys', bad), row('limit spent', limited)],
  );
  const targets: readonly Target[] = [
    {
      what: 'unknown keys refused/s ÷ served/s',
      about: 'floods',
      value: bad.perSecond / served.perSecond,
      atLeast: 3,
    },
    {
      what: `p99 of a valid caller beside ${count(bad.perSecond / 4)} unknown keys/s ÷ alone`,
      about: 'floods',
      value: beside / alone,
      atMost: 1.5,
    },
  ];
  return { table, targets };
}

/** Well-formed keys that nobody has: what costs most to refuse. */
function makeBadKeys(): readonly string[] {
  const letters = (length: number) =>
    Array.from({ length }, () => KEY_LETTERS[randomInt(KEY_LETTERS.length)]).join('');
  return Array.from({ length: BAD_KEYS }, () =>
    withChecksum(`tg_live_${letters(16)}_${letters(43)}`),
  );
}

/** The key of an account whose requests of this minute are spent. */
async function spendMinute({ headers, operator, url }: TollgateSystem): Promise<string> {
  const { owner } = await openAccount(operator, { plan: 'free', credit: '10.00' });
  const { secret } = await createKey(owner.api);
  await runClient({
    url,
    headers,
    keys: [secret],
    bodies: [WHOLE],
    connections: 1,
    requestsMax: SPENT,
    seconds: 30,
    expected: [200, 429],
  });
  return secret;
}

/** p99 of one valid caller while unknown keys come at a fixed rate. */
async function besideFlood(
  { headers, url }: TollgateSystem,
  seconds: number,
  perSecond: number,
): Promise<number> {
  const load = { url, headers, bodies: [WHOLE], seconds };
  const keys = makeBadKeys();
  const flood =
    perSecond === 0
      ? undefined
      : runClient({ ...load, keys, connections: 64, perSecond, expected: [401] });
  const valid = await runClient({ ...load, connections: 1, expected: [200] });
  await flood;
  return valid.latency.p99Us ?? Number.NaN;
}

async function measureStorm(system: TollgateSystem, { vendorUrl, options }: TestBed) {
  const before = cpuByProcess(system);
  const { aborted, failures } = await runClient({
    url: system.url,
    headers: system.headers,
    connections: STORM_CONNECTIONS,
    bodies: [pacedBody(STORM_EVENTS, STORM_EVERY_MS)],
    abortAfterMs: ABORT_AFTER_MS,
    seconds: options.seconds,
    expected: [200],
  });
  const endedMs = performance.now();
  for (let looks = 0; looks < CALM_LOOKS_MAX; looks += 1) {
    if ((await readVendor(vendorUrl)).open === 0) break;
    await delay(CALM_LOOK_MS);
  }
  const calmMs = performance.now() - endedMs;
  const { open } = await readVendor(vendorUrl);
  const cpu = totalCpuSince(system, before);
  // Of another account: who left so often has to wait for the next minute.
  const other = await openAccountWithKey(system.operator, { credit: '1000.00' });
  const after = await measureCost(system, vendorUrl, {
    bodies: [WHOLE],
    keys: [other.apiKey],
    seconds: options.seconds,
  });
  const heads = [
    'streams cut by their readers',
    'cut by us',
    'CPU µs each',
    'vendor calls still open',
    'calm after ms',
    'p99 µs served afterwards',
  ];
  const row = [
    count(aborted),
    count(failures),
    count(cpu / Math.max(1, aborted)),
    count(open),
    count(calmMs),
    count(after.p99Us),
  ];
  return { table: formatTable(heads, [row]) };
}
